/** A pack as the prompt that is made of it: for the browser's own model, and for the developer panel. */

import { buildPrompt, type Prompt } from '../prompt.ts'
import type { Knowledge, KnowledgeSection, Message, Pack, PackedSection } from '../types.ts'

export interface PromptSite {
  site: string
  contact: string
  language: string
}

/**
 * The prompt of a pack. Rules without public text stand as `hidden` says; without it they make the prompt impossible: gives `undefined`.
 */
export function promptOf(
  pack: Pack,
  messages: Message[],
  { site, contact, language }: PromptSite,
  hidden?: (section: PackedSection) => string,
): Prompt | undefined {
  const sections: KnowledgeSection[] = []
  for (const section of pack.sections) {
    const text = section.text ?? hidden?.(section)
    if (text === undefined) return undefined
    const { id, ref, title, path, url, tokens } = section
    sections[id] = { id, ref, title, path, url, tokens, label: labelOf(path), text }
  }
  const idsOf = (pinned: boolean) =>
    pack.sections.filter(({ why }) => (why === 'pinned') === pinned).map(({ id }) => id)
  const { hash, budget, floor, coverage } = pack
  const prompt = { assistant: '', contact, refusal: '', language: '' }
  const knowledge: Knowledge = {
    ...{ hash, budget, floor, encoding: '', language, site, prompt, sections },
    pinned: idsOf(true),
  }
  return buildPrompt(knowledge, idsOf(false), messages, { coverage })
}

/** As the build writes it into the passage's fence. */
function labelOf(path: string[]): string {
  const clean = (part: string) =>
    part
      .replace(/"/g, "'")
      .replace(/</g, '‹')
      .replace(/>/g, '›')
      .replace(/[\n\r]/g, ' ')
  return path.map(clean).join(' › ')
}
