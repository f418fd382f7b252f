/**
 * The panel as a dialog: opens beside the page on a desktop and over it on a phone, takes the focus and gives it back,
 * closes on Escape, and keeps typed keys from the page's own shortcuts.
 */

/** Below this width the panel is a sheet over the whole page. The style sheets name the same number. */
const PHONE = '(max-width: 480px)'
const FOCUSABLE = 'a[href], button:not([disabled]), textarea, [tabindex="0"]'

export const isPhone = (): boolean => matchMedia(PHONE).matches

export class PanelDialog {
  #opener: HTMLElement | null = null
  readonly #phone = matchMedia(PHONE)

  constructor(
    readonly root: ShadowRoot,
    readonly close: () => void,
  ) {
    for (const type of ['keydown', 'keypress', 'keyup'] as const)
      root.addEventListener(type, (event) => this.#onKey(event as KeyboardEvent))
  }

  connect(): void {
    this.#phone.addEventListener('change', this.#onResize)
  }

  disconnect(): void {
    this.#phone.removeEventListener('change', this.#onResize)
  }

  get #panel(): HTMLDialogElement {
    return this.root.querySelector('dialog') as HTMLDialogElement
  }

  get #launcher(): HTMLElement | null {
    return this.root.querySelector('.launcher')
  }

  /** Shows the panel. `focus` is false when the page opened it by itself: then the visitor's focus stays. */
  show(focus: boolean): void {
    const active = document.activeElement as HTMLElement | null
    this.#opener = active === this.root.host || active === document.body ? null : active
    this.#show()
    if (focus) this.#focusInside()
    else if (active !== document.activeElement) active?.focus({ preventScroll: true })
    this.#mark(true)
  }

  hide(): void {
    const inside = this.#panel.contains(this.root.activeElement)
    this.#panel.close()
    this.#mark(false)
    if (!inside) return
    const target = this.#opener?.isConnected ? this.#opener : this.#launcher
    target?.focus({ preventScroll: true })
  }

  #show(): void {
    if (this.#panel.open) this.#panel.close()
    if (this.#phone.matches) this.#panel.showModal()
    else this.#panel.show()
  }

  /** A touch keyboard would cover half of what just opened, so there the panel itself takes the focus. */
  #focusInside(): void {
    const target = matchMedia('(pointer: coarse)').matches ? this.#panel : this.root.querySelector('textarea')
    target?.focus({ preventScroll: true })
  }

  #mark(open: boolean): void {
    const launcher = this.#launcher
    if (!launcher) return
    launcher.hidden = open
    launcher.setAttribute('aria-expanded', String(open))
  }

  #onResize = (): void => {
    if (!this.#panel.open) return
    const focused = this.root.activeElement as HTMLElement | null
    this.#show()
    focused?.focus({ preventScroll: true })
  }

  #onKey(event: KeyboardEvent): void {
    if (!event.ctrlKey && !event.metaKey) event.stopPropagation()
    if (event.type !== 'keydown' || event.isComposing || !this.#panel.open) return
    if (event.key === 'Escape') {
      event.preventDefault()
      this.close()
    } else if (event.key === 'Tab' && this.#phone.matches) this.#wrap(event)
  }

  /** In the modal layout the focus goes round inside the panel. */
  #wrap(event: KeyboardEvent): void {
    const stops = [...this.#panel.querySelectorAll<HTMLElement>(FOCUSABLE)].filter((stop) => stop.checkVisibility())
    const [from, to] = event.shiftKey ? [stops[0], stops.at(-1)] : [stops.at(-1), stops[0]]
    const active = this.root.activeElement
    if (active !== from && !(event.shiftKey && active === this.#panel)) return
    event.preventDefault()
    to?.focus()
  }
}
