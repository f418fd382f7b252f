/** One entry of the conversation: a question's bubble, or an answer with its citations, sources and ending. */

import { html, nothing, type TemplateResult } from 'lit'
import { guard } from 'lit/directives/guard.js'
import type { Answer, Entry, Source } from '../conversation.ts'
import { safeLink } from '../markdown/links.ts'
import { marksOf } from '../markdown/marks.ts'
import { citedNumbers } from '../markdown/plain.ts'
import { renderMarkdown } from '../markdown/render.ts'
import type { Strings } from '../strings/en.ts'
import { errorWords } from '../strings/errors.ts'
import { fill } from '../strings/index.ts'
import { renderActions, renderCodeCopy } from './actions.ts'
import type { CardEvents } from './card.ts'
import { icons } from './icons.ts'

/** What the entries need of the chat. */
export interface EntryHost {
  strings: Strings
  language: string
  contact: string
  card: CardEvents
  copy(text: string, event: Event): void
  rate(answer: Answer, value: 'up' | 'down'): void
  /** Sends what was wrong, or, without a reason, closes the question. */
  explain(answer: Answer, reason?: string, comment?: string): void
}
export interface EntryView {
  chat: EntryHost
  /** Its place in the conversation, from 0. */
  index: number
  /** Set for the last entry only: an older question is not asked again. */
  retry?: (() => void) | undefined
}

export function renderEntry(entry: Entry, view: EntryView): TemplateResult {
  if (entry.role === 'assistant') return renderAnswer(entry, view)
  return html`<li class="entry" data-role="user">
    <span class="unseen">${view.chat.strings.you}</span>
    <div class="bubble" part="question" dir="auto">${entry.content}</div>
  </li>`
}

/** An entry that has not changed is not drawn again, however long the conversation is. */
function renderAnswer(answer: Answer, view: EntryView): TemplateResult {
  const { content, status, kind, receipt, error, feedback, sources } = answer
  const { strings, contact } = view.chat
  const changes = [content, status, kind, receipt, error, feedback, sources, strings, contact, Boolean(view.retry)]
  const busy = status === 'waiting' || status === 'streaming'
  return html`<li class="entry" data-role="assistant" data-status=${status} data-kind=${kind}>
    <span class="unseen">${strings.assistant}</span>
    <div part="answer" aria-busy=${busy}>${guard(changes, () => renderParts(answer, view, busy))}</div>
  </li>`
}

function renderParts(answer: Answer, view: EntryView, busy: boolean) {
  return html`
    ${renderNote(answer, view.chat)}
    ${answer.status === 'waiting' ? html`<div class="waiting" aria-hidden="true"><i></i><i></i><i></i></div>` : nothing}
    ${answer.content === '' ? nothing : renderText(answer, view, busy)}
    ${answer.uncovered ? renderContact(view.chat.contact, view.chat.strings) : nothing}
    ${busy ? nothing : [renderSources(answer, view), renderEnd(answer, view), renderActions(answer, view)]}
  `
}

function renderText(answer: Answer, view: EntryView, busy: boolean): TemplateResult {
  const { strings } = view.chat
  const drawn = {
    cite: (number: number) => renderChip(answer, number, view),
    copy: (text: string) => renderCodeCopy(text, view.chat),
    labels: strings,
    marks: answer.kind === 'quotes' ? marksOf(answer.words ?? []) : undefined,
  }
  return html`<div class="markdown" dir="auto">${renderMarkdown(answer.content, drawn, busy)}</div>`
}

/** Says that the page quotes the site, that the browser answered, or that the site has nothing to quote. */
function renderNote({ kind, error, receipt }: Answer, { strings, contact }: EntryHost) {
  if (kind === 'nothing')
    return html`<div class="nothing" part="nothing">${icons.nothing}<p>${strings.notCovered}</p>
      <p class="hint">${strings.notCoveredHint}</p>${renderContact(contact, strings)}</div>`
  if (kind === 'quotes') return html`<p class="note">${whyQuoted(error?.code, strings)}</p>`
  return receipt?.model === 'browser' ? html`<p class="note">${strings.onDevice}</p>` : nothing
}

