/** Who answers: the model when its call can be paid for, else quotes. */

import type { Prompt } from '../prompt.ts'
import type { ProxyErrorBody } from '../types.ts'
import { reserveSpend } from './admission.ts'
import type { Answerer } from './answerer.ts'
import type { Reservation } from './counters.ts'
import { embeddedAnswerer } from './embedded.ts'
import { RequestError } from './errors.ts'
import type { Settings } from './settings.ts'
import { modelAnswerer } from './upstream.ts'

export interface Answerers {
  /** The model, or without one the embedded answerer. */
  first: Answerer
  /** Answers when the model cannot. */
  standIn?: Answerer
}

export function answerersOf(settings: Settings): Answerers {
  const { model, fallback = true } = settings
  if (!model) return { first: embeddedAnswerer(settings) }
  return { first: modelAnswerer(model, settings), ...(fallback && { standIn: embeddedAnswerer(settings, true) }) }
}

interface Choice {
  answerer: Answerer
  standIn?: Answerer
  notice?: ProxyErrorBody
  spend?: Reservation
}

/**
 * Reserves what the model's call can cost, and gives the stand-in when the day's budget is spent.
 *
 * @throws RequestError as `reserveSpend` does; `budget-spent` only without a stand-in.
 */
export async function chooseAnswerer(settings: Settings, answerers: Answerers, prompt: Prompt): Promise<Choice> {
  const { first, standIn } = answerers
  if (!settings.model) return { answerer: first }
  try {
    const spend = await reserveSpend(settings, { input: prompt.tokensMax, output: settings.limits.outputTokens })
    return { answerer: first, spend, ...(standIn && { standIn }) }
  } catch (error) {
    if (!standIn || !(error instanceof RequestError) || error.code !== 'budget-spent') throw error
    return { answerer: standIn, notice: error.toJSON() }
  }
}
