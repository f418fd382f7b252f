/** `<pinpack-chat>`: the element that a page holds. It joins the conversation, the search, the dialog and the views. */

import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit'
import { announce } from './announce.ts'
import { copyText } from './clipboard.ts'
import { type Answer, type Answerer, Conversation, type Entry } from './conversation.ts'
import { isPhone, PanelDialog } from './dialog.ts'
import { findEvidence } from './evidence.ts'
import { postFeedback } from './feedback.ts'
import { FocusKeeper } from './focus.ts'
import { Follower } from './follow.ts'
import { type Engine, type LoadEngine, Retrieval } from './retrieval.ts'
import { ConversationStore } from './store.ts'
import { en, type Strings } from './strings/en.ts'
import { fill, languageOf, loadStrings, supported } from './strings/index.ts'
import { messageStyles } from './styles/messages.ts'
import { panelStyles } from './styles/panel.ts'
import { theme } from './styles/theme.ts'
import { post, type Transport } from './transport.ts'
import { CitationCard } from './view/card.ts'
import { renderPanel } from './view/panel.ts'
import { nextFrame, nextTask } from './yield.ts'

/** Entries that are drawn before the page may do something else. */
const ENTRIES_A_STEP = 6
/** How long a button says that it has copied, in milliseconds. */
const COPIED_MS = 1600

/** The chat. Attributes, properties, events, parts and custom properties: docs/widget.md. */
export class PinpackChat extends LitElement {
  static override styles = [theme, panelStyles, messageStyles]
  static override properties = {
    endpoint: {},
    base: {},
    name: {},
    mode: { reflect: true },
    theme: { reflect: true },
    lang: { noAccessor: true },
    inspect: { converter: (value: string | null) => value !== null && (value || true) },
    builtin: { type: Boolean },
    feedback: {},
    open: { type: Boolean, reflect: true },
    questions: {},
    contact: {},
    words: { attribute: false },
    strings: { state: true },
    draft: { state: true },
    following: { state: true },
    announcement: { state: true },
    inspecting: { state: true },
    drawn: { state: true },
  }

  declare endpoint: string
  declare base: string
  declare name: string
  declare mode: 'float' | 'inline' | 'page'
  declare theme: 'auto' | 'light' | 'dark'
  /** Whether there is a developer panel; an address is that of the proxy's `knowledge.json`, for the exact prompt. */
  declare inspect: boolean | string
  declare builtin: boolean
  /** Where ratings are posted. */
  declare feedback: string
  declare open: boolean
  declare questions: string
  declare contact: string
  /** Your own words, in place of some of those of the page's language. */
  declare words: Partial<Strings>
  declare strings: Strings
  declare draft: string
  declare following: boolean
  declare announcement: string
  declare inspecting: boolean
  /** How many entries are drawn, counted from the last: a long conversation comes back in steps, the end first. */
  declare drawn: number

  /** Loads the search engine. Set it before the first question to use another. */
  declare engine: LoadEngine
  /** Sends a request. Set it to add headers. */
  declare transport: Transport

  /** The card of the citation that the visitor looks at. */
  readonly card = new CitationCard(this)

