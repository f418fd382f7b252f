/** Filters that watch an answer for a text as it streams. Pieces can be cut anywhere: the result is the same. */

/** Takes a marker out of a text, and remembers that it was there. */
export interface MarkerFilter {
  /** Gives what can be sent; what may be the beginning of a marker is held back until more is known. */
  push(piece: string): string
  end(): string
  readonly found: boolean
}

/** Takes out `marker` in any case of its letters. A space takes its place where taking it out would make another. */
export function createMarkerFilter(marker: string): MarkerFilter {
  const lower = marker.toLowerCase()
  let held = ''
  let tail = ''
  let found = false

  const take = (chars: number) => {
    const out = held.slice(0, chars)
    held = held.slice(chars)
    tail = (tail + out).slice(1 - lower.length)
    return out
  }
  const remove = () => {
    found = true
    held = held.slice(lower.length)
    if (overlap(tail.toLowerCase(), lower) > 0) held = ` ${held}`
  }
  return {
    get found() {
      return found
    },
    push(piece) {
      held += piece
      let out = ''
      for (let at = held.toLowerCase().indexOf(lower); at >= 0; at = held.toLowerCase().indexOf(lower)) {
        out += take(at)
        remove()
      }
      return out + take(held.length - overlap(held.toLowerCase(), lower))
    },
    end: () => take(held.length),
  }
}

/** Length of the longest end of `text` that `marker` begins with. */
function overlap(text: string, marker: string): number {
  for (let length = Math.min(text.length, marker.length - 1); length > 0; length--) {
    if (marker.startsWith(text.slice(-length))) return length
  }
  return 0
}

/** Says whether an answer has begun to recite. */
export interface RecitalGuard {
  /** True from the piece on with which a run of protected text is complete. */
  recites(piece: string): boolean
}

/** So many characters in a row, white space counted as one, are no chance. */
const RUN_CHARS = 48

/** Watches for any run of 48 characters of `texts`, and for the fence of a passage. */
export function createRecitalGuard(texts: string[]): RecitalGuard {
  const runs = new Set(texts.map(plain).flatMap(runsOf))
  let tail = ''
  return {
    recites(piece) {
      const text = plain(tail + piece)
      const found = runsOf(text).some((run) => runs.has(run)) || /<passage id=/i.test(text)
      tail = text.slice(1 - RUN_CHARS)
      return found
    },
  }
}

const plain = (text: string) => text.replace(/\s+/g, ' ').toLowerCase()

function runsOf(text: string): string[] {
  const count = Math.max(0, text.length - RUN_CHARS + 1)
  return Array.from({ length: count }, (_, at) => text.slice(at, at + RUN_CHARS))
}
