/** One entry of the conversation: a question's bubble, or an answer with its citations, sources and ending. */

import { html, nothing, type TemplateResult } from 'lit'
import { guard } from 'lit/directives/guard.js'
import type { Answer, Entry, Source } from '../conversation.ts'
import { safeLink } from '../markdown/links.ts'
import { citedNumbers } from '../markdown/plain.ts'
import { renderMarkdown } from '../markdown/render.ts'
import type { Strings } from '../strings/en.ts'
import { errorWords } from '../strings/errors.ts'
import { fill } from '../strings/index.ts'
import { icons } from './icons.ts'

export interface EntryView {
  strings: Strings
  contact: string
  /** Set for the last entry only: an older question is not asked again. */
  retry?: (() => void) | undefined
}

export function renderEntry(entry: Entry, view: EntryView): TemplateResult {
  if (entry.role === 'assistant') return renderAnswer(entry, view)
  return html`<li class="entry" data-role="user">
    <span class="unseen">${view.strings.you}</span>
    <div class="bubble" part="question" dir="auto">${entry.content}</div>
  </li>`
}

/** An entry that has not changed is not drawn again, however long the conversation is. */
function renderAnswer(answer: Answer, view: EntryView): TemplateResult {
  const changes = [
    answer.content,
    answer.status,
    answer.kind,
    answer.receipt,
    answer.error,
    view.strings,
    Boolean(view.retry),
  ]
  const busy = answer.status === 'waiting' || answer.status === 'streaming'
  return html`<li class="entry" data-role="assistant" data-status=${answer.status} data-kind=${answer.kind}>
    <span class="unseen">${view.strings.assistant}</span>
    <div part="answer" aria-busy=${busy}>${guard(changes, () => renderParts(answer, view, busy))}</div>
  </li>`
}

function renderParts(answer: Answer, view: EntryView, busy: boolean) {
  return html`
    ${renderNote(answer, view)}
    ${answer.status === 'waiting' ? html`<div class="waiting" aria-hidden="true"><i></i><i></i><i></i></div>` : nothing}
    ${
      answer.content === ''
        ? nothing
        : html`<div class="markdown" dir="auto">${renderMarkdown(answer.content, (number) => renderChip(answer.sources[number], view), busy)}</div>`
    }
    ${busy ? nothing : [renderSources(answer, view), renderEnd(answer, view)]}
  `
}

/** Says that the page quotes the site, or that the site has nothing to quote. */
function renderNote({ kind, error }: Answer, { strings, contact }: EntryView) {
  if (kind === 'model') return nothing
  if (kind === 'nothing') return html`<p>${strings.notCovered} ${renderContact(contact, strings)}</p>`
  return html`<p class="note">${error?.code === 'no-endpoint' ? strings.quoting : strings.quotingDown}</p>`
}

/** A mail address or web address becomes a link; any other words are shown as they are. */
function renderContact(contact: string, strings: Strings) {
  if (!contact) return nothing
  const mail = /^[^\s@:/]+@[^\s@]+$/.test(contact) ? `mailto:${contact}` : contact
  const link = /^(?:https?:|mailto:|tel:|\/)/.test(mail) ? safeLink(mail) : null
  return html`${strings.contact} ${link ? html`<a href=${link.href}>${contact}</a>` : contact}`
}

function renderChip(source: Source | undefined, { strings }: EntryView): TemplateResult | null {
  if (!source) return null
  if (source.hidden) return html``
  const label = fill(strings.source, { number: source.number, title: source.title })
  const link = source.url ? safeLink(source.url) : null
  if (!link) return html`<span class="chip" part="citation" title=${source.title}>${source.number}</span>`
  return html`<a class="chip" part="citation" href=${link.href} rel=${link.foreign ? 'noopener noreferrer nofollow' : nothing}
    target=${link.foreign ? '_blank' : nothing} title=${source.title} aria-label=${label}>${source.number}</a>`
}

function renderSources(answer: Answer, { strings }: EntryView) {
  const sources = citedNumbers(answer.content)
    .flatMap((number) => answer.sources[number] ?? [])
    .filter(({ hidden }) => !hidden)
    .sort((a, b) => a.number - b.number)
  if (sources.length === 0) return nothing
  return html`<div class="sources" part="sources" role="group" aria-label=${strings.sources}>
    <p class="label">${strings.sources}</p>
    <ol>${sources.map((source) => html`<li>${renderSource(source)}</li>`)}</ol>
  </div>`
}

function renderSource(source: Source): TemplateResult {
  const link = source.url ? safeLink(source.url) : null
  const name = html`<span class="number">${source.number}</span><span class="name"><bdi>${source.title}</bdi></span>`
  if (!link) return html`<span class="source" data-number=${source.number}>${name}</span>`
  const { host, pathname } = new URL(link.href)
  return html`<a class="source" data-number=${source.number} href=${link.href}
    rel=${link.foreign ? 'noopener noreferrer nofollow' : nothing} target=${link.foreign ? '_blank' : nothing}
    >${name}<span class="where">${link.foreign ? host : decodePath(pathname)}</span></a>`
}

/** What to say under an answer that did not end well, with a way to ask again. */
function renderEnd(answer: Answer, { strings, retry }: EntryView) {
  if (answer.status === 'done') return nothing
  const failed = answer.status === 'failed'
  const words = failed && answer.error ? errorWords(answer.error, strings) : strings[answer.status as 'cut' | 'stopped']
  return html`<div class="end ${answer.status}" part="notice" data-code=${answer.error?.code ?? answer.status}>
    ${failed ? icons.alert : nothing}<span class="words" dir="auto">${words}</span>
    ${retry ? html`<button type="button" class="retry" @click=${retry}>${icons.retry}${strings.retry}</button>` : nothing}
  </div>`
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
