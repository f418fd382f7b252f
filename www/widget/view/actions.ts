/** What can be done with an answer: copy it, say whether it was good, and why not. */

import { html, nothing, type TemplateResult } from 'lit'
import type { Answer } from '../conversation.ts'
import type { Strings } from '../strings/en.ts'
import type { EntryHost, EntryView } from './answer.ts'
import { icons } from './icons.ts'

/** Why an answer can be bad, as keys of the widget's words. */
const REASONS = ['reasonWrong', 'reasonMissed', 'reasonOutdated', 'reasonOther'] as const satisfies (keyof Strings)[]
const COMMENT_CHARS = 500

export function renderActions(answer: Answer, { chat, retry }: EntryView) {
  if (answer.status === 'failed' || (answer.content === '' && answer.kind !== 'nothing')) return nothing
  const { strings } = chat
  const rating = answer.feedback?.value
  const rate = (value: 'up' | 'down', label: string, icon: unknown) =>
    html`<button type="button" class="action" part="feedback" aria-label=${label} title=${label} aria-pressed=${rating === value}
      @click=${() => chat.rate(answer, value)}>${icon}</button>`
  return html`<div class="actions" part="actions">
      ${answer.content === '' ? nothing : renderCopy(answer, chat)}
      ${rate('up', strings.helpful, icons.up)}${rate('down', strings.unhelpful, icons.worse)}
      ${retry && answer.status === 'done' ? html`<button type="button" class="action" aria-label=${strings.retry} title=${strings.retry} @click=${retry}>${icons.retry}</button>` : nothing}
    </div>
    ${answer.feedback?.value === 'down' && answer.feedback.reason === undefined ? renderReasons(answer, chat) : nothing}`
}

/** A button that copies; for a moment it shows that it did. */
function renderCopy(answer: Answer, chat: EntryHost): TemplateResult {
  const { copyAnswer } = chat.strings
  const copy = (event: Event) => chat.copy(copied(answer), event)
  return html`<button type="button" class="action copy" aria-label=${copyAnswer} title=${copyAnswer} @click=${copy}>${icons.copy}${icons.check}</button>`
}

/** The button of a block of code. It has words and no drawing: all that an answer's text holds is text. */
export function renderCodeCopy(text: string, chat: EntryHost): TemplateResult {
  const { copy, copied } = chat.strings
  return html`<button type="button" class="copy" data-done=${copied} @click=${(event: Event) => chat.copy(text, event)}>${copy}</button>`
}

/** The answer as it is pasted: its Markdown, and the sources that it cites by number. */
function copied({ content, sources }: Answer): string {
  const cited = Object.values(sources).filter(
    ({ number, url, hidden }) => url && !hidden && content.includes(`[${number}]`),
  )
  const list = cited.map(({ number, title, url }) => `[${number}] ${title}: ${new URL(url, document.baseURI).href}`)
  return [content, list.join('\n')].filter(Boolean).join('\n\n')
}

function renderReasons(answer: Answer, chat: EntryHost): TemplateResult {
  const { strings } = chat
  const send = (event: SubmitEvent) => {
    event.preventDefault()
    const data = new FormData(event.target as HTMLFormElement)
    chat.explain(answer, `${data.get('reason') ?? 'reasonOther'}`, `${data.get('comment') ?? ''}`.trim())
  }
  return html`<form class="reasons" part="reasons" @submit=${send}>
    <fieldset><legend>${strings.whatWrong}</legend>
      ${REASONS.map((reason) => html`<label><input type="radio" name="reason" value=${reason}><span>${strings[reason]}</span></label>`)}
    </fieldset>
    <input class="comment" name="comment" maxlength=${COMMENT_CHARS} dir="auto" autocomplete="off" aria-label=${strings.tellMore} placeholder=${strings.tellMore}>
    <div class="choices"><button type="submit" class="primary">${strings.sendFeedback}</button
      ><button type="button" class="plain" @click=${() => chat.explain(answer)}>${strings.cancel}</button></div>
  </form>`
}
