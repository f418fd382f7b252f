/** `pinpack suggest-synonyms`: words that visitors use and the site does not, with what the site may call it, as TOML to look through. */

import { PinpackError } from '../errors.ts'
import { type KnowledgeBase, open } from '../index.ts'
import type { Knowledge } from '../types.ts'
import { buildFolder, conversation } from './knowledge.ts'
import { type Question, readQuestions } from './questions.ts'
import { segmenter } from './suggest/segments.ts'
import { type Asked, type Proposal, proposalText, propose, type SiteWord } from './suggest/synonyms.ts'
import { plural, print, printJson } from './terminal.ts'

interface Options {
  dir?: string
  config?: string
  json?: boolean
}

export async function suggestSynonyms(file = 'questions.yaml', options: Options): Promise<undefined> {
  const { answerable, unanswerable, ruled } = await readQuestions(file)
  if (answerable.length + ruled.length === 0) {
    throw new PinpackError('questions-empty', 'no question names a section that answers it\nadd `expect: [ref]`')
  }
  const { knowledge, blob } = await buildFolder(options.dir ?? '.', options.config)
  const base = await open(blob)
  // What nothing answers needs no synonym: it would only find the wrong pages.
  const proposals = propose(
    [...answerable, ...ruled].map((one) => asked(base, one)),
    {
      ...{ words: siteWords(knowledge), sections: knowledge.sections.length },
      // Function words are not searched for.
      isSearched: (word) => base.explain(conversation(word)).terms.some(({ origin }) => origin !== 'function'),
    },
  )
  base.close()
  const questions = answerable.length + ruled.length
  if (options.json) printJson({ questions, passedOver: unanswerable.length, proposals })
  else print(...lines(proposals, questions))
}

function asked(base: KnowledgeBase, { text, history, relevant }: Question): Asked {
  const { terms, sections } = base.explain(conversation(text, history))
  // Of several terms of one word, such as the nearest one to a typing error, the most frequent says whether it finds anything.
  const words = new Map<string, Asked['words'][number]>()
  for (const { message, word, term, df, idf } of terms) {
    const key = word.toLowerCase()
    if (message === 0 && df >= (words.get(key)?.df ?? 0)) words.set(key, { word: key, term, df, idf })
  }
  return {
    text,
    words: [...words.values()],
    expected: base.refs.flatMap((ref, id) => (relevant.has(ref) ? [id] : [])),
    packed: sections.some(({ ref }) => relevant.has(ref)),
  }
}

/** How often a word of a heading counts. */
const HEADING = 4

/** Words with the sections that hold them; pinned sections are sent anyway. */
function siteWords({ sections, pinned, language }: Knowledge): SiteWord[] {
  const pins = new Set(pinned)
  const segments = segmenter(language, 'word')
  const words = new Map<string, Map<number, number>>()
  const add = (id: number, text: string, weight: number) => {
    for (const { segment, isWordLike } of segments.segment(text)) {
      const word = segment.toLowerCase()
      if (!isWordLike || !isPlain(word)) continue
      const held = words.get(word) ?? new Map<number, number>()
      words.set(word, held.set(id, (held.get(id) ?? 0) + weight))
    }
  }
  for (const { id, text, title } of sections.filter(({ id }) => !pins.has(id))) {
    add(id, title, HEADING)
    add(id, text, 1)
  }
  return [...words].map(([word, sections]) => ({ word, sections }))
}

/** Three letters or more, or two of a script in which that is a word. */
const isPlain = (word: string) =>
  /^(?:\p{L}{3}[\p{L}\p{M}'’-]*|\p{Script=Han}[\p{Script=Han}\p{Script=Hiragana}]+|\p{Script=Katakana}{2,}\p{L}*)$/u.test(
    word,
  )

function lines(proposals: Proposal[], questions: number): string[] {
  if (proposals.length === 0) return [`# every word of ${plural(questions, 'question')} that matters is found`]
  return [
    `# ${plural(proposals.length, 'word')} of ${plural(questions, 'question')} found nothing. Guesses: keep what is right, delete the rest.`,
    '# Put it beside pinpack.toml and name it there: synonyms = "synonyms.toml" under [query].',
    ...proposals.flatMap((proposal) => ['', proposalText(proposal)]),
  ]
}
