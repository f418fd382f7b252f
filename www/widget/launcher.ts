/**
 * The round button that opens the chat. Plain DOM, so that it is on the page before anything heavy is: the widget itself
 * is loaded when the visitor shows intent (pointer over the button, focus, a press).
 */

/** Options of the script tag, by the name of the element's attribute. */
export type TagOptions = Record<string, string>
/** Loads the code that defines `<pinpack-chat>`. */
export type LoadWidget = () => Promise<unknown>

const TAG_NAME = 'pinpack-chat'
/** The words `open` of each language: the words themselves are loaded later. */
const OPEN_LABELS: Record<string, string> = {
  ar: 'فتح المحادثة',
  de: 'Chat öffnen',
  en: 'Open chat',
  es: 'Abrir el chat',
  fr: 'Ouvrir le chat',
  he: 'פתיחת הצ׳אט',
  hi: 'चैट खोलें',
  id: 'Buka obrolan',
  it: 'Apri la chat',
  ja: 'チャットを開く',
  ko: '채팅 열기',
  nl: 'Chat openen',
  pl: 'Otwórz czat',
  pt: 'Abrir o chat',
  ru: 'Открыть чат',
  tr: 'Sohbeti aç',
  uk: 'Відкрити чат',
  zh: '打开聊天',
}
const ICON =
  'M12 3.5c-5 0-9 3.4-9 7.7 0 2.4 1.3 4.6 3.4 6-.1 1-.6 2.1-1.5 3 1.9-.2 3.5-.9 4.7-1.8.8.1 1.6.2 2.4.2 5 0 9-3.2 9-7.4S17 3.5 12 3.5Z'

const CSS = `
:host { all: initial; color-scheme: light dark; }
:host([hidden]) { display: none !important; }
:host([mode='inline']) { display: block; block-size: min(var(--pinpack-height, 640px), 100dvh); }
:host([mode='page']) { display: block; block-size: 100dvh; }
:host([theme='light']) { color-scheme: light; }
:host([theme='dark']) { color-scheme: dark; }
.launcher {
  all: initial; position: fixed; inset-block-end: max(20px, env(safe-area-inset-bottom)); inset-inline-end: 20px;
  z-index: var(--pinpack-z-index, 2147483000); box-sizing: border-box; inline-size: 56px; block-size: 56px;
  display: grid; place-items: center; border-radius: 50%; cursor: pointer; touch-action: manipulation;
  color: var(--pinpack-on-accent, #fff); background: var(--pinpack-accent, #3153d8);
  box-shadow: 0 1px 2px rgb(16 20 40 / .18), 0 8px 24px -4px rgb(16 20 40 / .28);
  transition: transform .2s cubic-bezier(.2, .9, .3, 1.2), box-shadow .2s;
}
.launcher:hover { transform: scale(1.06); }
.launcher:active { transform: scale(.96); }
.launcher:focus-visible { outline: 3px solid var(--pinpack-accent, #3153d8); outline-offset: 3px; }
.launcher[hidden] { display: none; }
.unloaded {
  all: initial; color-scheme: inherit; position: fixed; inset-block-end: max(26px, env(safe-area-inset-bottom)); inset-inline-end: 88px; z-index: var(--pinpack-z-index, 2147483000);
  max-inline-size: min(240px, 100vw - 120px); padding: 10px 14px; border-radius: 12px; font: 14px/1.4 var(--pinpack-font, system-ui, sans-serif);
  color: light-dark(#191c24, #e8eaf0); background: light-dark(#fff, #242832); box-shadow: 0 0 0 1px rgb(128 132 150 / .3), 0 8px 24px -4px rgb(16 20 40 / .28);
}
.launcher svg { inline-size: 30px; block-size: 30px; fill: currentColor; pointer-events: none; }
.launcher.loading svg { animation: pinpack-breathe 1s ease-in-out infinite alternate; }
@keyframes pinpack-breathe { to { opacity: .4; transform: scale(.86); } }
@media (prefers-reduced-motion: reduce) { .launcher, .launcher svg { transition: none; animation: none !important; } }
@media (forced-colors: active) { .launcher { border: 2px solid ButtonText; color: ButtonText; background: ButtonFace; } }
@media print { :host(:not([mode='inline'], [mode='page'])) { display: none !important; } }
`

/** Puts one `<pinpack-chat>` into the page if it has none, and a launcher into each. Calling it again does no harm. */
export function mount(options: TagOptions, load: LoadWidget): void {
  // An async script may run before the page's own element has been read.
  if (document.readyState !== 'loading') mountNow(options, load)
  else document.addEventListener('DOMContentLoaded', () => mountNow(options, load), { once: true })
}

function mountNow(options: TagOptions, load: LoadWidget): void {
  if (document.querySelector(TAG_NAME)) {
    adoptAll(options, load)
    watchForMore(options, load)
    return
  }
  const element = document.createElement(TAG_NAME)
  adopt(element, options, load)
  document.body.append(element)
  keepInPage(element)
}

function adoptAll(options: TagOptions, load: LoadWidget): void {
  for (const element of document.querySelectorAll<HTMLElement>(TAG_NAME)) adopt(element, options, load)
}

/** Elements that have their options and their button. */
const adopted = new WeakSet<HTMLElement>()

