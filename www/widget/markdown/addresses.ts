/** Bare web and mail addresses in an answer's text become links. */

import type { Inline } from './inlines.ts'

const ADDRESS = /\bhttps?:\/\/[^\s<>"]{1,2000}|(?<![\w.+-])[\w.+-]{1,64}@[a-z\d-]{1,63}(?:\.[a-z\d-]{1,63}){1,4}/gi

/** Makes links of bare web and mail addresses. One that the arriving text may still lengthen waits. */
export function linkAddresses(inlines: Inline[], open: boolean): Inline[] {
  return inlines.flatMap((inline, index) => {
    if (inline.type === 'link' || inline.type === 'cite' || inline.type === 'code' || inline.type === 'break')
      return [inline]
    const growing = open && index === inlines.length - 1
    if (inline.type === 'text') return splitAddresses(inline.text, growing)
    return [{ ...inline, children: linkAddresses(inline.children, growing) }]
  })
}

function splitAddresses(text: string, open: boolean): Inline[] {
  const out: Inline[] = []
  let from = 0
  for (const match of text.matchAll(ADDRESS)) {
    const address = trimAddress(match[0])
    const end = match.index + address.length
    if (open && match.index + match[0].length === text.length) break
    if (match.index > from) out.push({ type: 'text', text: text.slice(from, match.index) })
    const href = /^https?:/i.test(address) ? address : `mailto:${address}`
    out.push({ type: 'link', href, children: [{ type: 'text', text: address }] })
    from = end
  }
  if (from < text.length) out.push({ type: 'text', text: text.slice(from) })
  return out
}

/** Punctuation after an address belongs to the sentence; so does a `)` that the address did not open. */
function trimAddress(address: string): string {
  let end = address.length
  while (end > 0) {
    const last = address[end - 1] as string
    const unmatched = last === ')' && count(address, '(', end) < count(address, ')', end)
    if (!unmatched && !".,:;!?'*_~".includes(last)) break
    end -= 1
  }
  return address.slice(0, end)
}

function count(text: string, mark: string, end: number): number {
  return text.slice(0, end).split(mark).length - 1
}
