/**
 * The demo's static-site build: `content/**\/*.md` in, pretty pages out.
 *
 * It stands for whatever builds your own site. pinpack appears in one place only: the script tag at the end of a page.
 */
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import GithubSlugger from 'github-slugger'
import { Marked } from 'marked'

const here = dirname(fileURLToPath(import.meta.url))

/** The published tag, as the package's README gives it. */
export const TAG =
  '<script type="module" src="/pinpack/pinpack.js" data-endpoint="/api/chat" data-inspect="/api/knowledge.json"></script>'

/**
 * Renders every page to `outDir` and returns their addresses.
 *
 * Throws when a link inside the site leads to a page or a heading that does not exist.
 */
export async function buildSite({ outDir = join(here, 'site'), tag = TAG } = {}) {
  const contentDir = join(here, 'content')
  const files = (await readdir(contentDir, { recursive: true })).filter((name) => name.endsWith('.md')).sort()
  const pages = await Promise.all(files.map((name) => readPage(contentDir, name)))
  const art = await readArt(join(here, 'theme', 'art'))
  checkLinks(pages)
  for (const page of pages) {
    const file = join(outDir, page.url, 'index.html')
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, layout({ page, pages, art, tag }))
  }
  await cp(join(here, 'theme', 'style.css'), join(outDir, 'style.css'))
  return { outDir, urls: pages.map((page) => page.url) }
}

async function readPage(dir, name) {
  const { meta, body } = splitFrontMatter(await readFile(join(dir, name), 'utf8'))
  const path = name.split(sep).join('/').replace(/\.md$/, '')
  const url = `/${path}/`.replace(/\/index\/$/, '/').replace('//', '/')
  const folder = path.includes('/') ? path.split('/')[0] : ''
  return { ...meta, url, folder, name: path.split('/').at(-1), ...render(body) }
}

/** `key: value` lines between two `---`; values are strings. */
export function splitFrontMatter(text) {
  const found = /^---\r?\n([\s\S]*?)\r?\n---\r?\n/.exec(text)
  if (!found) return { meta: {}, body: text }
  const lines = found[1].split(/\r?\n/).map((line) => /^(\w+):\s*(.*)$/.exec(line))
  const entries = lines.filter(Boolean).map(([, key, value]) => [key, value.replace(/^(["'])(.*)\1$/, '$2')])
  return { meta: Object.fromEntries(entries), body: text.slice(found[0].length) }
}

/** Markdown to HTML in parts, one for each heading of level 1 or 2, with GitHub's heading ids. */
function render(body) {
  const slugger = new GithubSlugger()
  const headings = []
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth }) {
        const { text: html } = splitAttributes(this.parser.parseInline(tokens))
        const { text, id } = splitAttributes(this.parser.parseInline(tokens, this.parser.textRenderer))
        const anchor = id ?? slugger.slug(text)
        headings.push({ depth, id: anchor, text: html })
        return `<h${depth} id="${anchor}">${html}</h${depth}>\n`
      },
    },
  })
  const html = marked
    .parse(body)
    .replaceAll('<table>', '<div class="table" role="region" aria-label="Table" tabindex="0"><table>')
    .replaceAll('</table>', '</table></div>')
    .replaceAll('<pre>', '<pre tabindex="0">')
  const parts = html.split(/(?=<h[12] )/).filter((part) => part.trim())
  return { html, headings, intro: parts[0] ?? '', parts: parts.slice(1) }
}