function adopt(element: HTMLElement, options: TagOptions, load: LoadWidget): void {
  if (adopted.has(element)) return
  adopted.add(element)
  for (const [name, value] of Object.entries(options)) {
    if (!element.hasAttribute(name)) element.setAttribute(name, value)
  }
  drawLauncher(element, load)
  if (isPart(element)) loadWhenSeen(element, load)
  else if (element.hasAttribute('open')) void element.shadowRoot?.querySelector<Launcher>('.launcher')?.preload?.()
}

/** A router's next page may bring its own element: it gets the same options. */
function watchForMore(options: TagOptions, load: LoadWidget): void {
  if (watched) return
  watched = true
  const holds = (node: Node) => node instanceof Element && (node.localName === TAG_NAME || node.querySelector(TAG_NAME))
  const brings = ({ addedNodes }: MutationRecord) => [...addedNodes].some(holds)
  new MutationObserver((records) => records.some(brings) && adoptAll(options, load)).observe(document.documentElement, {
    childList: true,
    subtree: true,
  })
}
let watched = false

/** A panel that is a part of the page has no button. */
const isPart = (element: Element) => /^(?:inline|page)$/.test(element.getAttribute('mode') ?? '')

/** It is loaded when it is about to come into view. */
function loadWhenSeen(element: HTMLElement, load: LoadWidget): void {
  const observer = new IntersectionObserver(
    (entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return
      observer.disconnect()
      load().catch((cause) =>
        console.error('pinpack: the chat could not be loaded; upload the whole pinpack folder', cause),
      )
    },
    { rootMargin: '200px' },
  )
  observer.observe(element)
}

/** Puts the element back, with its conversation, when a router swaps the body or all of its content. */
function keepInPage(element: HTMLElement): void {
  const restore = () => {
    if (element.isConnected || !document.body || document.querySelector(TAG_NAME)) return
    document.body.append(element)
    watchBody()
  }
  const swapped = (records: MutationRecord[]) => records.some(({ removedNodes }) => removedNodes.length > 1)
  const body = new MutationObserver((records) => swapped(records) && restore())
  const watchBody = () => body.observe(document.body, { childList: true })
  new MutationObserver(restore).observe(document.documentElement, { childList: true })
  watchBody()
}

/** Roots that have the style sheet, and the button if they need one. */
const drawn = new WeakSet<ShadowRoot>()

type Launcher = HTMLButtonElement & { preload?: () => Promise<void> }

/** Draws the button into the element's shadow root, once. `load` is left out when the element is already defined. */
export function drawLauncher(element: HTMLElement, load?: LoadWidget): void {
  const root = element.shadowRoot ?? element.attachShadow({ mode: 'open' })
  if (drawn.has(root)) return
  drawn.add(root)
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(CSS)
  root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet]
  if (isPart(element)) return
  const button = createButton(element)
  root.append(button)
  button.addEventListener('click', () => {
    button.dataset.pressed = ''
    element.toggleAttribute('open')
  })
  if (load) preloadOnIntent(element, button, load)
}

/** What the button is called in a language, given as a BCP 47 tag; in English where we do not speak it. */
export function openLabel(language: string): string {
  const primary = language.toLowerCase().split(/[-_]/)[0] as string
  return (Object.hasOwn(OPEN_LABELS, primary) && OPEN_LABELS[primary]) || (OPEN_LABELS.en as string)
}

function createButton(element: HTMLElement): Launcher {
  const button: Launcher = document.createElement('button')
  button.type = 'button'
  button.className = 'launcher'
  button.setAttribute('part', 'launcher')
  button.setAttribute('aria-haspopup', 'dialog')
  button.setAttribute('aria-expanded', 'false')
  const language = element.closest('[lang]')?.getAttribute('lang') || navigator.language
  button.setAttribute('aria-label', openLabel(language))
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg')
  svg.setAttribute('viewBox', '0 0 24 24')
  svg.setAttribute('aria-hidden', 'true')
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path')
  path.setAttribute('d', ICON)
  svg.append(path)
  button.append(svg)
  return button
}

const FAILED = 'The chat could not be loaded. Check the connection and press again.'

/** Words beside the button, for the eye and for a screen reader. Those of other languages are in files that may be missing as well. */
function say(button: HTMLElement, words: string): void {
  const note = document.createElement('div')
  note.className = 'unloaded'
  note.lang = 'en'
  note.setAttribute('role', 'status')
  button.after(note)
  note.textContent = words
}

/** Loads the widget at the first sign of interest. A failed load is said, and tried again at the next press. */
function preloadOnIntent(element: HTMLElement, button: Launcher, load: LoadWidget): void {
  let loading: Promise<void> | undefined
  const start = async () => {
    button.classList.add('loading')
    element.shadowRoot?.querySelector('.unloaded')?.remove()
    try {
      await load()
    } catch (cause) {
      loading = undefined
      element.removeAttribute('open')
      say(button, FAILED)
      console.error('pinpack: the chat could not be loaded; upload the whole pinpack folder', cause)
    }
    button.classList.remove('loading')
  }
  const preload = () => {
    loading ??= start()
    return loading
  }
  button.preload = preload
  for (const intent of ['pointerenter', 'focus', 'pointerdown', 'click']) {
    button.addEventListener(intent, () => void preload(), { passive: true })
  }
}
