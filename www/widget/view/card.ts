/**
 * The card of a citation: the source's title, the quoted passage, where it stands. It shows while the pointer is on the chip or the
 * card, while the chip has the focus, or after a touch; Escape puts it away without closing the chat (WCAG 1.4.13).
 */

import { html, nothing, type ReactiveControllerHost, type TemplateResult } from 'lit'
import type { Source } from '../conversation.ts'
import { safeLink } from '../markdown/links.ts'
import { placeOf } from './answer.ts'

/** How long the pointer may be on its way from the chip to the card, in milliseconds. */
const LEAVE_MS = 180
/** Space between the card and what is around it, in pixels. */
const GAP = 8

/** What a chip calls. */
export interface CardEvents {
  show(source: Source): (event: Event) => void
  leave(): void
  press(event: MouseEvent): void
}

export class CitationCard implements CardEvents {
  #source: Source | undefined
  #chip: HTMLElement | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  /** The chip that a touch has just shown: its click does not follow the link. */
  #touched: EventTarget | null = null

  constructor(readonly host: ReactiveControllerHost & { renderRoot: HTMLElement | DocumentFragment }) {}

  show = (source: Source) => (event: Event) => {
    const chip = event.currentTarget as HTMLElement
    const touch = event instanceof PointerEvent && event.pointerType === 'touch'
    if (touch && chip !== this.#chip) this.#touched = chip
    clearTimeout(this.#timer)
    if (chip === this.#chip) return
    this.#source = source
    this.#chip = chip
    this.host.requestUpdate()
  }

  leave = (): void => {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.hide(), LEAVE_MS)
  }

  /** The first touch shows the card, the second follows the link. */
  press = (event: MouseEvent): void => {
    if (event.currentTarget === this.#touched) event.preventDefault()
    this.#touched = null
  }

  /** Whether there was one. */
  hide = (): boolean => {
    clearTimeout(this.#timer)
    const shown = this.#source !== undefined
    this.#source = undefined
    this.#chip = undefined
    if (shown) this.host.requestUpdate()
    return shown
  }

  render(): TemplateResult | typeof nothing {
    const source = this.#source
    if (!source) return nothing
    const link = source.url ? safeLink(source.url) : null
    return html`<div class="card" part="card" @pointerenter=${() => clearTimeout(this.#timer)} @pointerleave=${this.leave}>
      <p class="from"><span class="number">${source.number}</span><bdi>${
        link
          ? html`<a href=${link.href} tabindex="-1"
        rel=${link.foreign ? 'noopener noreferrer nofollow' : nothing} target=${link.foreign ? '_blank' : nothing}>${source.title}</a>`
          : source.title
      }</bdi></p>
      ${source.quote ? html`<blockquote dir="auto">${source.quote}</blockquote>` : nothing}
      ${link ? html`<p class="where">${placeOf(link)}</p>` : nothing}
    </div>`
  }

  /** Puts the card above its chip, or below it where there is no room; never outside the list. */
  place(): void {
    const card = this.host.renderRoot.querySelector<HTMLElement>('.card')
    const around = card?.parentElement
    if (!card || !around || !this.#chip?.isConnected) return
    const [box, chip] = [around.getBoundingClientRect(), this.#chip.getBoundingClientRect()]
    const [width, height] = [card.offsetWidth, card.offsetHeight]
    const middle = chip.left + chip.width / 2 - box.left - width / 2
    const above = chip.top - box.top - height - GAP
    card.style.left = `${Math.max(GAP, Math.min(middle, box.width - width - GAP))}px`
    card.style.top = `${above >= GAP ? above : Math.min(chip.bottom - box.top + GAP, box.height - height - GAP)}px`
  }
}
