/** The visitor's address: from where the owner says that it is, in one form, and never kept as it is. */

/** Address of a request that has none, or one that cannot be read: all of them count as one visitor. */
export const UNKNOWN = 'unknown'

/** Where the address of a request is found. */
export interface AddressSource {
  addressHeader?: string | undefined
  addressOf?: ((request: Request) => string | undefined) | undefined
}

/**
 * Whom a request counts for: an IPv4 address, the first 64 bits of an IPv6 address (one household or server has all
 * of them), or `unknown`. Only the declared header is looked at. A list in it is read from its end: what stands before the last
 * entry was sent by the visitor.
 */
export function visitorOf(request: Request, { addressHeader, addressOf }: AddressSource): string {
  const said = addressOf?.(request) ?? (addressHeader ? request.headers.get(addressHeader) : undefined)
  const last = said?.split(',').at(-1)?.trim() ?? ''
  return ipv4(last.replace(/:\d+$/, '')) ?? ipv6(last) ?? UNKNOWN
}

function ipv4(text: string): string | undefined {
  const parts = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(text)?.slice(1).map(Number)
  return parts?.every((part) => part < 256) ? parts.join('.') : undefined
}

/** Takes `2001:db8::1`, with or without brackets, port and zone; an IPv4 address inside comes out as such. */
function ipv6(text: string): string | undefined {
  const bare = text.replace(/^\[|\](?::\d+)?$/g, '').replace(/%.*$/, '')
  const url = `http://[${bare}]/`
  if (!bare.includes(':') || !/^[\da-f:.]+$/i.test(bare) || !URL.canParse(url)) return undefined
  const groups = expand(new URL(url).hostname.slice(1, -1))
  const mapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff
  if (mapped)
    return groups
      .slice(6)
      .flatMap((group) => [group >> 8, group & 255])
      .join('.')
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`
}

function expand(compressed: string): number[] {
  const [head = '', tail] = compressed.split('::')
  const groups = (text: string) => (text ? text.split(':').map((group) => Number.parseInt(group, 16)) : [])
  const [first, last] = [groups(head), groups(tail ?? '')]
  return [...first, ...Array<number>(8 - first.length - last.length).fill(0), ...last]
}

/** Hashes that are kept, since making one waits for a thread. */
const MOST_KNOWN = 1000

/**
 * Makes a function that turns an address into 16 hex digits. Without `secret` nobody can turn them back, or test a
 * guess; the default is made by chance when it is first needed.
 */
export function addressHasher(secret?: string): (address: string) => Promise<string> {
  const encoder = new TextEncoder()
  const known = new Map<string, string>()
  let key: Promise<CryptoKey> | undefined
  const importKey = () => {
    const bytes = encoder.encode(secret ?? crypto.randomUUID())
    return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  }
  return async (address) => {
    const before = known.get(address)
    if (before !== undefined) return before
    key ??= importKey() // not sooner: a Cloudflare worker has no randomness before its first request
    const digest = await crypto.subtle.sign('HMAC', await key, encoder.encode(address))
    const hash = [...new Uint8Array(digest, 0, 8)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
    if (known.size >= MOST_KNOWN) known.clear()
    known.set(address, hash)
    return hash
  }
}
