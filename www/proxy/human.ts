/** A hook for a check that a visitor is human: Turnstile, ALTCHA, hCaptcha, or one of the owner's. */

import { RequestError } from './errors.ts'

export interface HumanCheck {
  /** Header in which the page sends the token, such as `x-human-token`. */
  header: string
  /**
   * Whether the token is good. `address` is the visitor's, or `unknown`. What throws or takes longer than five seconds
   * counts as `unavailable`: nothing is spent.
   */
  verify(token: string, address: string): boolean | Promise<boolean>
}

const TIMEOUT_MS = 5000
/** Tokens of the services are up to 2,048 characters. */
const MAX_TOKEN_CHARS = 8192

/** @throws RequestError `human` without a good token; `unavailable` when that cannot be found out. */
export async function checkHuman(check: HumanCheck | undefined, request: Request, address: string): Promise<void> {
  if (!check) return
  const token = request.headers.get(check.header) ?? ''
  if (token === '' || token.length > MAX_TOKEN_CHARS || !(await verify(check, token, address))) {
    throw new RequestError('human', 'It could not be checked that you are human. Please try again.')
  }
}

async function verify(check: HumanCheck, token: string, address: string): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(reject, TIMEOUT_MS, new Error('too slow'))
  })
  try {
    return (await Promise.race([check.verify(token, address), late])) === true
  } catch {
    throw new RequestError('unavailable', 'The assistant is not available now. Please try again later.')
  } finally {
    clearTimeout(timer)
  }
}
