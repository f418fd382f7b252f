/** The panel around the conversation: header, empty state, message list, composer. */

import { html, nothing, type TemplateResult } from 'lit'
import { type Entry, MESSAGE_CHARS } from '../conversation.ts'
import { directionOf, fill } from '../strings/index.ts'
import type { PinpackChat } from '../widget.ts'
import { renderEntry } from './answer.ts'
import { icons } from './icons.ts'

export function renderPanel(chat: PinpackChat): TemplateResult {
  return html`<div class="chat" dir=${directionOf(chat.language)}>
    ${renderHeader(chat)}
    <div class="view">
      <div class="log" part="log" tabindex="0" role="region" aria-label=${chat.strings.conversation} @scroll=${chat.onScroll}>
        <div class="column">${chat.drawn === 0 ? nothing : chat.entries.length === 0 ? renderEmpty(chat) : renderEntries(chat)}</div>
      </div>
      ${
        chat.following
          ? nothing
          : html`<button type="button" class="latest" aria-label=${chat.strings.latest} @click=${chat.follow}>${icons.down}</button>`
      }
      ${chat.card.render()}
    </div>
    ${renderComposer(chat)}
    <div class="unseen" role="status" part="status">${chat.announcement}</div>
  </div>`
}

function renderHeader(chat: PinpackChat): TemplateResult {
  const { strings } = chat
  const tool = (label: string, icon: unknown, act: () => void, pressed: boolean | typeof nothing = nothing) =>
    html`<button type="button" class="tool" aria-label=${label} title=${label} aria-pressed=${pressed} @click=${act}>${icon}</button>`
  return html`<div class="header" part="header">
    <span class="mark">${icons.mark}</span>
    <div class="titles"><h2 id="title">${chat.heading}</h2><p class="subtitle">${strings.subtitle}</p></div>
    <div class="tools">
      ${chat.inspects ? tool(strings.inspect, icons.inspect, chat.toggleInspector, chat.inspecting) : nothing}
      ${chat.entries.length > 0 ? tool(strings.newChat, icons.fresh, chat.clear) : nothing}
      ${chat.floats ? tool(strings.close, icons.close, chat.close) : nothing}
    </div>
  </div>`
}

function renderEmpty(chat: PinpackChat): TemplateResult {
  const { strings, siteName } = chat
  return html`<div class="empty" part="empty">
    <h3>${strings.emptyTitle}</h3>
    <p>${fill(strings.emptyText, { name: siteName || strings.thisSite })}</p>
    ${
      chat.suggestions.length > 0
        ? html`<div class="questions" part="suggestions">${chat.suggestions.map(
            (question) =>
              html`<button type="button" class="question" @click=${() => chat.ask(question)}><span dir="auto">${question}</span>${icons.go}</button>`,
          )}</div>`
        : nothing
    }
  </div>`
}

function renderEntries(chat: PinpackChat): TemplateResult {
  const last = chat.entries.length - 1
  const draw = (entry: Entry, index: number) =>
    last - index < chat.drawn
      ? renderEntry(entry, { chat, index, retry: index === last && !chat.busy ? chat.retry : undefined })
      : nothing
  return html`<ol>${chat.entries.map(draw)}</ol>`
}

function renderComposer(chat: PinpackChat): TemplateResult {
  const { strings, busy } = chat
  const empty = chat.draft.trim() === ''
  return html`<form class="composer column" part="composer" @submit=${chat.onSubmit}>
    <div class="box">
      <textarea rows="1" dir=${chat.draft ? 'auto' : directionOf(chat.language)} enterkeyhint="send" autocomplete="off" maxlength=${MESSAGE_CHARS} part="input"
        aria-label=${strings.placeholder} placeholder=${strings.placeholder} .value=${chat.draft}
        @input=${chat.onInput} @keydown=${chat.onComposerKey}></textarea>
      ${
        busy
          ? html`<button type="button" class="send" part="stop" aria-label=${strings.stop} title=${strings.stop} @click=${chat.stop}>${icons.stop}</button>`
          : html`<button type="submit" class="send" part="send" aria-label=${strings.send} title=${strings.send} aria-disabled=${empty}>${icons.send}</button>`
      }
    </div>
    <p class="footnote">${strings.footnote}</p>
  </form>`
}
