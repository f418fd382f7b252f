/**
 * Keeps a phone's sheet clear of the touch keyboard. Not every browser makes the page smaller for it: iOS lays it over the page, and
 * would move the composer out of sight.
 */

/** A keyboard takes at least this much of the window's height; less is a toolbar, which `dvh` knows. In pixels. */
const KEYBOARD = 120

export class KeyboardRoom {
  constructor(readonly sheet: () => HTMLElement | null) {}

  connect(): void {
    for (const type of ['resize', 'scroll']) visualViewport?.addEventListener(type, this.#fit)
  }

  disconnect(): void {
    for (const type of ['resize', 'scroll']) visualViewport?.removeEventListener(type, this.#fit)
  }

  /** The sheet takes what is seen of the window. A visitor who zooms moves over the sheet as over any page. */
  #fit = (): void => {
    const { height = innerHeight, offsetTop = 0, scale = 1 } = visualViewport ?? {}
    const covered = scale < 1.01 && innerHeight - height > KEYBOARD
    const { style } = this.sheet() ?? {}
    style?.setProperty('--shown', covered ? `${height}px` : '')
    style?.setProperty('--top', covered ? `${offsetTop}px` : '')
  }
}
