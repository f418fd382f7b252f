/**
 * The shapes that cross pinpack's doors: what the engine returns, what the proxy's file holds, what travels on the wire.
 * The Rust side serializes exactly these (see `src/pack.rs`); nothing here has behavior.
 */

/** One turn of a conversation, oldest first. Only `user` turns are searched. */
export interface Message {
  role: 'user' | 'assistant'
  content: string
}

/** Why a section is in the pack. */
export type Why = 'pinned' | 'scored' | 'neighbor' | 'floor'

/** Why a section is not in the pack. `too-large`: alone over the space left when its turn came; `repeat`: nearly the text of one that is sent; `no-match`: nothing asked for it. */
export type LeftReason = 'too-large' | 'repeat' | 'no-match'

/** How likely the sections sent hold an answer to the question. */
export interface Coverage {
  /** 0 to 1, no unit, comparable across questions and sites. 0 when nothing was asked. */
  value: number
  /** `covered` from 0.6, `partly` from 0.3, `none` below; `unasked`: a greeting, thanks, or no words at all. */
  level: 'covered' | 'partly' | 'none' | 'unasked'
  /** The visitor's words that no section holds and for which nothing stands, as they were typed (lower case). */
  missing: string[]
}

/** A section as the pack names it. */
export interface PackedSection {
  /** Position in the knowledge base, 0-based. Means something only together with `hash`. */
  id: number
  /** The owner's own id: `file.md#anchor`, or `_id` in JSONL. */
  ref: string
  title: string
  /** Heading path, outermost first, the section's own heading last. */
  path: string[]
  /** Page address with anchor, or `''` when the section has no public page. */
  url: string
  /** Tokens of the section as rendered into the prompt, in the configured encoding. */
  tokens: number
  why: Why
  /** BM25 score, ≥ 0, no unit; 0 for pinned and floor. Compares only within one answer. */
  score: number
  /** The terms of the question that this section holds. */
  terms: string[]
  /** The section's text. Absent for pinned sections unless `[pinned] publish = true`. */
  text?: string
}

/** A section that was not packed, with the reason. */
export interface LeftSection extends Omit<PackedSection, 'why' | 'text'> {
  reason: LeftReason
}

/** What will be sent for one question: the receipt. Pinned first, then scored best first, then floor in file order. */
export interface Pack {
  ids: number[]
  sections: PackedSection[]
  /** Sum of the sections' tokens. Never over `budget`. */
  tokens: number
  /** Tokens of knowledge one request may hold. */
  budget: number
  /** Tokens the floor fills up to. */
  floor: number
  coverage: Coverage
  /** Scored sections that did not fit, best first. */
  leftOut: LeftSection[]
  /** Content hash of the knowledge base, 32 lowercase hex digits. */
  hash: string
}

/** One term of the query with its weight. */
export interface QueryTerm {
  /** As it stands in the index (folded and stemmed). */
  term: string
  /** The visitor's word it came from. */
  word: string
  /** Multiplies the term's share of a score. 1 for the last message, less for earlier ones and for what the visitor did not write. */
  weight: number
  /** ln(1 + (N − df + ½)/(df + ½)). */
  idf: number
  /** Sections that hold the term. 0: unknown to the knowledge base. */
  df: number
  /** Which message the word came from: 0 the last visitor message, 1 the one before. */
  message: number
  /** `asked`: as the visitor wrote it; `typo`: the term nearest to a word that no section holds; `synonym`: the owner says that it means the same; `function`: a function word, searched since nothing else was asked. */
  origin: 'asked' | 'typo' | 'synonym' | 'function'
}

/** One term's share of a section's score. */
export interface ScorePart {
  term: string
  /** Occurrences in the section. */
  tf: number
  /** Share of the section's score. */
  score: number
  /** What of it the section's title gives. */
  title: number
}

export interface ExplainedSection extends PackedSection {
  parts: ScorePart[]
}
export interface ExplainedLeft extends LeftSection {
  parts: ScorePart[]
}

/** The same pack, with the query's terms, every score in parts, and every section that was left out. */
export interface Explanation extends Omit<Pack, 'sections' | 'leftOut'> {
  terms: QueryTerm[]
  sections: ExplainedSection[]
  leftOut: ExplainedLeft[]
}

/** A ranked section, without packing. */
export interface Hit {
  id: number
  ref: string
  score: number
}

/** A text to quote from. A section that `pack` or `section` gave is one. */
export interface Passage {
  /** Its headings, if it has any: they say what its sentences are about. */
  title?: string
  text: string
  /** Its place in a ranking, 0 the best. Default: its place in the list. */
  place?: number
}

/** A sentence that answers, found in one of the passages given. */
export interface Quote {
  /** Index into the passages given. */
  passage: number
  /**
   * The sentence as it stands in the passage (inline Markdown kept), with what it takes to be understood: a neighbor of a
   * short one, the sentence before a list, the column names of a table row.
   */
  text: string
  /** How well it answers, 0 to 1, no unit: see `bestSentences`. Compares only within one answer. */
  score: number
}

/** What a knowledge base is made of. Sizes in bytes, tokens in the configured encoding. */
export interface Stats {
  hash: string
  format: number
  analyzer: number
  language: string
  encoding: string
  site: string
  sections: number
  pinned: number
  terms: number
  tokens: number
  pinnedTokens: number
  budget: number
  floor: number
  bytes: number
}

