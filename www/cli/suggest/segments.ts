/** Texts cut into sentences or words by the rules of a language, and Markdown without its code. Each takes linear time. */

/** A segmenter of the language; of English when the tag is none that the platform reads. */
export function segmenter(language: string, granularity: 'sentence' | 'word'): Intl.Segmenter {
  try {
    return new Intl.Segmenter(language, { granularity })
  } catch {
    return new Intl.Segmenter('en', { granularity })
  }
}

/** The lines outside fences. A fence that is never closed hides nothing. */
export function linesOutsideCode(text: string): string[] {
  const lines = text.split('\n')
  const kept: string[] = []
  // By kind of fence, the length from which on none is closed below: so few are looked for in vain.
  const unclosed: Record<string, number> = {}
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] as string
    const [, fence = ''] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? []
    const kind = fence.charAt(0)
    const isOpen = fence !== '' && fence.length < (unclosed[kind] ?? Number.POSITIVE_INFINITY)
    const end = isOpen ? closingLine(lines, at + 1, fence) : -1
    if (isOpen && end < 0) unclosed[kind] = fence.length
    if (end < 0) kept.push(line)
    else at = end
  }
  return kept
}

function closingLine(lines: string[], from: number, fence: string): number {
  for (let at = from; at < lines.length; at++) if (closes(lines[at] as string, fence)) return at
  return -1
}

function closes(line: string, fence: string): boolean {
  const [, other = ''] = /^ {0,3}(`{3,}|~{3,})[ \t]*$/.exec(line) ?? []
  return other.charAt(0) === fence.charAt(0) && other.length >= fence.length
}
