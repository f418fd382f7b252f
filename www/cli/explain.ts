/** `pinpack explain`: what one question sends, what it leaves out, and why, from the function that packs. */

import { explainPage } from './explain-html.ts'
import { explanationLines } from './explain-text.ts'
import { conversation, openKnowledge, type SourceOptions } from './knowledge.ts'
import { oldWay } from './old-way.ts'
import { print, printJson, writeText } from './terminal.ts'

interface Options extends SourceOptions {
  history: string[]
  budget?: number
  first?: number
  html?: string
  json?: boolean
}

export async function explain(question: string, options: Options): Promise<undefined> {
  const knowledge = await openKnowledge(options)
  const { budget, first, html, history } = options
  const explanation = knowledge.explain(conversation(question, history), budget ? { budget } : {})
  const old = oldWay(knowledge, explanation, first)
  if (html) await writeText(html, explainPage([...history, question], explanation, old))
  if (options.json) printJson({ ...explanation, oldWay: old })
  else print(...explanationLines(explanation, old), ...(html ? ['', `wrote ${html}`] : []))
}