  #conversation = new Conversation({
    endpoint: () => this.endpoint,
    builtin: () => this.#builtin(),
    retrieval: () => this.#retrieval(),
    transport: () => this.transport,
    changed: (answer) => this.#onChange(answer),
  })
  #dialog!: PanelDialog
  #search: Retrieval | undefined
  #prepared: Promise<void> | undefined
  #firstDrawn: Promise<void> | undefined
  #shown = false
  #site = ''
  #frame = 0
  #focus = new FocusKeeper(() => this.shadowRoot)
  #follower = new Follower(() => this.renderRoot.querySelector('.log'))

  constructor() {
    super()
    // A page may have set these before the element was defined.
    this.engine ??= () => import('../index.ts') as Promise<Engine>
    this.transport ??= post
    Object.assign(this, { endpoint: '', base: '/pinpack/', name: '', mode: 'float', theme: 'auto', inspect: false })
    Object.assign(this, { builtin: false, feedback: '', open: false, questions: '', contact: '', draft: '' })
    Object.assign(this, { following: true, announcement: '', inspecting: false, words: {}, strings: en, drawn: 0 })
  }

  // What the views read.

  get entries(): readonly Entry[] {
    return this.#conversation.entries
  }
  get busy(): boolean {
    return this.#conversation.busy
  }
  /** The panel opens over the page; otherwise it is a part of it. */
  get floats(): boolean {
    return this.mode !== 'inline' && this.mode !== 'page'
  }
  get inspects(): boolean {
    return this.inspect !== false
  }
  /** The language of the words shown. */
  get language(): string {
    return supported(languageOf(this))
  }
  get siteName(): string {
    return this.name || this.#site
  }
  get heading(): string {
    return fill(this.strings.title, { name: this.siteName || this.strings.thisSite })
  }
  get suggestions(): string[] {
    return this.questions
      .split('|')
      .map((question) => question.trim())
      .filter(Boolean)
  }

  // What a page may call.

  show = (): void => {
    this.open = true
  }
  close = (): void => {
    this.open = false
  }
  /** Asks a question, as if the visitor had typed it. Resolves when its answer has ended. */
  ask = (question: string): Promise<void> => {
    if (this.busy || question.trim() === '') return Promise.resolve()
    this.#follower.jump()
    this.#emit('question', { content: question })
    return this.#conversation.ask(question)
  }
  stop = (): void => this.#conversation.stop()
  retry = (): void => {
    this.#follower.jump()
    void this.#conversation.retry()
  }
  /** Starts a new conversation. */
  clear = (): void => {
    this.#conversation.clear()
    this.#store().save([])
    this.announcement = ''
    this.renderRoot.querySelector('textarea')?.focus()
  }

  // Life in the page.

  /** Keeps what the launcher has already drawn, when the script tag came first. */
  protected override createRenderRoot(): HTMLElement | DocumentFragment {
    const drawn = [...(this.shadowRoot?.adoptedStyleSheets ?? [])]
    const root = super.createRenderRoot() as ShadowRoot
    root.adoptedStyleSheets = [...drawn, ...root.adoptedStyleSheets]
    this.#dialog = new PanelDialog(root, { close: this.close, dismiss: this.card.hide })
    return root
  }

  override connectedCallback(): void {
    super.connectedCallback()
    this.#dialog.connect()
    addEventListener('pageshow', this.#onPageShow)
    void this.#loadStrings()
    void import('./launcher.ts').then(({ drawLauncher }) => drawLauncher(this))
    if (this.entries.length === 0) this.#conversation.entries = this.#store().load()
    this.#firstDrawn ??= this.#drawInSteps()
    // A dialog that leaves the page closes.
    if (this.hasUpdated && this.open) void this.#dialog.show(false)
  }

  /** The first drawing is not in the task that defines the element. */
  protected override async scheduleUpdate(): Promise<void> {
    if (!this.hasUpdated) await nextTask()
    super.scheduleUpdate()
  }

  /** First the panel alone, then what is in it, some entries a task. */
  async #drawInSteps(): Promise<void> {
    do {
      await this.updateComplete
      await nextTask()
      this.drawn += ENTRIES_A_STEP
    } while (this.drawn < this.entries.length)
    this.drawn = Number.POSITIVE_INFINITY
    await this.updateComplete
    await nextTask()
  }

  override attributeChangedCallback(name: string, old: string | null, value: string | null): void {
    super.attributeChangedCallback(name, old, value)
    if (name === 'lang' && this.hasUpdated) void this.#loadStrings()
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    this.#dialog.disconnect()
    this.card.hide()
    removeEventListener('pageshow', this.#onPageShow)
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('base') && this.hasUpdated) this.#search = this.#prepared = undefined
    if (changed.has('words') && this.hasUpdated) void this.#loadStrings()
    if (changed.has('inspect') && this.inspects && !isPhone()) this.toggleInspector()
    this.#follower.beforeChange()
    this.#focus.beforeChange()
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (changed.has('open')) void this.#onOpenChange(changed.get('open') !== undefined)
    if (changed.has('draft')) fitToText(this.renderRoot.querySelector('textarea'))
    this.#follower.afterChange()
    this.#focus.afterChange()
    this.card.place()
  }

  override render(): TemplateResult {
    const style = `panel ${this.inspecting ? 'inspecting' : ''}`
    const content = html`${renderPanel(this)}${this.inspecting ? this.#renderInspector() : nothing}`
    if (!this.floats)
      return html`<section class=${style} part="panel" aria-labelledby="title" lang=${this.language} @focusin=${this.#prepare}>${content}</section>`
    return html`<dialog class=${style} part="panel" aria-labelledby="title" tabindex="-1"
      lang=${this.language} @cancel=${this.#onCancel}>${content}</dialog>`
  }

  /** What is being typed is explained before it is sent; after that, what was sent. */
  #renderInspector(): TemplateResult {
    const draft = this.draft.trim()
    const said = this.#conversation.messages()
    const messages = draft ? [...said, { role: 'user' as const, content: draft }] : said
    return html`<pinpack-inspector part="inspector" .retrieval=${this.#retrieval()} .messages=${messages}
      .contact=${this.contact} .knowledge=${this.inspect === true ? '' : this.inspect}
      .answer=${draft ? undefined : this.#conversation.last} .phase=${this.#conversation.last?.status}></pinpack-inspector>`
  }

  // What the visitor does.

  onInput = (event: Event): void => {
    this.draft = (event.target as HTMLTextAreaElement).value
  }

  /** Enter sends, Shift+Enter breaks the line. An Enter that confirms an input method's word (229 in Safari) does neither. */
  onComposerKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing || event.keyCode === 229) return
    event.preventDefault()
    this.#send()
  }

  onSubmit = (event: Event): void => {
    event.preventDefault()
    this.#send()
  }

  onScroll = (): void => {
    this.following = this.#follower.atEnd
    this.card.hide()
  }

  follow = (): void => this.#follower.toEnd()

  copy = async (text: string, event: Event): Promise<void> => {
    const button = event.currentTarget as HTMLElement
    if (!(await copyText(text))) return
    button.dataset.copied = ''
    this.announcement = this.strings.copied
    setTimeout(() => delete button.dataset.copied, COPIED_MS)
  }

  /** A second press takes the rating back; a bad one asks why before it is told. */
  rate = (answer: Answer, value: 'up' | 'down'): void => {
    if (answer.feedback?.value === value) delete answer.feedback
    else answer.feedback = { value }
    if (answer.feedback?.value === 'up') this.#tell(answer)
    else this.#store().save(this.#conversation.entries)
    this.requestUpdate()
  }

  explain = (answer: Answer, reason = '', comment = ''): void => {
    answer.feedback = { value: 'down', reason, ...(comment && { comment }) }
    this.#tell(answer)
    this.requestUpdate()
  }

  /** The developer panel is its own piece of code: a visitor without it loads nothing of it. */
  toggleInspector = (): void => {
    this.inspecting = !this.inspecting
    if (this.inspecting) void import('./inspector.ts')
  }

  #send(): void {
    if (this.busy) return
    const question = this.draft
    this.draft = ''
    void this.ask(question)
  }

  #tell(answer: Answer): void {
    this.announcement = this.strings.thanks
    this.#store().save(this.#conversation.entries)
    this.#emit('feedback', answer)
    void postFeedback(this.feedback, answer)
  }

  #onCancel(event: Event): void {
    event.preventDefault()
    this.close()
  }

  /** `later`: not as the page began. Each step is a task of its own: showing lays the panel out, measuring it waits for that. */
  async #onOpenChange(later: boolean): Promise<void> {
    if (!later) await this.#firstDrawn
    if (this.floats) {
      if (this.open === this.#shown) return
      this.#shown = this.open
      if (!this.open) return this.#hide()
      await this.#show(later)
    }
    await nextFrame()
    this.#follower.watches = true
    this.#follower.toEnd()
    if (this.open) this.#prepare()
  }

  #show(later: boolean): Promise<void> {
    const launcher = this.renderRoot.querySelector<HTMLElement>('.launcher')
    const shown = this.#dialog.show(later || launcher?.dataset.pressed !== undefined)
    this.#emit('open')
    return shown
  }

  #hide(): void {
    this.card.hide()
    this.#dialog.hide()
    this.#emit('close')
  }

  /** Opening the panel starts the search engine, so that the first answer does not wait for it. */
  #prepare = (): void => {
    this.#prepared ??= this.#start()
  }

  async #start(): Promise<void> {
    if (!this.endpoint && !this.builtin)
      sayOnce('pinpack: no endpoint is set, so the chat answers with quotations from the site')
    const knowledge = await this.#retrieval().open()
    this.#site = knowledge?.stats.site ?? ''
    this.requestUpdate()
  }

  /** Back from the browser's page cache: the stream of a running answer is gone. */
  #onPageShow = (event: PageTransitionEvent): void => {
    if (event.persisted) this.#conversation.cut()
  }

  // What the conversation reports.

  #onChange(answer?: Answer): void {
    const running = answer?.status === 'streaming'
    if (!running) this.#onTurn(answer)
    if (!running || document.hidden) this.requestUpdate()
    else this.#frame ||= requestAnimationFrame(this.#drawFrame)
  }

  /** Streaming text is drawn once a frame, however fast it comes. */
  #drawFrame = (): void => {
    this.#frame = 0
    this.requestUpdate()
  }

  #onTurn(answer?: Answer): void {
    this.card.hide()
    if (!answer) return
    if (answer.status === 'waiting') {
      this.announcement = this.strings.answering
      this.#store().save(this.#conversation.entries)
    } else if (!this.busy) void this.#onEnd(answer)
  }

  /** Says the whole answer once, when it is complete; then looks for what its citations show. */
  async #onEnd(answer: Answer): Promise<void> {
    this.announcement = announce(answer, this.strings, this.language)
    this.#store().save(this.#conversation.entries)
    this.#emit(answer.status === 'failed' ? 'error' : 'answer', answer)
    await nextTask()
    const sources = await findEvidence(answer, this.#retrieval())
    if (!sources) return
    answer.sources = sources
    this.#store().save(this.#conversation.entries)
    this.requestUpdate()
  }

  #emit(name: string, detail?: unknown): void {
    this.dispatchEvent(new CustomEvent(`pinpack-${name}`, { detail, bubbles: true, composed: true }))
  }

  // Parts that are made when they are needed.

  #retrieval(): Retrieval {
    this.#search ??= new Retrieval(() => this.engine(), new URL(this.base, document.baseURI).href)
    return this.#search
  }

  async #builtin(): Promise<Answerer | undefined> {
    if (!this.builtin) return undefined
    const knowledge = await this.#retrieval().open()
    const { answerInBrowser, hasModel } = await import('./builtin.ts')
    const language = knowledge?.stats.language ?? ''
    if (!knowledge || !(await hasModel(language))) return undefined
    const site = { site: knowledge.stats.site, contact: this.contact, language }
    return (messages, signal) => answerInBrowser({ ...site, knowledge, messages, signal })
  }

  #store(): ConversationStore {
    return new ConversationStore(`pinpack:${new URL(this.base, document.baseURI).href}`)
  }

  async #loadStrings(): Promise<void> {
    this.strings = { ...(await loadStrings(this.language)), ...this.words }
  }
}

/** For browsers that do not size a field by its text themselves. */
function fitToText(field: HTMLTextAreaElement | null): void {
  if (!field || CSS.supports('field-sizing', 'content')) return
  field.style.blockSize = 'auto'
  field.style.blockSize = `${field.scrollHeight}px`
}

const said = new Set<string>()
function sayOnce(message: string): void {
  if (!said.has(message)) console.info(message)
  said.add(message)
}

/** Registers the element, once; on a server it does nothing. */
export function define(): void {
  if (typeof document !== 'undefined' && !customElements.get('pinpack-chat'))
    customElements.define('pinpack-chat', PinpackChat)
}
