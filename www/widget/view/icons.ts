/** Icons, 24 units square, drawn in the text's color. `directed` ones are mirrored in right-to-left languages. */
import { svg, type TemplateResult } from 'lit'

const icon = (path: TemplateResult, directed = false) =>
  svg`<svg viewBox="0 0 24 24" aria-hidden="true" class=${directed ? 'directed' : ''}>${path}</svg>`

export const icons = {
  close: icon(svg`<path d="M6 6l12 12M18 6L6 18"/>`),
  fresh: icon(svg`<path d="M12 5v14M5 12h14"/>`),
  inspect: icon(svg`<path d="M4 19V9M10 19V5M16 19v-7M22 19H2"/>`),
  send: icon(svg`<path d="M12 19V5M6 11l6-6 6 6"/>`),
  stop: icon(svg`<rect x="7.5" y="7.5" width="9" height="9" rx="1.5" fill="currentColor"/>`),
  retry: icon(svg`<path d="M19.5 12a7.5 7.5 0 1 1-2.2-5.3L20 9.3M20 4v5.3h-5.3"/>`),
  down: icon(svg`<path d="M12 5v14M6 13l6 6 6-6"/>`),
  go: icon(svg`<path d="M5 12h14M13 6l6 6-6 6"/>`, true),
  alert: icon(svg`<circle cx="12" cy="12" r="9"/><path d="M12 7.5v5.5M12 16.3v.1"/>`),
  copy: icon(
    svg`<rect x="9" y="9" width="11" height="11" rx="2.5"/><path d="M15 6V6a2 2 0 0 0-2-2H6a2 2 0 0 0-2 2v7a2 2 0 0 0 2 2"/>`,
  ),
  check: icon(svg`<path d="M5 12.5l4.5 4.5L19 7.5"/>`),
  up: icon(
    svg`<path d="M7 11v9H4v-9zM7 11l4-7.5c1.5 0 2.6 1.2 2.3 2.7L12.8 9.5H18a2.2 2.2 0 0 1 2.2 2.6l-1.1 6A2.2 2.2 0 0 1 16.9 20H7"/>`,
  ),
  worse: icon(
    svg`<path d="M17 13V4h3v9zM17 13l-4 7.5c-1.5 0-2.6-1.2-2.3-2.7L11.2 14.5H6a2.2 2.2 0 0 1-2.2-2.6l1.1-6A2.2 2.2 0 0 1 7.1 4H17"/>`,
  ),
  nothing: icon(svg`<circle cx="11" cy="11" r="6.5"/><path d="M16 16l4.5 4.5M8.8 11h4.4"/>`),
  mark: icon(
    svg`<path d="M12 4c-4.7 0-8.5 3.1-8.5 7.1 0 2.2 1.2 4.2 3.1 5.5-.1 1-.6 2-1.4 2.9 1.8-.2 3.3-.9 4.5-1.7.7.1 1.5.2 2.3.2 4.7 0 8.5-3.1 8.5-6.9S16.7 4 12 4Z"/><path d="M9 11.1h6"/>`,
  ),
}
