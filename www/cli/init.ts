/** `pinpack init`: a first pinpack.toml, with every setting explained. */

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PinpackError } from '../errors.ts'
import { print, printJson } from './terminal.ts'

export async function init(dir = '.', options: { force?: boolean; json?: boolean }): Promise<undefined> {
  const file = join(dir, 'pinpack.toml')
  try {
    await writeFile(file, TEMPLATE, { flag: options.force ? 'w' : 'wx' })
  } catch (cause) {
    throw refusal(file, cause as NodeJS.ErrnoException)
  }
  if (options.json) printJson({ written: [file] })
  else print(`wrote ${file}`, 'look at [sources] and [pinned] in it, then run `npx pinpack build`')
}

function refusal(file: string, cause: NodeJS.ErrnoException): PinpackError {
  if (cause.code === 'EEXIST') {
    return new PinpackError('file-exists', `${file} is there already\nedit it, or replace it with --force`, { cause })
  }
  return new PinpackError('write-failed', `cannot write ${file}: ${cause.message}`, { cause })
}

const TEMPLATE = `# pinpack.toml: every key is optional, and each is shown with its default.
# Paths are relative to this file.

[site]
# name = ""                # what the assistant calls the site
# language = "en"          # language of the content, such as "en" or "pt-BR"
# base_url = ""            # put before every link, such as "https://example.com"
# url_style = "pretty"     # content/a/b.md is "pretty": /a/b, "html": /a/b.html, "file": /a/b.md, "none": not linked
# anchors = "github"       # how headings become anchors: "github" (Docusaurus and Starlight too), "vitepress", "mkdocs", "none"

[sources]
# include = ["**/*.{md,mdx,markdown,html,htm,txt}"]
# exclude = []
# jsonl = "sections.jsonl" # ready-made sections, a line each: {"_id", "title", "text"}; by default none

[pinned]
# include = ["rules/**/*.{md,txt}"]   # rules and facts that are sent with every question, whole
# items = ["rules/style.md"]          # files of which each list item is a rule of its own; by default none
# publish = false          # true puts their text into the public file too

[sections]
# target = 350             # tokens that the pieces of a long text aim at
# max = 900                # tokens above which a section is cut
# overlap = 0              # tokens of whole sentences that a piece of a long paragraph repeats from the piece before

[budget]
# context = 3700           # tokens of knowledge in one request
# answer = 0               # tokens of these kept free for the answer
# floor = 2950             # tokens that even a vague question gets
# encoding = "o200k_base"  # how the model counts tokens; or "cl100k_base"
# pinned_warn = 0.33       # share of the budget above which pinned sections are noted
# pinned_max = 0.5         # share above which they are a warning

[query]
# messages = 2             # the visitor's last messages that are searched

[prompt]
# assistant = ""           # who the assistant is, a sentence or two
# contact = ""             # where to send a question that is not covered
# refusal = ""             # what it says when the answer is not there
# language = ""            # language to answer in; empty: the visitor's
`