function whyQuoted(code: string | undefined, strings: Strings): string {
  if (code === 'budget-spent') return `${strings.errorBudget} ${strings.quoting}`
  return code === 'no-endpoint' ? strings.quoting : strings.quotingDown
}

/** A mail address or web address becomes a link; any other words are shown as they are. */
function renderContact(contact: string, strings: Strings) {
  if (!contact) return nothing
  const mail = /^[^\s@:/]+@[^\s@]+$/.test(contact) ? `mailto:${contact}` : contact
  const link = /^(?:https?:|mailto:|tel:|\/)/.test(mail) ? safeLink(mail) : null
  return html`<p class="contact">${strings.contact} ${link ? html`<a href=${link.href}>${contact}</a>` : contact}</p>`
}

function renderChip(answer: Answer, number: number, { chat, index }: EntryView): TemplateResult | null {
  const source = answer.sources[number]
  if (!source) return null
  if (source.hidden) return html``
  const label = fill(chat.strings.source, { number, title: source.title })
  const link = source.url ? safeLink(source.url) : null
  const show = chat.card.show(source)
  const said = source.quote ? `quote-${index}-${number}` : nothing
  if (!link)
    return html`<span class="chip" part="citation" role="note" tabindex="0" aria-label=${label} aria-describedby=${said}
      @pointerenter=${show} @pointerleave=${chat.card.leave} @focus=${show} @blur=${chat.card.leave}>${number}</span>`
  return html`<a class="chip" part="citation" href=${link.href} rel=${link.foreign ? 'noopener noreferrer nofollow' : nothing}
    target=${link.foreign ? '_blank' : nothing} aria-label=${label} aria-describedby=${said} @click=${chat.card.press}
    @pointerenter=${show} @pointerleave=${chat.card.leave} @focus=${show} @blur=${chat.card.leave}>${number}</a>`
}

function renderSources(answer: Answer, { chat, index }: EntryView) {
  const sources = citedNumbers(answer.content)
    .flatMap((number) => answer.sources[number] ?? [])
    .filter(({ hidden }) => !hidden)
    .sort((a, b) => a.number - b.number)
  if (sources.length === 0) return nothing
  return html`<div class="sources" part="sources" role="group" aria-label=${chat.strings.sources}>
    <p class="label">${chat.strings.sources}</p>
    <ol>${sources.map((source) => html`<li>${renderSource(source)}</li>`)}</ol>
    <div hidden>${sources.map(({ number, quote }) => (quote ? html`<span id="quote-${index}-${number}">${quote}</span>` : nothing))}</div>
  </div>`
}

function renderSource(source: Source): TemplateResult {
  const link = source.url ? safeLink(source.url) : null
  const name = html`<span class="number">${source.number}</span><span class="name"><bdi>${source.title}</bdi></span>`
  if (!link) return html`<span class="source" data-number=${source.number}>${name}</span>`
  return html`<a class="source" data-number=${source.number} href=${link.href}
    rel=${link.foreign ? 'noopener noreferrer nofollow' : nothing} target=${link.foreign ? '_blank' : nothing}
    >${name}<span class="where">${placeOf(link)}</span></a>`
}

/** Where a link leads, in few letters: the host of another site, the path of this one. */
export function placeOf({ href, foreign }: { href: string; foreign: boolean }): string {
  const { host, pathname } = new URL(href)
  try {
    return foreign ? host : decodeURIComponent(pathname)
  } catch {
    return pathname
  }
}

/** What to say under an answer that did not end well, with a way to ask again. */
function renderEnd(answer: Answer, { chat, retry }: EntryView) {
  if (answer.status === 'done') return nothing
  const { strings, language } = chat
  const failed = answer.status === 'failed'
  const words =
    failed && answer.error ? errorWords(answer.error, strings, language) : strings[answer.status as 'cut' | 'stopped']
  return html`<div class="end ${answer.status}" part="notice" data-code=${answer.error?.code ?? answer.status}>
    ${failed ? icons.alert : nothing}<span class="words" dir="auto">${words}</span>
    ${retry ? html`<button type="button" class="retry" @click=${retry}>${icons.retry}${strings.retry}</button>` : nothing}
  </div>`
}
