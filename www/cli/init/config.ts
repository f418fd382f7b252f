/** The text of a first pinpack.toml: every setting explained, those that the site needs set. */

/** Settings that differ from their defaults, by dotted key; values as JSON, which TOML reads too. */
export type Settings = Record<string, string | string[]>

/** A line of the template: key, value and comment. */
type Line = [key: string, value: string, comment: string]

const TEMPLATE: [table: string, lines: Line[]][] = [
  [
    'site',
    [
      ['name', '""', 'what the assistant calls the site'],
      ['language', '"en"', 'language of the content, such as "en" or "pt-BR"'],
      ['base_url', '""', 'put before every link, such as "/docs" or "https://example.com"'],
      [
        'url_style',
        '"pretty"',
        'content/a/b.md is "pretty": /a/b, "html": /a/b.html, "file": /a/b.md, "none": not linked',
      ],
      ['anchors', '"github"', 'ids of headings: "github" (Docusaurus, Starlight too), "vitepress", "mkdocs", "none"'],
    ],
  ],
  [
    'sources',
    [
      [
        'include',
        '["**/*.{md,mdx,markdown,html,htm,txt}"]',
        'what visitors may read; its fixed first folders are no part of an address',
      ],
      ['exclude', '[]', ''],
      ['jsonl', '"sections.jsonl"', 'ready-made sections, a line each: {"_id", "title", "text"}; by default none'],
      ['front_matter', '[]', 'keys of front matter that pages show, such as ["date", "tags"]; ["*"] for all'],
    ],
  ],
  [
    'pinned',
    [
      ['include', '["rules/**/*.{md,txt}"]', 'rules and facts that are sent with every question, whole'],
      ['items', '["rules/style.md"]', 'files of which each list item is a rule of its own; by default none'],
      ['publish', 'false', 'true puts their text into the public file too'],
    ],
  ],
  [
    'sections',
    [
      ['target', '350', 'tokens that the pieces of a long text aim at'],
      ['max', '900', 'tokens above which a section is cut'],
      ['overlap', '0', 'tokens of whole sentences that a piece of a long paragraph repeats from the piece before'],
    ],
  ],
  [
    'budget',
    [
      ['context', '3700', 'tokens of knowledge in one request'],
      ['answer', '0', 'tokens of these kept free for the answer'],
      ['floor', '2950', 'tokens that even a vague question gets'],
      ['encoding', '"o200k_base"', 'how the model counts tokens; or "cl100k_base"'],
      ['pinned_warn', '0.33', 'share of the budget above which pinned sections are noted'],
      ['pinned_max', '0.5', 'share above which they are a warning'],
    ],
  ],
  [
    'query',
    [
      ['messages', '2', "the visitor's last messages that are searched"],
      ['earlier', '0.4', 'weight of the message before the last'],
      ['typos', 'true', 'search the nearest term for a word that no section holds'],
      ['synonyms', '""', 'file of synonyms, such as synonyms.toml'],
      ['title', '0.7', 'what a word in a title adds'],
      ['k1', '1.2', 'how soon more occurrences of a word stop to count'],
      ['b', '0.75', 'how much long sections are held back'],
    ],
  ],
  [
    'prompt',
    [
      ['assistant', '""', 'who the assistant is, a sentence or two'],
      ['contact', '""', 'where to send a question that is not covered'],
      ['refusal', '""', 'what it says when the answer is not there'],
      ['language', '""', "language to answer in; empty: the visitor's"],
    ],
  ],
]

/** Examples, not defaults. */
const EXAMPLES = new Set(['sources.jsonl', 'pinned.items'])

/** The text. Settings that are given are live; the rest is shown as comments with their defaults. `notes` stand at the head. */
export function configText(settings: Settings, notes: string[]): string {
  const head = [
    '# pinpack.toml: every key is optional; what is commented out is shown with its default.',
    '# Paths are relative to this file.',
    ...notes.map((note) => `# ${note}`),
  ]
  const tables = TEMPLATE.map(([table, lines]) =>
    ['', `[${table}]`, ...lines.map((line) => lineText(table, line, settings))].join('\n'),
  )
  return `${[...head, ...tables].join('\n')}\n`
}

function lineText(table: string, [key, value, comment]: Line, settings: Settings): string {
  const given = settings[`${table}.${key}`]
  const same = given !== undefined && toml(given) === value && !EXAMPLES.has(`${table}.${key}`)
  const line = given === undefined || same ? `# ${key} = ${value}` : `${key} = ${toml(given)}`
  return comment ? `${line.padEnd(26)} # ${comment}` : line
}

/** JSON writes control characters as TOML reads them, but for DEL. */
function toml(value: string | string[]): string {
  if (Array.isArray(value)) return `[${value.map(toml).join(', ')}]`
  return JSON.stringify(value).replaceAll('\u007f', '\\u007f')
}
