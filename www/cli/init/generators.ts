/** The site generators that `pinpack init` knows: how each is recognized, and what fits its sites. */

import { type Folder, firstOf, holds, PAGE } from './folder.ts'

/** What a site's config should say, and what its owner should know. */
export interface Plan {
  /** `[sources] include`; those of the whole folder are the default, so that rules in it are no pages. */
  include: string[]
  exclude?: string[]
  /** `[site] url_style`. */
  urlStyle: 'pretty' | 'html' | 'file' | 'none'
  /** `[site] anchors`. */
  anchors: 'github' | 'vitepress' | 'mkdocs' | 'none'
  /** Path before every address, such as `/docs`; `''` for none. */
  basePath?: string
  /** Folder of the rules; it must not be published. */
  rules?: string
  /** `--out` of the build: a folder that the generator copies into the site as it is. */
  upload?: string
  /** What keeps private files out of the published site. */
  privacy?: string
}

export interface Generator {
  id: string
  name: string
  /** What proves it: a file or a package. */
  proof(folder: Folder): string | undefined
  /** What its pages often hold, when the folder has no more than pages. */
  hint?: RegExp
  plan(folder: Folder, settings: string): Plan
  /** Its settings file. */
  settings?: string[]
}

const PAGES = '**/*.{md,mdx}'

/** The first of some folders that has files, as a pattern; the whole folder when there is none. */
const below = (folder: Folder, names: string[], pattern = PAGES) => {
  const found = names.find((name) => holds(folder, name))
  return found ? `${found}/${pattern}` : pattern
}

/** A file of one of the names, or a package. */
const known = (files: string[], packages: string[]) => (folder: Folder) => {
  const file = firstOf(folder, ...files)
  if (file) return file
  const name = packages.find((name) => folder.packages.has(name))
  return name && `${name} in package.json`
}

/** The value of a key in a settings file of any syntax; quotes and commas are left out. */
export function setting(text: string, key: string): string {
  const value = String.raw`'([^'\n]*)'|"([^"\n]*)"|\x60([^\x60\n]*)\x60|([^\n,#{}[\]]+)`
  const line = new RegExp(String.raw`(?:^|[{,\s])['"]?${key}['"]?[ \t]*[:=][ \t]*(?:${value})`, 'm')
  const found = line.exec(text)?.slice(1) ?? []
  return (found.find((part) => part !== undefined) ?? '').trim()
}

/** The path of an address: `https://example.com/docs/` is `/docs`. */
export const pathOf = (address: string) => address.replace(/^\w+:\/\/[^/]*/, '').replace(/\/+$/, '')

const config = (name: string, ...kinds: string[]) => kinds.map((kind) => `${name}.${kind}`)

