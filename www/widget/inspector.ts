/**
 * `<pinpack-inspector>`: the owner's view of one question. Draws the budget, what was sent and why, what was left out, the
 * query's terms, whether the proxy's receipt says the same as the page's pack, and the prompt. Loaded only when it is opened.
 */

import { html, LitElement, nothing, type PropertyValues } from 'lit'
import { buildPrompt, type Prompt } from '../prompt.ts'
import type { ExplainedLeft, ExplainedSection, Explanation, Knowledge, Message } from '../types.ts'
import type { Answer } from './conversation.ts'
import { promptOf } from './prompting.ts'
import { type Comparison, compareReceipt } from './receipt.ts'
import type { Retrieval } from './retrieval.ts'
import { inspectorStyles } from './styles/inspector.ts'
import { theme } from './styles/theme.ts'

const MAX_LEFT = 40
const number = (value: number) => value.toLocaleString('en-US')
const score = (value: number) => (value > 0 ? value.toFixed(2) : '–')

export class PinpackInspector extends LitElement {
  static override styles = [theme, inspectorStyles]
  static override properties = {
    retrieval: { attribute: false },
    messages: { attribute: false },
    answer: { attribute: false },
    phase: { attribute: false },
    contact: { attribute: false },
    knowledge: { attribute: false },
    prompt: { state: true },
    explanation: { state: true },
    problem: { state: true },
  }

  declare retrieval: Retrieval | undefined
  declare messages: Message[]
  declare answer: Answer | undefined
  /** The answer's status: its receipt may have come. */
  declare phase: string | undefined
  declare contact: string
  /** Where the proxy's `knowledge.json` is, on the owner's machine; `''` when the page has no address of it. */
  declare knowledge: string
  declare explanation: Explanation | undefined
  declare prompt: Prompt | undefined
  declare problem: string

  #explained = ''
  #site = ''
  /** The prompt is made when it is looked at: until then no rule's text is fetched. */
  #looked = false
  #own: Promise<Knowledge | undefined> | undefined

  constructor() {
    super()
    Object.assign(this, { messages: [], problem: '', contact: '', knowledge: '' })
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('messages') || changed.has('retrieval')) void this.#explain()
  }

  async #explain(): Promise<void> {
    const asked = JSON.stringify(this.messages.filter(({ role }) => role === 'user'))
    if (asked === this.#explained) return
    this.#explained = asked
    const knowledge = await this.retrieval?.open()
    if (asked !== this.#explained) return
    try {
      this.problem = knowledge ? '' : `Search is off: ${this.retrieval?.error?.message ?? ''}`
      this.explanation = asked === '[]' ? undefined : knowledge?.explain(this.messages)
      this.#site = knowledge?.stats.site ?? ''
      await this.#showPrompt()
    } catch (thrown) {
      this.problem = `${thrown}`
    }
  }

  #onToggle = (event: Event): void => {
    this.#looked = (event.target as HTMLDetailsElement).open
    void this.#showPrompt()
  }

  async #showPrompt(): Promise<void> {
    const { explanation } = this
    const prompt = explanation && this.#looked ? await this.#promptOf(explanation) : undefined
    if (explanation === this.explanation) this.prompt = prompt
  }

  /** Exactly what the proxy sends, where its file can be had; else rules whose text is not public are named only. */
  async #promptOf(explanation: Explanation): Promise<Prompt | undefined> {
    this.#own ??= this.#load()
    const knowledge = await this.#own
    const ids = explanation.sections.filter(({ why }) => why !== 'pinned').map(({ id }) => id)
    if (knowledge?.hash === explanation.hash) return buildPrompt(knowledge, ids, this.messages)
    const about = { site: this.#site, contact: this.contact, language: '' }
    return promptOf(explanation, this.messages, about, ({ tokens }) => `(${tokens} tokens: this rule is not public)`)
  }

  async #load(): Promise<Knowledge | undefined> {
    if (!this.knowledge) return undefined
    return fetch(this.knowledge, { cache: 'no-cache' })
      .then((response) => (response.ok ? response.json() : undefined))
      .catch(() => undefined)
  }

  /** Sizes go in through the style object: a style attribute would need 'unsafe-inline' in the page's policy. */
  protected override updated(): void {
    for (const segment of this.renderRoot.querySelectorAll<HTMLElement>('[data-segment]')) {
      segment.style.flexGrow = segment.dataset.tokens ?? '0'
    }
  }

  override render() {
    return html`<section class="panel" tabindex="0" aria-label="Context inspector">
      <h2>What is sent</h2>
      ${this.problem ? html`<p class="problem" data-part="problem">${this.problem}</p>` : nothing}
      ${this.explanation ? renderExplanation(this.explanation) : this.problem ? nothing : html`<p class="hint">Type a question to see its pack.</p>`}
      ${this.answer ? renderReceipt(compareReceipt(this.answer)) : nothing}
      ${this.explanation ? renderLists(this.explanation) : nothing}
      ${this.explanation ? renderPrompt(this.prompt, this.#onToggle) : nothing}
    </section>`
  }
}

