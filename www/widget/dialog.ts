/**
 * The panel as a dialog: opens beside the page on a desktop and over it on a phone, takes the focus and gives it back,
 * closes on Escape, and keeps typed keys from the page's own shortcuts. A panel that is a part of the page (`mode="inline"`) is no
 * dialog: of all this it has only the keys.
 */

import { KeyboardRoom } from './keyboard.ts'
import { nextFrame } from './yield.ts'

/** Below this width the panel is a sheet over the whole page. The style sheets name the same number. */
const PHONE = '(max-width: 480px)'
const FOCUSABLE = 'a[href]:not([tabindex="-1"]), button:not([disabled]), textarea, input, [tabindex="0"]'

export const isPhone = (): boolean => matchMedia(PHONE).matches

export interface DialogActions {
  close(): void
  /** Puts away what lies over the panel; whether there was something. */
  dismiss(): boolean
}

export class PanelDialog {
  #opener: HTMLElement | null = null
  readonly #phone = matchMedia(PHONE)
  readonly #room = new KeyboardRoom(() => this.#panel)

  constructor(
    readonly root: ShadowRoot,
    readonly actions: DialogActions,
  ) {
    for (const type of ['keydown', 'keypress', 'keyup'] as const)
      root.addEventListener(type, (event) => this.#onKey(event as KeyboardEvent))
  }

  connect(): void {
    this.#phone.addEventListener('change', this.#onResize)
    this.#room.connect()
  }

  disconnect(): void {
    this.#phone.removeEventListener('change', this.#onResize)
    this.#room.disconnect()
  }

  get #panel(): HTMLDialogElement | null {
    return this.root.querySelector('dialog')
  }

  get #launcher(): HTMLElement | null {
    return this.root.querySelector('.launcher')
  }

  /**
   * Shows the panel, in steps that are tasks of their own: the frame with the header, then the composer with the focus, then the list.
   * `focus` is false when the page opened it by itself: then the visitor's focus stays.
   */
  async show(focus: boolean): Promise<void> {
    const panel = this.#panel
    if (!panel) return
    const active = document.activeElement as HTMLElement | null
    this.#opener = active === this.root.host || active === document.body ? null : active
    this.#mark(true)
    panel.dataset.arriving = 'composer'
    this.#show(panel)
    if (!focus && active !== document.activeElement) active?.focus({ preventScroll: true })
    await nextFrame()
    panel.dataset.arriving = 'list'
    if (focus) this.#focusInside(panel)
    await nextFrame()
    delete panel.dataset.arriving
  }

  hide(): void {
    const panel = this.#panel
    const inside = panel?.contains(this.root.activeElement)
    panel?.close()
    this.#mark(false)
    if (!inside) return
    const target = this.#opener?.isConnected ? this.#opener : this.#launcher
    target?.focus({ preventScroll: true })
  }

  /** `show()` would look for something to focus, which lays out the page before its turn: the attribute opens as well. */
  #show(panel: HTMLDialogElement): void {
    if (this.#phone.matches) {
      if (panel.open) panel.close()
      panel.showModal()
    } else {
      if (panel.matches(':modal')) panel.close()
      panel.open = true
    }
  }

  /** A touch keyboard would cover half of what just opened, so there the panel itself takes the focus. */
  #focusInside(panel: HTMLDialogElement): void {
    const target = matchMedia('(pointer: coarse)').matches ? panel : this.root.querySelector('textarea')
    if (panel.open) target?.focus({ preventScroll: true })
  }

  #mark(open: boolean): void {
    const launcher = this.#launcher
    if (!launcher) return
    launcher.hidden = open
    launcher.setAttribute('aria-expanded', String(open))
  }

  #onResize = (): void => {
    const panel = this.#panel
    if (!panel?.open) return
    const focused = this.root.activeElement as HTMLElement | null
    this.#show(panel)
    focused?.focus({ preventScroll: true })
  }

  #onKey(event: KeyboardEvent): void {
    if (!event.ctrlKey && !event.metaKey) event.stopPropagation()
    if (event.type !== 'keydown' || event.isComposing) return
    if (event.key === 'Escape') this.#onEscape(event)
    else if (event.key === 'Tab' && this.#panel?.matches(':modal')) this.#wrap(event, this.#panel)
  }

  /** What lies on top goes first: a citation's card, then the panel. */
  #onEscape(event: KeyboardEvent): void {
    const dismissed = this.actions.dismiss()
    if (!dismissed && !this.#panel?.open) return
    event.preventDefault()
    if (!dismissed) this.actions.close()
  }

  /** In the modal layout the focus goes round inside the panel. */
  #wrap(event: KeyboardEvent, panel: HTMLDialogElement): void {
    const stops = [...panel.querySelectorAll<HTMLElement>(FOCUSABLE)].filter((stop) => stop.checkVisibility())
    const [from, to] = event.shiftKey ? [stops[0], stops.at(-1)] : [stops.at(-1), stops[0]]
    const active = this.root.activeElement
    if (active !== from && !(event.shiftKey && active === panel)) return
    event.preventDefault()
    to?.focus()
  }
}