/** The first that fits is taken: Starlight's sites are Astro's too. */
export const GENERATORS: Generator[] = [
  {
    id: 'starlight',
    name: 'Starlight',
    proof: known([], ['@astrojs/starlight']),
    settings: config('astro.config', 'mjs', 'ts', 'js'),
    plan: (folder, settings) => ({
      include: [below(folder, ['src/content/docs'])],
      urlStyle: 'pretty',
      anchors: 'github',
      basePath: pathOf(setting(settings, 'base')),
      upload: 'public/pinpack',
    }),
  },
  {
    id: 'astro',
    name: 'Astro',
    proof: known(config('astro.config', 'mjs', 'ts', 'js', 'cjs'), ['astro']),
    settings: config('astro.config', 'mjs', 'ts', 'js'),
    plan: (folder, settings) => ({
      include: ['src/content', 'src/pages'].filter((name) => holds(folder, name)).map((name) => `${name}/${PAGES}`),
      urlStyle: 'pretty',
      anchors: 'github',
      basePath: pathOf(setting(settings, 'base')),
      upload: 'public/pinpack',
    }),
  },
  {
    id: 'docusaurus',
    name: 'Docusaurus',
    proof: known(config('docusaurus.config', 'js', 'ts', 'mjs', 'cjs'), ['@docusaurus/core']),
    hint: /^(sidebar_position|sidebar_label|pagination_next):|from ['"]@(theme|site|docusaurus)\//m,
    settings: config('docusaurus.config', 'js', 'ts', 'mjs', 'cjs'),
    plan: docusaurus,
  },
  {
    id: 'vitepress',
    name: 'VitePress',
    proof: (folder) => vitepressHome(folder)?.proof,
    hint: /^::: (tip|info|warning|danger|details|code-group)\b|^<script setup|^outline: /m,
    settings: ['', 'docs/', 'src/'].flatMap((root) =>
      config(`${root}.vitepress/config`, 'ts', 'mts', 'js', 'mjs', 'cjs'),
    ),
    plan: (folder, settings) => {
      const home = vitepressHome(folder)?.root ?? ''
      return {
        include: [`${home}**/*.md`],
        urlStyle: /cleanUrls:\s*true/.test(settings) ? 'pretty' : 'html',
        anchors: 'vitepress',
        basePath: pathOf(setting(settings, 'base')),
        upload: `${home}public/pinpack`,
        ...(home === '' && { privacy: "add srcExclude: ['rules/**'] to .vitepress/config, or the rules become pages" }),
      }
    },
  },
  {
    id: 'next',
    name: 'Next.js',
    proof: known(config('next.config', 'js', 'mjs', 'ts', 'cjs'), ['next']),
    settings: config('next.config', 'js', 'mjs', 'ts', 'cjs'),
    plan: (folder, settings) => ({
      include: [below(folder, ['content', 'src/content', 'app', 'src/app', 'pages', 'src/pages', 'posts', 'docs'])],
      urlStyle: 'pretty',
      anchors: 'github',
      basePath: pathOf(setting(settings, 'basePath')),
      upload: 'public/pinpack',
    }),
  },
  {
    id: 'gatsby',
    name: 'Gatsby',
    proof: known(config('gatsby-config', 'js', 'ts', 'mjs'), ['gatsby']),
    settings: config('gatsby-config', 'js', 'ts', 'mjs'),
    plan: (folder, settings) => ({
      include: [below(folder, ['content', 'src/content', 'src/pages', 'posts', 'docs'])],
      urlStyle: 'pretty',
      // Without the plugin headings have no ids.
      anchors: settings.includes('autolink-headers') ? 'github' : 'none',
      basePath: pathOf(setting(settings, 'pathPrefix')),
      upload: 'static/pinpack',
    }),
  },
  {
    id: 'mkdocs',
    name: 'MkDocs',
    proof: (folder) => firstOf(folder, 'mkdocs.yml', 'mkdocs.yaml'),
    settings: ['mkdocs.yml', 'mkdocs.yaml'],
    plan: (folder, settings) => {
      const docs = setting(settings, 'docs_dir').replace(/^\.\/|\/$/g, '') || 'docs'
      return {
        include: [below(folder, [docs], '**/*.md')],
        urlStyle: setting(settings, 'use_directory_urls') === 'false' ? 'html' : 'pretty',
        anchors: 'mkdocs',
        basePath: pathOf(setting(settings, 'site_url')),
        // What lies in the folder of the pages is copied as it is.
        upload: `${docs}/pinpack`,
      }
    },
  },
  {
    id: 'hugo',
    name: 'Hugo',
    proof: (folder) =>
      firstOf(folder, ...config('hugo', 'toml', 'yaml', 'yml', 'json')) ??
      (holds(folder, 'archetypes') ? firstOf(folder, ...config('config', 'toml', 'yaml', 'yml')) : undefined),
    hint: /\{\{[<%]\s*\w+.*[>%]\}\}|^\+\+\+\s*$/m,
    settings: [...config('hugo', 'toml', 'yaml', 'yml', 'json'), ...config('config', 'toml', 'yaml', 'yml')],
    plan: (folder, settings) => ({
      include: [below(folder, ['content'], '**/*.{md,html}')],
      urlStyle: /uglyURLs\s*[:=]\s*true/i.test(settings) ? 'html' : 'pretty',
      anchors: 'github',
      basePath: pathOf(setting(settings, 'baseURL')),
      upload: 'static/pinpack',
    }),
  },
  {
    id: 'jekyll',
    name: 'Jekyll',
    proof: (folder) =>
      firstOf(folder, '_config.yml', '_config.yaml') ?? (holds(folder, '_posts') ? '_posts' : undefined),
    hint: /^layout:|\{\{-? ?site\.|^\{:\s*[.#\w]/m,
    settings: ['_config.yml', '_config.yaml'],
    plan: (folder, settings) => ({
      include: ['**/*.{md,markdown,html}'],
      exclude: ['_includes/**', '_layouts/**', '_drafts/**', '_site/**', 'vendor/**', 'README.md'].filter((pattern) =>
        matters(folder, pattern),
      ),
      urlStyle: setting(settings, 'permalink') === 'pretty' || !settings ? 'pretty' : 'html',
      anchors: 'github',
      basePath: pathOf(setting(settings, 'baseurl')),
      // Jekyll publishes no folder that begins with an underscore.
      rules: '_rules',
      privacy: 'add pinpack.toml, questions.yaml and knowledge.json to `exclude` in _config.yml',
    }),
  },
  {
    id: 'eleventy',
    name: 'Eleventy',
    proof: known(['.eleventy.js', ...config('eleventy.config', 'js', 'mjs', 'cjs', 'ts')], ['@11ty/eleventy']),
    hint: /^eleventy\w+:|\{%-? ?\w+/m,
    settings: ['.eleventy.js', ...config('eleventy.config', 'js', 'mjs', 'cjs', 'ts')],
    plan: (folder, settings) => {
      const input = setting(settings, 'input').replace(/^\.\/?|\/$/g, '')
      const root =
        input && holds(folder, input) ? input : ['src', 'content', 'site'].find((name) => holds(folder, name))
      return {
        include: [`${root ? `${root}/` : ''}**/*.{md,html}`],
        exclude: ['_site/**', '**/_includes/**', '**/_data/**'].filter((pattern) => matters(folder, pattern)),
        urlStyle: 'pretty',
        anchors: /anchor|IdAttributePlugin/.test(settings) ? 'github' : 'none',
        basePath: pathOf(setting(settings, 'pathPrefix')),
        ...(!root && { privacy: 'add rules/ to .eleventyignore, or the rules become pages' }),
      }
    },
  },
  {
    id: 'obsidian',
    name: 'Obsidian',
    proof: ({ names }) => (names.has('.obsidian') ? '.obsidian' : undefined),
    hint: /!?\[\[[^\]\n]+\]\]|^> \[!\w+\]|^cssclasses:/m,
    plan: ({ pages }) => ({
      include: ['**/*.md'],
      // A vault is no site; with permalinks it is one of Obsidian Publish.
      urlStyle: pages.filter(({ head }) => /^permalink: *\S/m.test(head)).length * 2 > pages.length ? 'pretty' : 'none',
      anchors: 'none',
    }),
  },
]

/** A folder of pages, of no generator that is known. */
export const PLAIN: Generator = {
  id: 'plain',
  name: 'plain pages',
  proof: () => undefined,
  plan: (folder) => {
    const html = folder.pages.filter(({ path }) => /\.html?$/i.test(path)).length
    const mostlyHtml = html * 2 > folder.pages.length
    const root = ['content', 'docs'].find((name) => holds(folder, name) && folder.files.some((p) => PAGE.test(p)))
    return {
      include: [`${!mostlyHtml && root ? `${root}/` : ''}**/*.{${mostlyHtml ? 'html,htm' : 'md,mdx,html,txt'}}`],
      urlStyle: mostlyHtml ? 'file' : 'pretty',
      anchors: 'github',
      ...(mostlyHtml && { privacy: 'keep rules/, questions.yaml and knowledge.json off the server' }),
    }
  },
}

function docusaurus(folder: Folder, settings: string): Plan {
  const base = pathOf(setting(settings, 'baseUrl'))
  const route = setting(settings, 'routeBasePath').replace(/^\//, '')
  const parts = ['docs', 'blog'].filter((name) => holds(folder, name))
  const both = parts.length > 1 && (route === '' || route === 'docs')
  const shared = { urlStyle: 'pretty', anchors: 'github', upload: 'static/pinpack' } as const
  // In braces the folder is a part of the address: /docs/intro, /blog/news.
  if (both) return { ...shared, include: ['{docs,blog}/**/*.{md,mdx}'], basePath: base }
  const root = parts.includes('docs') ? 'docs/' : ''
  const prefix = root && route === '' ? '/docs' : route && `/${route}`
  return { ...shared, include: [`${root}${PAGES}`], basePath: `${base}${root ? prefix : ''}` }
}

function vitepressHome(folder: Folder): { root: string; proof: string } | undefined {
  const { files, names, packages } = folder
  if (names.has('.vitepress')) return { root: '', proof: '.vitepress' }
  if (!packages.has('vitepress')) return undefined
  // Hidden folders are not listed; the usual homes of the pages are known.
  const root = ['docs/', 'src/'].find((name) => files.some((path) => path.startsWith(name) && path.endsWith('.md')))
  return { root: root ?? '', proof: 'vitepress in package.json' }
}

/** Whether an excluded pattern leaves anything out. */
function matters({ files }: Folder, pattern: string): boolean {
  const part = pattern.replace(/\/?\*\*\/?/g, '')
  return files.some((path) => path === part || `/${path}`.includes(`/${part}/`))
}