function renderExplanation(explanation: Explanation) {
  const { tokens, budget, hash, coverage } = explanation
  return html`
    <p class="total" data-part="total" data-tokens=${tokens} data-budget=${budget}>
      <strong>${number(tokens)}</strong> of ${number(budget)} tokens
    </p>
    ${renderBar(explanation)}
    <dl>
      <dt>Coverage</dt>
      <dd data-part="coverage" data-value=${coverage.value} data-level=${coverage.level}>
        <span class="level ${coverage.level}">${coverage.level}</span> ${coverage.value.toFixed(2)}
        ${coverage.missing.length > 0 ? html`<span class="hint">no section holds: ${coverage.missing.join(', ')}</span>` : nothing}
      </dd>
      <dt>Knowledge</dt><dd data-part="hash" data-hash=${hash}><code>${hash}</code></dd>
    </dl>`
}

/** The budget as a bar: pinned, scored, floor, free. */
function renderBar({ sections, tokens, budget }: Explanation) {
  const sum = (why: string) => sections.reduce((all, section) => all + (section.why === why ? section.tokens : 0), 0)
  const parts = [
    ...['pinned', 'scored', 'floor'].map((why) => [why, sum(why)] as const),
    ['free', budget - tokens] as const,
  ]
  return html`<div class="bar" data-part="bar" aria-hidden="true">${parts.map(
    ([kind, size]) => html`<span class=${kind} data-segment=${kind} data-tokens=${size}></span>`,
  )}</div>
    <ul class="legend">${parts.map(([kind, size]) => html`<li><i class=${kind}></i>${kind} <b>${number(size)}</b></li>`)}</ul>`
}

function renderReceipt({ state, problems, receipt }: Comparison) {
  const words = {
    match: 'The receipt is the same as this pack.',
    mismatch: 'The receipt differs from this pack.',
    none: 'No receipt: the proxy was not asked.',
  }
  return html`<div class="receipt ${state}" data-part="receipt" data-state=${state} data-tokens=${receipt?.tokens ?? nothing}
    data-hash=${receipt?.hash ?? nothing} data-ids=${receipt?.sections.map(({ id }) => id).join(',') ?? nothing}>
    <strong>${words[state]}</strong>
    ${receipt ? html`<span>${receipt.sections.length} sections, ${number(receipt.tokens)} of ${number(receipt.budget)} tokens, ${receipt.model === 'embedded' ? 'quoted without a model' : `by ${receipt.model}`}</span>` : nothing}
    ${problems.map((problem) => html`<span data-part="receipt-problem">${problem}</span>`)}
  </div>`
}

function renderLists({ sections, leftOut, terms }: Explanation) {
  return html`
    <h3>Sent <span>${sections.length}</span></h3>
    <ol class="sections">${sections.map(renderSent)}</ol>
    <h3>Query terms <span>${terms.length}</span></h3>
    <ul class="terms">${terms.map(
      ({ term, word, weight, idf, df, message }) => html`<li data-part="term" data-term=${term} data-df=${df}
        title="from “${word}”, ${message === 0 ? 'this message' : `${message} message before`}">
        <code>${term}</code> ×${weight.toFixed(2)} <span>idf ${idf.toFixed(2)}, in ${df}</span></li>`,
    )}</ul>
    <h3>Left out <span>${leftOut.length}</span></h3>
    <ol class="sections">${leftOut.slice(0, MAX_LEFT).map(renderLeft)}</ol>
    ${leftOut.length > MAX_LEFT ? html`<p class="hint">and ${leftOut.length - MAX_LEFT} more</p>` : nothing}`
}

function renderPrompt(prompt: Prompt | undefined, look: (event: Event) => void) {
  const turns = prompt?.messages.map(({ role, content }) => `\n[${role}]\n${content}\n`) ?? []
  const text = prompt ? `[system]\n${prompt.system}${turns.join('')}` : ''
  return html`<details class="prompt" data-part="prompt" data-tokens=${prompt?.tokensMax ?? nothing} @toggle=${look}>
    <summary>Prompt ${prompt ? html`<span>at most ${number(prompt.tokensMax)} tokens with its frame</span>` : nothing}</summary>
    <pre tabindex="0">${text}</pre>
  </details>`
}

function renderSent(section: ExplainedSection, index: number) {
  return html`<li data-part="sent" data-id=${section.id} data-ref=${section.ref} data-tokens=${section.tokens}
    data-why=${section.why} data-score=${section.score}>${renderRow(section, `${index + 1}`, section.why)}</li>`
}

function renderLeft(section: ExplainedLeft) {
  return html`<li data-part="left" data-id=${section.id} data-ref=${section.ref} data-tokens=${section.tokens}
    data-reason=${section.reason}>${renderRow(section, '', section.reason)}</li>`
}

/** One line; a section with a score opens to the parts of it. */
function renderRow(section: ExplainedSection | ExplainedLeft, place: string, why: string) {
  const { title, ref, parts, tokens } = section
  const line = html`<span class="number">${place}</span><span class="title" title=${ref}>${title || ref}</span>
    <span class="why ${why}">${why}</span><span class="figure">${score(section.score)}</span><span class="figure">${number(tokens)}</span>`
  if (parts.length === 0) return html`<div class="row">${line}</div>`
  const widest = Math.max(...parts.map((part) => part.score))
  return html`<details><summary class="row">${line}</summary>
    <ul class="parts">${parts.map(
      (
        part,
      ) => html`<li data-part="score"><code>${part.term}</code><meter min="0" max=${widest} value=${part.score} aria-label=${part.term}></meter
        ><span class="figure">${part.score.toFixed(2)}</span><span class="figure">tf ${part.tf}</span></li>`,
    )}</ul></details>`
}

if (!customElements.get('pinpack-inspector')) customElements.define('pinpack-inspector', PinpackInspector)
