// A site of 5,000 sections, about 5 MB of text: the same pages from the same seed, on every machine.

/** Pages, and sections of each. */
const [PAGES, SECTIONS] = [1000, 5]
/** Words of one section, and how many different words the site has. */
const [WORDS, VOCABULARY] = [122, 20_000]
const SYLLABLES = 'ba ce di fo gu ha ke li mo nu pa re si to va we xi yo zu lan mer ton dis ver ing est'.split(' ')

/** The settings that keep each section whole: words nobody knows cost many tokens. */
export const CONFIG = `[site]
name = "Big"
[sections]
target = 900
max = 1200
[sources]
include = ["content/**/*.md"]
[pinned]
include = ["rules/**/*.md"]
`

/** Paths and texts of the site. */
export function bigSite(seed = 18) {
  const random = generator(seed)
  const words = Array.from({ length: VOCABULARY }, () => word(random))
  const pages = Array.from({ length: PAGES }, (_, at) => [`content/page-${at}.md`, page(words, random)])
  return Object.fromEntries([...pages, ['rules/promises.md', '# Promises\n\nNever promise a refund.\n']])
}

function page(words, random) {
  const heading = () => Array.from({ length: 3 }, () => common(words, random)).join(' ')
  const body = () => sentences(Array.from({ length: WORDS }, () => common(words, random)))
  return Array.from({ length: SECTIONS }, () => `# ${heading()}\n\n${body()}\n`).join('\n')
}

/** Few words are frequent and most are rare, as in any language: the rank is 1 / chance. */
function common(words, random) {
  return words[Math.floor(VOCABULARY ** random()) % VOCABULARY]
}

function sentences(words) {
  const parts = []
  for (let at = 0; at < words.length; at += 12) parts.push(`${words.slice(at, at + 12).join(' ')}.`)
  return parts.join(' ')
}

function word(random) {
  const count = 2 + Math.floor(3 * random())
  return Array.from({ length: count }, () => SYLLABLES[Math.floor(SYLLABLES.length * random())]).join('')
}

/** Numbers from 0 to below 1: mulberry32. */
function generator(seed) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
