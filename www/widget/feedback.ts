/** What a visitor thinks of an answer, told to the owner's log. */

import type { Answer, Feedback } from './conversation.ts'

/** What is posted. `id` is the answer's in the proxy's log; no text of the conversation goes with it. */
export interface FeedbackReport extends Feedback {
  id: string
}

/** Posts a rating, and forgets it when nobody is there: an opinion is not worth a disturbance. Survives leaving the page. */
export async function postFeedback(address: string, { id, feedback }: Answer): Promise<void> {
  if (!address || !id || !feedback) return
  const report: FeedbackReport = { id, ...feedback }
  const headers = { 'content-type': 'application/json' }
  await fetch(address, { method: 'POST', headers, body: JSON.stringify(report), keepalive: true }).catch(() => {})
}
