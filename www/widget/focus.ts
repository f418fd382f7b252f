/** Keeps the focus in the chat when what had it is drawn no more: a suggestion that was asked, "Stop" when the answer ends. */

export class FocusKeeper {
  #had: Element | null = null
  #entry: Element | null = null

  constructor(readonly root: () => ShadowRoot | null) {}

  beforeChange(): void {
    this.#had = this.root()?.activeElement ?? null
    this.#entry = this.#had?.closest('.entry') ?? null
  }

  /** Where one goes on: the rating whose form has closed, or the composer. A touch keyboard does not come up by itself. */
  afterChange(): void {
    const root = this.root()
    if (!root || !this.#had || this.#had.isConnected || root.activeElement) return
    const pressed = this.#entry?.isConnected ? this.#entry.querySelector<HTMLElement>('[aria-pressed="true"]') : null
    const place = matchMedia('(pointer: coarse)').matches ? '.log' : 'textarea'
    const target = pressed ?? root.querySelector<HTMLElement>(place)
    target?.focus({ preventScroll: true })
  }
}
