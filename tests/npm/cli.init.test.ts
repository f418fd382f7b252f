/** `pinpack init` on folders as each generator lays them out, and on pages alone. */

import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { Asker } from '../../www/cli/init/ask.ts'
import { DIST, folderOf, node } from './fixture.ts'

const init = (cwd: string, args: string[] = []) => node([join(DIST, 'cli.js'), 'init', ...args], { cwd })
const found = async (files: Record<string, string>, args: string[] = []) => {
  const dir = await folderOf(files)
  const { code, stdout, stderr } = await init(dir, [...args, '--json'])
  expect(stderr).toBe('')
  expect(code).toBe(0)
  return { dir, ...JSON.parse(stdout) }
}

const PAGE = '# Opening hours\n\nThe studio is open from nine to five.\n'
const pkg = (name: string) => JSON.stringify({ devDependencies: { [name]: '^1.0.0' } })

/** What is in the folder, the generator, and the settings that must come of it. */
const SITES: [name: string, files: Record<string, string>, generator: string, settings: Record<string, unknown>][] = [
  [
    'Starlight',
    {
      'package.json': pkg('@astrojs/starlight'),
      'astro.config.mjs': "export default { base: '/help' }",
      'src/content/docs/a.md': PAGE,
    },
    'starlight',
    { 'sources.include': ['src/content/docs/**/*.{md,mdx}'], 'site.base_url': '/help' },
  ],
  [
    'Astro',
    { 'astro.config.mjs': '', 'src/pages/a.md': PAGE, 'src/content/blog/b.md': PAGE },
    'astro',
    { 'sources.include': ['src/content/**/*.{md,mdx}', 'src/pages/**/*.{md,mdx}'] },
  ],
  [
    'Docusaurus with docs and a blog',
    {
      'docusaurus.config.ts': "export default { title: 'Ferry', baseUrl: '/', i18n: { defaultLocale: 'fr' } }",
      'docs/a.md': PAGE,
      'blog/b.md': PAGE,
    },
    'docusaurus',
    // In braces, so that the folder is part of the address, as it is on the site.
    { 'sources.include': ['{docs,blog}/**/*.{md,mdx}'], 'site.name': 'Ferry' },
  ],
  [
    'Docusaurus with docs alone',
    { 'docusaurus.config.js': "module.exports = { baseUrl: '/ferry/' }", 'docs/a.md': PAGE },
    'docusaurus',
    { 'sources.include': ['docs/**/*.{md,mdx}'], 'site.base_url': '/ferry/docs' },
  ],
  [
    'VitePress in docs',
    { 'package.json': pkg('vitepress'), 'docs/.vitepress/config.ts': 'cleanUrls: true', 'docs/a.md': PAGE },
    'vitepress',
    { 'sources.include': ['docs/**/*.md'], 'site.anchors': 'vitepress', 'site.url_style': 'pretty' },
  ],
  [
    'VitePress in its own folder',
    { '.vitepress/config.mts': "export default { title: 'Ferry' }", 'guide/a.md': PAGE },
    'vitepress',
    { 'site.anchors': 'vitepress', 'site.url_style': 'html', 'site.name': 'Ferry' },
  ],
  [
    'Next.js',
    { 'next.config.mjs': "export default { basePath: '/docs' }", 'content/a.mdx': PAGE },
    'next',
    { 'sources.include': ['content/**/*.{md,mdx}'], 'site.base_url': '/docs' },
  ],
  [
    'Gatsby',
    {
      'gatsby-config.js': "module.exports = { pathPrefix: '/x', siteMetadata: { title: `Ferry` } }",
      'content/a.md': PAGE,
    },
    'gatsby',
    {
      'sources.include': ['content/**/*.{md,mdx}'],
      'site.base_url': '/x',
      'site.anchors': 'none',
      'site.name': 'Ferry',
    },
  ],
  [
    'MkDocs',
    {
      'mkdocs.yml': 'site_name: Ferry\nsite_url: https://ferry.example/help/\nuse_directory_urls: false\n',
      'docs/a.md': PAGE,
    },
    'mkdocs',
    {
      'sources.include': ['docs/**/*.md'],
      'site.name': 'Ferry',
      'site.base_url': '/help',
      'site.anchors': 'mkdocs',
      'site.url_style': 'html',
    },
  ],
  [
    'Hugo',
    {
      'hugo.toml': 'baseURL = "https://ferry.example/shop/"\ntitle = "Ferry"\nlanguageCode = "de-AT"',
      'content/a.md': PAGE,
    },
    'hugo',
    {
      'sources.include': ['content/**/*.{md,html}'],
      'site.base_url': '/shop',
      'site.name': 'Ferry',
      'site.language': 'de-AT',
    },
  ],
  [
    'Jekyll',
    { '_config.yml': 'title: Ferry\nbaseurl: /help\npermalink: pretty\n', '_layouts/a.html': '<p>x', 'a.md': PAGE },
    'jekyll',
    {
      'pinned.include': ['_rules/**/*.{md,txt}'],
      'sources.exclude': ['_layouts/**'],
      'site.base_url': '/help',
      'site.url_style': 'pretty',
    },
  ],
  [
    'Eleventy',
    { 'eleventy.config.js': "export default { dir: { input: 'pages' } }", 'pages/a.md': PAGE },
    'eleventy',
    // Without a plugin its headings have no ids.
    { 'sources.include': ['pages/**/*.{md,html}'], 'site.anchors': 'none' },
  ],
  [
    'an Obsidian vault',
    { '.obsidian/app.json': '{}', 'Opening hours.md': PAGE },
    'obsidian',
    { 'site.url_style': 'none' },
  ],
  [
    'exported HTML',
    { 'index.html': '<title>Ferry</title><h1>Hours</h1><p>Nine to five.' },
    'plain',
    { 'site.url_style': 'file', 'site.name': 'Ferry' },
  ],
  ['plain Markdown', { 'content/a.md': PAGE }, 'plain', { 'sources.include': ['content/**/*.{md,mdx,html,txt}'] }],
]

