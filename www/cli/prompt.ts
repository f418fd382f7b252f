/** `pinpack prompt`: exactly what a question would send to the model, by the functions that pack and write it. */

import { open } from '../index.ts'
import { buildPrompt, type Prompt } from '../prompt.ts'
import { buildFolder, conversation } from './knowledge.ts'
import { count, paint, plural, print, printJson } from './terminal.ts'

interface Options {
  history: string[]
  dir?: string
  config?: string
  budget?: number
  json?: boolean
}

export async function prompt(question: string, options: Options): Promise<undefined> {
  const { blob, knowledge } = await buildFolder(options.dir ?? '.', options.config)
  const messages = conversation(question, options.history)
  const base = await open(blob)
  const { ids, coverage } = base.pack(messages, options.budget ? { budget: options.budget } : {})
  const sent = buildPrompt(knowledge, ids, messages, { coverage })
  if (options.json) printJson(sent)
  else print(...promptLines(sent))
}

/** The texts as they are; in a terminal without the control characters that could steer it. */
function promptLines({ system, messages, passages, tokens, tokensMax }: Prompt): string[] {
  const turns = messages.flatMap(({ role, content }) => [paint.bold(`── ${role}`), shown(content), ''])
  const figures = `${count(tokens)} tokens of ${plural(passages.length, 'passage')}, at most ${count(tokensMax)} in all`
  return [paint.bold('── system'), shown(system), ...turns, paint.dim(figures)]
}

const shown = (text: string) => (process.stdout.isTTY ? text.replace(/[^\P{Cc}\n\t]/gu, ' ') : text)
