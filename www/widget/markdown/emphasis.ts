/** Emphasis: pairs the runs of `*`, `_` and `~` that a scan has found (CommonMark's "process emphasis"). */

import { linkAddresses } from './addresses.ts'
import type { Inline } from './inlines.ts'

/** A run of `*`, `_` or `~` that may open or close emphasis. */
export interface Run {
  type: 'run'
  mark: string
  length: number
  opens: boolean
  closes: boolean
}
/** An opening bracket that may become a link. */
export interface Bracket {
  type: 'bracket'
  image: boolean
}
export type Piece = Inline | Run | Bracket

/** Pairs emphasis runs, turns what is left into text and finds bare addresses. */
export function joinPieces(pieces: Piece[], open: boolean): Inline[] {
  const out: Piece[] = []
  for (const piece of pieces) {
    out.push(piece)
    if (piece.type === 'run' && piece.closes) pairUp(out)
  }
  if (open) closeOpeners(out)
  return linkAddresses(mergeText(out.map(toInline)), open)
}

/** The last piece closes: joins it with the nearest openers before it for as long as both have marks left. */
function pairUp(out: Piece[]): void {
  const closer = out.pop() as Run
  let at = findOpener(out, closer)
  while (closer.length > 0 && at >= 0) {
    const opener = out[at] as Run
    const used = opener.length >= 2 && closer.length >= 2 ? 2 : 1
    wrap(out, at, closer.mark, used)
    opener.length -= used
    closer.length -= used
    if (opener.length === 0) out.splice(at, 1)
    at = findOpener(out, closer)
  }
  if (closer.length > 0) out.push(closer)
}

function findOpener(out: Piece[], closer: Run): number {
  for (let at = out.length - 1; at >= 0; at -= 1) {
    const piece = out[at] as Piece
    if (piece.type !== 'run' || piece.mark !== closer.mark || !piece.opens) continue
    const both = piece.closes || closer.opens
    if (both && (piece.length + closer.length) % 3 === 0 && (piece.length % 3 || closer.length % 3)) continue
    return at
  }
  return -1
}

function wrap(out: Piece[], at: number, mark: string, used: number): void {
  const children = mergeText(out.splice(at + 1).map(toInline))
  const type = mark === '~' ? 'del' : used === 2 ? 'strong' : 'em'
  out.push({ type, children })
}

/** Closes what the arriving text has opened, innermost first. */
function closeOpeners(out: Piece[]): void {
  for (let at = out.length - 1; at >= 0; at -= 1) {
    const piece = out[at] as Piece
    if (piece.type !== 'run' || !piece.opens) continue
    wrap(out, at, piece.mark, Math.min(piece.length, 2))
    out.splice(at, 1)
  }
}

function toInline(piece: Piece): Inline {
  if (piece.type === 'run') return { type: 'text', text: piece.mark.repeat(piece.length) }
  if (piece.type === 'bracket') return { type: 'text', text: piece.image ? '![' : '[' }
  return piece
}

function mergeText(inlines: Inline[]): Inline[] {
  const merged: Inline[] = []
  for (const inline of inlines) {
    const last = merged.at(-1)
    if (inline.type === 'text' && last?.type === 'text')
      merged[merged.length - 1] = { ...last, text: last.text + inline.text }
    else merged.push(inline)
  }
  return merged
}