describe('init', () => {
  it.each(SITES)('knows %s', async (_, files, generator, settings) => {
    const { generator: seen, settings: written } = await found(files)
    expect(seen).toBe(generator)
    expect(written).toMatchObject(settings)
  })

  it('names in its help the generators that it knows', async () => {
    const { stdout } = await node([join(DIST, 'cli.js'), 'init', '--help'])
    const ids = new Set(SITES.map(([, , generator]) => `"${generator}"`))
    const shown = stdout.slice(stdout.indexOf('--generator'), stdout.indexOf('--name')).match(/"[a-z]+"/g)
    expect(new Set(shown)).toEqual(ids)
  })

  it.each([
    ['Docusaurus', '---\nsidebar_position: 2\n---\n\n# A page\n\nText of it.\n', 'docusaurus'],
    ['VitePress', '# A page\n\n::: tip\nText of it.\n:::\n', 'vitepress'],
    ['Hugo', '# A page\n\n{{< figure src="a.png" >}}\n\nText of it.\n', 'hugo'],
    ['Jekyll', '---\nlayout: article\n---\n\n# A page\n\nText of it.\n', 'jekyll'],
    ['Eleventy', '# A page\n\n{% alert "x" %}\nText of it.\n{% endalert %}\n', 'eleventy'],
    ['Obsidian', '# A page\n\nText of [[Another page]].\n', 'obsidian'],
    ['no generator, though its code speaks of one', '# A page\n\nText.\n\n```md\n[[Note]] {% x %}\n```\n', 'plain'],
  ])('tells pages of %s by what they hold', async (_, page, generator) => {
    expect((await found({ 'a.md': page })).generator).toBe(generator)
  })

  it.each([
    ['en', 'The studio is open and you can visit it with your dog.'],
    ['en', 'Dogs travel free of charge on every crossing.'],
    ['de', 'Das Studio ist geöffnet und Sie können es mit dem Hund besuchen.'],
    ['fr', 'Le studio est ouvert et vous pouvez le visiter avec les chiens.'],
    ['es', 'El estudio está abierto y los perros son bienvenidos para una visita.'],
    ['ja', 'スタジオは9時から17時まで開いています。Vue の ref を使います。'],
    ['zh', '工作室从九点到五点开放。'],
    ['ru', 'Студия открыта с девяти до пяти.'],
  ])('tells %s by the text', async (language, text) => {
    const { settings } = await found({ 'a.md': `# X y\n\n${text}\n` })
    expect(settings['site.language'] ?? 'en').toBe(language)
  })

  it('writes files with which explain, eval and check work at once, and says which', async () => {
    const { dir, written, sections } = await found({ 'content/hours.md': PAGE }, ['--contact', 'desk@ferry.example'])
    expect(written).toEqual(['pinpack.toml', 'rules/promises.md', 'questions.yaml'])
    expect(sections).toBe(1)
    expect(await readFile(join(dir, 'rules/promises.md'), 'utf8')).toContain('desk@ferry.example')
    expect(await readFile(join(dir, 'questions.yaml'), 'utf8')).toContain('content/hours.md#opening-hours')
    const figures = await node([join(DIST, 'cli.js'), 'eval', 'questions.yaml', '--json'], { cwd: dir })
    expect(figures.stderr).toBe('')
    expect(JSON.parse(figures.stdout)['hit@1']).toBe(1)
    const report = await node([join(DIST, 'cli.js'), 'build', '--json'], { cwd: dir })
    expect(JSON.parse(report.stdout)).toMatchObject({ pinnedSections: 1, sections: 2 })
  })

  it('gives a rule no address, wherever the pages lie', async () => {
    const { dir } = await found({ 'hours.md': PAGE })
    await node([join(DIST, 'cli.js'), 'build'], { cwd: dir })
    const { sections } = JSON.parse(await readFile(join(dir, 'knowledge.json'), 'utf8'))
    const urls = sections.map(({ ref, url }: { ref: string; url: string }) => [ref.replace(/#.*/, ''), url])
    expect(urls).toEqual([
      ['hours.md', '/hours#opening-hours'],
      ['rules/promises.md', ''],
    ])
  })

  it('takes no text for machines or lawyers for a page', async () => {
    const { settings, files } = await found({
      'a.md': PAGE,
      'robots.txt': 'Disallow: /',
      'LICENSE.txt': 'As is.',
      'notes.txt': 'Mine.',
    })
    expect(settings['sources.exclude']).toEqual(['LICENSE.txt', 'robots.txt'])
    expect(files).toBe(2)
  })

  it('takes every setting by a flag', async () => {
    const flags = '--name Ferry --language nl --base-url /x --url-style html --anchors none --contact desk@x.example'
    const { settings } = await found({ 'a/b.md': PAGE }, [
      ...flags.split(' '),
      '--include',
      'a/*.md',
      '--generator',
      'hugo',
    ])
    expect(settings).toEqual({
      'site.name': 'Ferry',
      'site.language': 'nl',
      'site.base_url': '/x',
      'site.url_style': 'html',
      'site.anchors': 'none',
      'sources.include': ['a/*.md'],
      'prompt.contact': 'desk@x.example',
    })
  })

  it('shows front matter where pages hold little else', async () => {
    const card = (n: number) => `---\ntitle: Job ${n}\ncompany: Ferry\nrange: 2020\nplace: Harbor\n---\n`
    const { settings } = await found({ 'a.md': card(1), 'b.md': card(2), 'c.md': PAGE })
    expect(settings['sources.front_matter']).toEqual(['*'])
  })

  it('leaves the folder as it was when there is nothing to read, or a flag is wrong', async () => {
    for (const [files, args, code] of [
      [{ 'a.css': 'x' }, [], 'no-sections'],
      [{ 'a.md': PAGE }, ['--include', '[x'], 'config-value'],
      [{ 'a.md': PAGE }, ['--base-url', 'shop'], 'config-value'],
    ] as const) {
      const dir = await folderOf(files)
      const run = await init(dir, [...args])
      expect(run.stderr).toContain(`error[${code}]`)
      expect(run.code).toBe(1)
      expect(await readdir(dir)).toEqual(Object.keys(files))
    }
  })

  it('keeps a rule and questions that are there', async () => {
    const dir = await folderOf({
      'a.md': PAGE,
      'questions.yaml': '[]\n',
      'rules/promises.md': '# Mine\n\nNever lie.\n',
    })
    const { stdout } = await init(dir)
    expect(stdout).toContain('questions.yaml, which was there')
    expect(await readFile(join(dir, 'questions.yaml'), 'utf8')).toBe('[]\n')
    expect(await readFile(join(dir, 'rules/promises.md'), 'utf8')).toContain('Never lie')
  })

  it('writes names that TOML has to quote', async () => {
    const { dir } = await found({ 'a.md': PAGE }, ['--name', 'A "B" \\ \u007f [x]'])
    const { stdout } = await node([join(DIST, 'cli.js'), 'stats', '--json'], { cwd: dir })
    expect(JSON.parse(stdout).site).toBe('A "B" \\ \u007f [x]')
  })
})

describe('the questions that init asks', () => {
  const asker = () => {
    const [input, output] = [new PassThrough(), new PassThrough()]
    let shown = ''
    output.on('data', (text) => {
      shown += text
    })
    return { input, shown: () => shown, asker: new Asker(input, output, () => {}) }
  }

  it('take what is proposed, another answer, or nothing', async () => {
    const { input, asker: one } = asker()
    for (const [typed, answer] of [
      ['', 'proposed'],
      ['  mine ', 'mine'],
      ['-', ''],
    ] as const) {
      const asked = one.text('Name', 'proposed')
      input.write(`${typed}\n`)
      expect(await asked).toBe(answer)
    }
    one.close()
  })

  it('are asked again when the answer is wrong, and take the proposal when the input ends', async () => {
    const { input, shown, asker: one } = asker()
    const asked = one.text('Language', 'en', (text) => (text === 'english' ? 'a tag such as en' : undefined))
    input.write('english\n')
    await expect.poll(shown).toContain('a tag such as en')
    input.end()
    expect(await asked).toBe('en')
  })
})
