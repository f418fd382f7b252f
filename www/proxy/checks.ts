/** What a request's head has to be like: its content type, its origin. */

import { RequestError } from './errors.ts'
import type { Settings } from './settings.ts'

/** @throws RequestError `content-type`. A page of another site cannot send this type without asking first. */
export function checkContentType(request: Request) {
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/json')
    throw new RequestError('content-type', 'The content type has to be application/json.')
}

/** @throws RequestError `origin`. */
export function checkOrigin(request: Request, settings: Settings) {
  const origin = request.headers.get('origin')
  if (origin === null && settings.allowMissingOrigin) return
  if (origin === null) throw new RequestError('origin', 'The request has no Origin header.')
  if (!isAllowed(origin, request.url, settings)) throw new RequestError('origin', 'This origin may not ask here.')
}

/** Origins are compared whole, as browsers send them: nothing is a prefix or a suffix of anything. */
export function isAllowed(origin: string, url: string, { origins, sameOrigin }: Settings): boolean {
  return origins.has(origin) || (sameOrigin === true && origin === new URL(url).origin)
}