/** `Deposit {#deposit .pinned}` → the visible text, and the id where one is given. */
export function splitAttributes(heading) {
  const found = /\s*\{([^{}]*)\}\s*$/.exec(heading)
  if (!found) return { text: heading, id: undefined }
  return { text: heading.slice(0, found.index), id: /(?:^|\s)#([^\s}]+)/.exec(found[1])?.[1] }
}

async function readArt(dir) {
  const names = (await readdir(dir)).filter((name) => name.endsWith('.svg'))
  const texts = await Promise.all(names.map((name) => readFile(join(dir, name), 'utf8')))
  return Object.fromEntries(names.map((name, i) => [name.replace('.svg', ''), texts[i].trim()]))
}

function checkLinks(pages) {
  const known = new Set(pages.flatMap((page) => [page.url, ...page.headings.map(({ id }) => `${page.url}#${id}`)]))
  const links = pages.flatMap((page) =>
    [...page.html.matchAll(/href="(\/[^"]*)"/g)].map(([, to]) => ({ from: page.url, to })),
  )
  const broken = links.filter(({ to }) => !known.has(to)).map(({ from, to }) => `${from} → ${to}`)
  if (broken.length > 0) throw new Error(`broken links:\n  ${broken.join('\n  ')}`)
}

// ---- the layout ----

const NAV = [
  ['/services/', 'Services'],
  ['/work/', 'Work'],
  ['/guides/', 'Guides'],
  ['/posts/', 'Notes'],
  ['/about/', 'About'],
]

const FOOTER = [
  ['Services', 'services'],
  ['Guides', 'guides'],
  ['Good to know', ''],
]

const FOLDERS = { services: 'Services', work: 'Selected work', guides: 'Guides', posts: 'Notes' }

function layout({ page, pages, art, tag }) {
  const home = page.url === '/'
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(home ? page.title : `${page.title} · Slow Harbor`)}</title>
<meta name="description" content="${escapeHtml(page.description ?? '')}">
<meta name="color-scheme" content="light dark">
<meta name="theme-color" content="#f7f2e9" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="#0c161b" media="(prefers-color-scheme: dark)">
<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(art.mark.replaceAll('currentColor', '#c04a22'))}">
<link rel="stylesheet" href="/style.css">
</head>
<body${home ? ' class="home"' : ''}>
<a class="skip" href="#main">Skip to the content</a>
<header class="top">
<a class="brand" href="/">${art.mark}<span>Slow Harbor</span></a>
<nav aria-label="Main">${NAV.map(([to, text]) => link(page, to, text)).join('')}</nav>
<a class="button small" href="/contact/">Contact</a>
</header>
<main id="main">
${home ? homePage(page, pages, art) : innerPage(page, pages, art)}
</main>
<footer class="bottom">
<div class="bottom-brand">
<a class="brand" href="/">${art.mark}<span>Slow Harbor</span></a>
<p>14 Ropewalk Lane<br>Port Ellery<br><a href="mailto:hello@slowharbor.example">hello@slowharbor.example</a></p>
</div>
${FOOTER.map(([title, folder]) => footerColumn(title, folder, pages)).join('\n')}
<p class="fine">A studio that does not exist, in a town that does not exist. It was made up to show a chat box.</p>
</footer>
${tag}
</body>
</html>
`
}

function link(page, to, text) {
  const here = page.url === to ? ' aria-current="page"' : page.url.startsWith(to) ? ' aria-current="true"' : ''
  return `<a href="${to}"${here}>${text}</a>`
}

function footerColumn(title, folder, pages) {
  const list = pages.filter((page) => page.folder === folder && page.url !== '/' && page.url !== '/guides/')
  const items = list
    .sort((a, b) => Number(b.name === 'index') - Number(a.name === 'index'))
    .map((page) => `<li><a href="${page.url}">${escapeHtml(page.title)}</a></li>`)
    .join('')
  return `<nav aria-label="${title}"><h2>${title}</h2><ul>${items}</ul></nav>`
}

function homePage(page, pages, art) {
  const part = (id) => page.parts.find((html) => html.includes(`id="${id}"`)) ?? ''
  const [words, facts] = splitBefore(page.intro, '<ul>')
  return `<section class="hero">
