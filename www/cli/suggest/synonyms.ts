/** Which words of questions the site says otherwise: guesses from the sections that were expected. Pure. */

/** A question with the words that it was searched by. */
export interface Asked {
  text: string
  words: {
    /** As the visitor typed it, lower case. */
    word: string
    /** As it stands in the index. */
    term: string
    /** Sections that hold it; 0: none. */
    df: number
    idf: number
  }[]
  /** Sections that answer; empty when nobody said. */
  expected: number[]
  /** Whether one of them is sent. */
  packed: boolean
}

/** A word of the site with the sections that hold it, and how often they do; a heading counts for four. */
export interface SiteWord {
  word: string
  sections: Map<number, number>
}

/** A proposal: who says `from` may mean `to`. */
export interface Proposal {
  from: string
  to: string[]
  /** Questions in which `from` found nothing. */
  questions: string[]
}

/** Uses in one section that count: a page says its subject again and again. */
const MOST_USES = 6

/** Words proposed for one. */
const MOST = 3

/**
 * For each word that no section holds, or that no expected section holds in a question that is not answered: the words that most mark
 * the sections which answer its questions. A word's weight is its occurrences there times its rarity, ln(N / n); words that the
 * question has itself are no news, and `isSearched` tells function words apart. A word of only one question whose expected section is sent anyway proposes nothing.
 */
export function propose(
  asked: Asked[],
  site: { words: SiteWord[]; sections: number; isSearched: (word: string) => boolean },
): Proposal[] {
  const { words } = site
  const gaps = new Map<string, { questions: Asked[] }>()
  for (const one of asked) {
    for (const { word, df } of one.words) {
      if (df > 0 && (one.packed || one.expected.length === 0)) continue
      if (df > 0 && holdsAny(words, word, one.expected)) continue
      const gap = gaps.get(word) ?? { questions: [] }
      gap.questions.push(one)
      gaps.set(word, gap)
    }
  }
  return [...gaps]
    .map(([from, { questions }]) => ({
      from,
      to: marking(questions, site),
      questions: questions.map(({ text }) => text),
    }))
    .sort((a, b) => b.questions.length - a.questions.length || (a.from < b.from ? -1 : 1))
}

const holdsAny = (words: SiteWord[], word: string, ids: number[]) =>
  words.some((one) => one.word === word && ids.some((id) => one.sections.has(id)))

/** The words that mark the sections that answer: those that stand in all of the questions' answers first. */
function marking(questions: Asked[], { words, sections, isSearched }: Parameters<typeof propose>[1]): string[] {
  const expected = new Set(questions.flatMap((one) => one.expected))
  if (expected.size === 0) return []
  const own = new Set(questions.flatMap(({ words }) => words.map(({ word }) => word)))
  return words
    .filter(({ word }) => !own.has(word))
    .map(({ word, sections: held }) => {
      const uses = [...expected].reduce((sum, id) => sum + Math.min(MOST_USES, held.get(id) ?? 0), 0)
      return { word, weight: uses * Math.log(sections / held.size) }
    })
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight || (a.word < b.word ? -1 : 1))
    .map(({ word }) => word)
    .filter(firstOf(MOST, isSearched))
}

/** A filter that lets the first `most` through, and looks no further. */
function firstOf(most: number, wanted: (word: string) => boolean) {
  let taken = 0
  return (word: string) => taken < most && wanted(word) && ++taken > 0
}

/** A proposal as entries of a synonyms file: TOML. Without a word to go to, a comment that asks for one. */
export function proposalText({ from, to, questions }: Proposal): string {
  const heard = questions.slice(0, 3).map((text) => `# ${text.replace(/\p{Cc}+/gu, ' ')}`)
  const more = questions.length > 3 ? [`# and ${questions.length - 3} more`] : []
  const lines = [...heard, ...more]
  if (to.length === 0) return [...lines, '# [[synonym]]', `# from = [${quoted(from)}]`, '# to = [""]'].join('\n')
  return [...lines, '[[synonym]]', `from = [${quoted(from)}]`, `to = [${to.map(quoted).join(', ')}]`].join('\n')
}

const quoted = (text: string) => JSON.stringify(text).replaceAll('\u007f', '\\u007f')
