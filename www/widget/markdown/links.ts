/** Which addresses an answer may link to. Everything that reaches an `href` in the widget passes here. */

const ALLOWED = new Set(['http:', 'https:', 'mailto:', 'tel:'])

export interface SafeLink {
  href: string
  /** Leads away from the page's own site. */
  foreign: boolean
}

/** The address as a link, or `null` when it is not http(s), mail, telephone or a path on this site. */
export function safeLink(href: string, base = document.baseURI): SafeLink | null {
  const address = href.trim()
  if (address === '' || !URL.canParse(address, base)) return null
  const url = new URL(address, base)
  if (!ALLOWED.has(url.protocol) || url.username || url.password) return null
  const web = url.protocol === 'http:' || url.protocol === 'https:'
  return { href: url.href, foreign: web && url.origin !== new URL(base).origin }
}
