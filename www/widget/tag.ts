/**
 * The script tag: `<script type="module" src="/pinpack/pinpack.js" data-endpoint="/api/chat"></script>`.
 *
 * Finds its own element, reads the options from its `data-` attributes and hands them to the launcher. It stays one
 * block without static imports or top-level names, so that the same file also runs as a classic script, async, deferred,
 * or several times.
 */

import type { TagOptions } from './launcher.ts'

if (typeof document !== 'undefined') {
  const OPTIONS = [
    ...['endpoint', 'base', 'name', 'mode', 'theme', 'lang', 'inspect', 'open', 'questions', 'contact'],
    ...['builtin', 'feedback'],
  ]

  /** The script's element. `document.currentScript` is null in a module, so the others are found by what they look like. */
  const findScript = (): HTMLScriptElement | null => {
    const current = document.currentScript
    if (current instanceof HTMLScriptElement) return current
    const scripts = [...document.scripts]
    const named = scripts.filter((script) => /\/pinpack\.js$/.test(script.src.split(/[?#]/)[0] ?? ''))
    const marked = (script: HTMLScriptElement) => 'endpoint' in script.dataset || 'pinpack' in script.dataset
    return named.find(marked) ?? named[0] ?? scripts.find(marked) ?? null
  }

  const readOptions = (script: HTMLScriptElement | null): TagOptions => {
    const options: TagOptions = {}
    for (const name of OPTIONS) {
      const value = script?.dataset[name]
      if (value !== undefined) options[name] = value
    }
    options.base ??= script?.src ? new URL('.', script.src).href : '/pinpack/'
    return options
  }

  /** Two tasks: the code is evaluated, the page goes on, the element is made. */
  const loadWidget = async () => {
    const { define } = await import('./widget.ts')
    await new Promise((resolve) => setTimeout(resolve))
    define()
  }
  const options = readOptions(findScript())
  import('./launcher.ts').then(
    ({ mount }) => mount(options, loadWidget),
    (cause) => console.error('pinpack: the chat launcher could not be loaded; upload the whole pinpack folder', cause),
  )
}