<div class="hero-words">${words}
${actions(button('/contact/', 'Tell us about it'), quiet('/services/#price-list', 'See the prices'))}
</div>
<div class="hero-art" aria-hidden="true">${art.harbor}</div>
<div class="facts">${facts}</div>
</section>
<section class="band services">${part('what-we-do').replaceAll('</a>: ', '</a> ')}</section>
<section class="band work">${part('selected-work')}${workCards(pages, art)}</section>
<section class="voice">${part('in-their-words')}</section>
<section class="band studio">
<div class="studio-art">${art.dog}</div>
<div>${part('the-studio-and-the-dog')}${actions(quiet('/about/', 'More about the studio'))}</div>
</section>
<section class="call">
<div>${part('tell-us-about-it')}${actions(button('mailto:hello@slowharbor.example', 'Write to us'))}</div>
</section>`
}

const button = (to, text) => `<a class="button" href="${to}">${text}</a>`
const quiet = (to, text) => `<a class="quiet" href="${to}">${text}</a>`
const actions = (...links) => `<p class="actions">${links.join('')}</p>`

function splitBefore(html, mark) {
  const at = html.indexOf(mark)
  return at < 0 ? [html, ''] : [html.slice(0, at), html.slice(at)]
}

function workCards(pages, art) {
  const list = pages.filter((page) => page.folder === 'work' && page.name !== 'index')
  const cards = list.map(
    (page) => `<li><a class="card" href="${page.url}">
<span class="cover" aria-hidden="true">${art[page.name] ?? ''}</span>
<span class="card-words">
<span class="kicker">${escapeHtml(page.client)}</span>
<strong>${escapeHtml(page.title)}</strong>
<span>${escapeHtml(page.kind)}</span>
</span></a></li>`,
  )
  return `<ul class="cards">${cards.join('')}</ul>`
}

function innerPage(page, pages, art) {
  const index = page.name === 'index'
  const listed = index && (page.folder === 'guides' || page.folder === 'posts')
  const cover = page.folder === 'work' ? art[page.name] : page.name === 'dog' ? art.dog : ''
  const [title, lead] = splitBefore(page.intro.replace('</h1>', '</h1>\u0000'), '\u0000')
  const toc = page.headings.filter(({ depth }) => depth === 2)
  const contents = `<ul>${toc.map(({ id, text }) => `<li><a href="#${id}">${text}</a></li>`).join('')}</ul>`
  return `<article class="page${cover ? ' with-cover' : ''}">
<header class="page-head">
${kicker(page)}
${title}
</header>
${cover ? `<div class="page-cover${page.name === 'dog' ? ' is-dog' : ''}" aria-hidden="true">${cover}</div>` : ''}
${toc.length > 2 ? `<nav class="toc" aria-label="On this page"><h2>On this page</h2>${contents}</nav>` : ''}
<div class="prose"><div class="lead">${lead.replace('\u0000', '')}</div>
${page.parts.join('')}${listed ? listing(page, pages) : ''}</div>
${index && page.folder === 'work' ? workCards(pages, art) : ''}
</article>`
}

/** The line above a page's heading: the way up, and what a work or a note has besides. */
function kicker(page) {
  if (page.folder === '' || page.name === 'index') return ''
  const up = `<a href="/${page.folder}/">${FOLDERS[page.folder]}</a>`
  const parts = [
    up,
    page.client && escapeHtml(page.client),
    page.kind && escapeHtml(page.kind),
    page.date && time(page.date),
  ]
  return `<p class="kicker">${parts.filter(Boolean).join(' · ')}</p>`
}

function listing(page, pages) {
  const list = pages.filter(({ folder, name }) => folder === page.folder && name !== 'index')
  const sorted = list.sort((a, b) => (b.date ?? '').localeCompare(a.date ?? ''))
  const items = sorted.map(
    (entry) => `<li><a href="${entry.url}"><strong>${escapeHtml(entry.title)}</strong></a>
<p>${escapeHtml(entry.description)}</p>${entry.date ? time(entry.date) : ''}</li>`,
  )
  return `<ul class="listing">${items.join('')}</ul>`
}

const time = (date) => `<time datetime="${date}">${longDate(date)}</time>`

const longDate = (date) => new Date(date).toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' })

const escapeHtml = (text) =>
  text.replace(/[&<>"]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c])

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { outDir, urls } = await buildSite()
  console.log(`${urls.length} pages in ${relative(process.cwd(), outDir) || '.'}`)
}
