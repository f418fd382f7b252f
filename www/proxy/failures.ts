/** What an upstream's failure is called. The one place that looks at what an upstream says when it fails. */

import { RetryError } from 'ai'
import { type UpstreamCode, UpstreamError } from './errors.ts'
import { askedWait } from './retry.ts'

/** Connections that were never made, so nothing was asked. */
const UNCONNECTED = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])

/** Gives whatever an upstream or the AI SDK raised its code. Reads status, type, name and one header only, never the text. */
export function upstreamFailure(error: unknown): UpstreamError {
  if (error instanceof UpstreamError) return error
  const cause = RetryError.isInstance(error) ? error.lastError : error
  const { statusCode, responseHeaders, connection } = fieldsOf(cause)
  const refused = (statusCode ?? 0) >= 400
  // What gave up waiting may have had an answer written for it.
  const written = statusCode === 408 || statusCode === 504
  const waitMs = refused ? askedWait(responseHeaders) : undefined
  return new UpstreamError(upstreamCode(cause), cause, {
    charged: written || (!refused && !UNCONNECTED.has(String(connection))),
    retryable: statusCode === 429 || (statusCode ?? 0) >= 500,
    ...(waitMs !== undefined && { waitMs }),
  })
}

function upstreamCode(cause: unknown): UpstreamCode {
  const { statusCode, type, code, name } = fieldsOf(cause)
  const label = `${type ?? ''} ${code ?? ''} ${name ?? ''}`
  if (/content_?filter|content_policy/i.test(label)) return 'content-filter'
  if (statusCode === 401 || statusCode === 403 || /auth|permission|api_?key/i.test(label)) return 'upstream-auth'
  if (/insufficient_quota|billing/i.test(label) || statusCode === 402) return 'upstream-auth'
  if ([429, 503, 529].includes(statusCode ?? 0) || /overloaded|rate_?limit/i.test(label)) return 'upstream-overloaded'
  if (statusCode === 200 || /InvalidResponseData|JSONParse|TypeValidation|NoOutputGenerated/.test(label))
    return 'upstream-cut'
  return 'upstream-failed'
}

interface Fields {
  statusCode?: number
  responseHeaders?: Record<string, string>
  type?: unknown
  code?: unknown
  name?: unknown
  data?: { error?: { type?: unknown; code?: unknown } }
  cause?: { code?: unknown; cause?: { code?: unknown } }
}

/** `code` can sit one level down: OpenAI's errors are `{ error: { type, code } }` in the AI SDK's `data`. */
function fieldsOf(error: unknown) {
  const { statusCode, responseHeaders, name, type, code, data, cause } = (error ?? {}) as Fields
  return {
    ...{ statusCode, responseHeaders, name },
    type: type ?? data?.error?.type,
    code: code ?? data?.error?.code,
    connection: cause?.code ?? cause?.cause?.code,
  }
}
