/** `<pinpack-chat>`: the element that a page holds. It joins the conversation, the search, the dialog and the views. */

import { html, LitElement, nothing, type PropertyValues } from 'lit'
import { announce } from './announce.ts'
import { type Answer, Conversation, type Entry } from './conversation.ts'
import { isPhone, PanelDialog } from './dialog.ts'
import { Follower } from './follow.ts'
import { type Engine, type LoadEngine, Retrieval } from './retrieval.ts'
import { ConversationStore } from './store.ts'
import { en, type Strings } from './strings/en.ts'
import { fill, languageOf, loadStrings, supported } from './strings/index.ts'
import { messageStyles } from './styles/messages.ts'
import { panelStyles } from './styles/panel.ts'
import { theme } from './styles/theme.ts'
import { post, type Transport } from './transport.ts'
import { renderPanel } from './view/panel.ts'

/** The chat. Attributes, properties, events, parts and custom properties: docs/widget.md. */
export class PinpackChat extends LitElement {
  static override styles = [theme, panelStyles, messageStyles]
  static override properties = {
    endpoint: {},
    base: {},
    name: {},
    theme: { reflect: true },
    lang: { noAccessor: true },
    inspect: { type: Boolean },
    open: { type: Boolean, reflect: true },
    questions: {},
    contact: {},
    words: { attribute: false },
    strings: { state: true },
    draft: { state: true },
    following: { state: true },
    announcement: { state: true },
    inspecting: { state: true },
  }

  declare endpoint: string
  declare base: string
  declare name: string
  declare theme: 'auto' | 'light' | 'dark'
  declare inspect: boolean
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

  /** Loads the search engine. Set it before the first question to use another. */
  declare engine: LoadEngine
  /** Sends a request. Set it to add headers. */
  declare transport: Transport

  #conversation = new Conversation({
    endpoint: () => this.endpoint,
    retrieval: () => this.#retrieval(),
    transport: () => this.transport,
    changed: (answer) => this.#onChange(answer),
  })
  #dialog!: PanelDialog
  #search: Retrieval | undefined
  #site = ''
  #frame = 0
  #follower = new Follower(() => this.renderRoot.querySelector('.log'))

  constructor() {
    super()
    // A page may have set these before the element was defined.
    this.engine ??= () => import('../index.ts') as Promise<Engine>
    this.transport ??= post
    Object.assign(this, { endpoint: '', base: '/pinpack/', name: '', theme: 'auto', inspect: false, open: false })
    Object.assign(this, {
      questions: '',
      contact: '',
      draft: '',
      following: true,
      announcement: '',
      inspecting: false,
      words: {},
      strings: en,
    })
  }

  // What the views read.

  get entries(): readonly Entry[] {
    return this.#conversation.entries
  }
  get busy(): boolean {
    return this.#conversation.busy
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
    this.#dialog = new PanelDialog(root, this.close)
    return root
  }

  override connectedCallback(): void {
    super.connectedCallback()
    this.#dialog.connect()
    addEventListener('pageshow', this.#onPageShow)
    void this.#loadStrings()
    void import('./launcher.ts').then(({ drawLauncher }) => drawLauncher(this))
    if (this.entries.length === 0) this.#conversation.entries = this.#store().load()
    // A dialog that leaves the page closes.
    if (this.hasUpdated && this.open) this.#dialog.show(false)
  }

  override attributeChangedCallback(name: string, old: string | null, value: string | null): void {
    super.attributeChangedCallback(name, old, value)
    if (name === 'lang' && this.hasUpdated) void this.#loadStrings()
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    this.#dialog.disconnect()
    removeEventListener('pageshow', this.#onPageShow)
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('base') && this.hasUpdated) this.#search = undefined
    if (changed.has('words') && this.hasUpdated) void this.#loadStrings()
    if (changed.has('inspect') && this.inspect && !isPhone()) this.toggleInspector()
    this.#follower.beforeChange()
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (changed.has('open')) this.#onOpenChange(changed.get('open') !== undefined)
    this.#follower.afterChange()
  }

  override render() {
    return html`<dialog class="panel ${this.inspecting ? 'inspecting' : ''}" part="panel" aria-labelledby="title" tabindex="-1"
      lang=${this.language} @cancel=${this.#onCancel}>
      ${renderPanel(this)}
      ${this.inspecting ? this.#renderInspector() : nothing}
    </dialog>`
  }

  /** What is being typed is explained before it is sent; after that, what was sent. */
  #renderInspector() {
    const draft = this.draft.trim()
    const said = this.#conversation.messages()
    const messages = draft ? [...said, { role: 'user' as const, content: draft }] : said
    return html`<pinpack-inspector part="inspector" .retrieval=${this.#retrieval()} .messages=${messages}
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
  }

  follow = (): void => this.#follower.toEnd()

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

  #onCancel(event: Event): void {
    event.preventDefault()
    this.close()
  }

  #onOpenChange(later: boolean): void {
    if (!this.open) {
      if (!later) return
      this.#dialog.hide()
      this.#emit('close')
      return
    }
    const launcher = this.renderRoot.querySelector<HTMLElement>('.launcher')
    this.#dialog.show(later || launcher?.dataset.pressed !== undefined)
    this.#follower.toEnd()
    void this.#prepare()
    this.#emit('open')
  }

  /** Opening the panel starts the search engine, so that the first answer does not wait for it. */
  async #prepare(): Promise<void> {
    if (!this.endpoint) sayOnce('pinpack: no endpoint is set, so the chat answers with quotations from the site')
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
    if (!answer) return
    if (answer.status === 'waiting') this.announcement = this.strings.answering
    else if (!this.busy) this.#onEnd(answer)
  }

  /** Says the whole answer once, when it is complete. */
  #onEnd(answer: Answer): void {
    this.announcement = announce(answer, this.strings)
    this.#store().save(this.#conversation.entries)
    this.#emit(answer.status === 'failed' ? 'error' : 'answer', answer)
  }

  #emit(name: string, detail?: unknown): void {
    this.dispatchEvent(new CustomEvent(`pinpack-${name}`, { detail, bubbles: true, composed: true }))
  }

  // Parts that are made when they are needed.

  #retrieval(): Retrieval {
    this.#search ??= new Retrieval(() => this.engine(), new URL(this.base, document.baseURI).href)
    return this.#search
  }

  #store(): ConversationStore {
    return new ConversationStore(`pinpack:${new URL(this.base, document.baseURI).href}`)
  }

  async #loadStrings(): Promise<void> {
    this.strings = { ...(await loadStrings(this.language)), ...this.words }
  }
}

const said = new Set<string>()
function sayOnce(message: string): void {
  if (!said.has(message)) console.info(message)
  said.add(message)
}

if (typeof document !== 'undefined' && !customElements.get('pinpack-chat'))
  customElements.define('pinpack-chat', PinpackChat)