/** `pinpack.json`: names the files of one build. Served with `Cache-Control: no-cache`; every file it names is immutable. */
export interface Manifest {
  hash: string
  blob: string
  /** The engine that the blob needs: the small one for English, else the one with all languages. */
  wasm: string
  widget: string
  site: string
  language: string
}

/** The owner's words for the prompt, from `[prompt]`. Empty strings mean: use the default. */
export interface PromptConfig {
  /** Who the assistant is, one or two sentences. */
  assistant: string
  /** Where to send a visitor whose question is not covered (mail address, URL or a phrase). */
  contact: string
  /** The sentence that the model is allowed to answer with when the passages do not hold the answer. */
  refusal: string
  /** Language to answer in; '' means the visitor's. */
  language: string
}

/** One section in the proxy's file. */
export interface KnowledgeSection {
  id: number
  ref: string
  title: string
  path: string[]
  url: string
  tokens: number
  /** One safe line: the heading path joined by ` › `, with quotes and angle brackets replaced. Goes into the passage's fence. */
  label: string
  /** The section's text exactly as it is sent; its own copies of the passage fence are already neutralized. */
  text: string
}

/** `knowledge.json`: the proxy's own copy of the knowledge base. Not public: it holds the text of private rules. */
export interface Knowledge {
  hash: string
  budget: number
  floor: number
  encoding: string
  language: string
  site: string
  prompt: PromptConfig
  pinned: number[]
  sections: KnowledgeSection[]
}

/** What the browser sends. Nothing else is accepted. */
export interface ChatRequest {
  hash: string
  /** Ids of the packed sections that are not pinned, in pack order. */
  sections: number[]
  messages: Message[]
  /** The pack's coverage: chooses one of the prompt's own hints, and marks the question in the owner's log. */
  coverage?: Coverage['level']
}

/** `data-receipt` part of the stream: what was really sent. */
export interface Receipt {
  hash: string
  /** Pinned first, then the request's sections, in prompt order. Passage n of the prompt is `sections[n-1]`. */
  sections: { id: number; ref: string; title: string; url: string; tokens: number; pinned: boolean }[]
  tokens: number
  budget: number
  /** 'embedded' when no model was called. */
  model: string
}

/** JSON error body of the proxy before the stream, and `data-error` fields in it. */
export interface ProxyErrorBody {
  code: string
  message: string
  retryAfter?: number
}

/** What became of one source file. Tokens as rendered into the prompt. */
export interface ReportFile {
  path: string
  kind: string
  sections: number
  tokens: number
  /** Words of it that readers see and that are in no section. */
  leftOut: number
  /** As what it was read, when it is not UTF-8. */
  encoding?: string
}

/** A file that was not read. */
export interface ReportSkipped {
  path: string
  /** `draft`: its owner says that it is not public yet; `no-text`: nothing in it can be sent; `unread`: it is not text, too large or not to be had. */
  why: 'draft' | 'no-text' | 'unread'
  reason: string
  /** It should have been pinned. */
  pinned: boolean
}

/** A section in the report. */
export interface ReportSection {
  ref: string
  tokens: number
  pinned: boolean
}

/** What a build found. Tokens in the configured encoding, sizes in bytes, shares from 0 to 1. */
export interface Report {
  files: ReportFile[]
  skipped: ReportSkipped[]
  /** Files that look like content and that no pattern chose or excluded. */
  unchosen: number
  sections: number
  pinnedSections: number
  /** Tokens of all sections. */
  writtenTokens: number
  /** Tokens of the sections that can reach a model: the pinned ones, and those that fit beside them. */
  sendableTokens: number
  pinnedTokens: number
  budget: number
  floor: number
  /** sendable / written. */
  coverage: number
  /** pinned / budget. */
  pinnedShare: number
  /** Histogram: `counts[i]` sections have from `i * width` to below `(i + 1) * width` tokens. */
  sizes: { width: number; counts: number[]; median: number }
  /** The five largest sections. */
  largest: ReportSection[]
  /** The five smallest sections. */
  smallest: ReportSection[]
  /** Sections over `sections.max`, largest first. */
  overMax: ReportSection[]
  /** The pinned sections, largest first. */
  pinned: ReportSection[]
  /** Words that readers of the pages see and that are in no section, by reason. */
  leftOut: { reason: string; words: number }[]
  /** Sections that repeat one another, in groups. `similarity` is 0.9 to 1; `wastedTokens` those of all but the smallest. */
  duplicates: { sections: ReportSection[]; similarity: number; wastedTokens: number }[]
  /** Links inside the site that lead nowhere. */
  brokenLinks: { file: string; target: string; missing: 'page' | 'anchor' }[]
  warnings: { code: string; message: string }[]
  hash: string
  /** Terms in the index. */
  terms: number
  blobBytes: number
  textBytes: number
}

/** What is new since a builder's build before: paths in order, and how many files were not read again. */
export interface Changes {
  added: string[]
  /** Read again: their bytes changed, or a setting that reading depends on. */
  changed: string[]
  removed: string[]
  kept: number
}
