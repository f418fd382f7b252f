/** `pinpack init`: looks at a folder and writes a pinpack.toml that fits, a first rule, and first questions. */

import { access, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve, sep } from 'node:path'
import { readSources } from '../build.ts'
import { PinpackError } from '../errors.ts'
import { Asker } from './init/ask.ts'
import { configText, type Settings } from './init/config.ts'
import { type Detected, detect } from './init/detect.ts'
import { look } from './init/folder.ts'
import { questionsText, RULE_ANCHOR, ruleText } from './init/starter.ts'
import { summary, type Wanted, type Written } from './init/summary.ts'
import { buildWithProgress } from './knowledge.ts'
import { clean, paint, print, printJson } from './terminal.ts'

interface Options {
  generator?: string
  name?: string
  language?: string
  baseUrl?: string
  urlStyle?: string
  anchors?: string
  include: string[]
  contact?: string
  rules: boolean
  questions: boolean
  yes?: boolean
  force?: boolean
  json?: boolean
}

export async function init(folder = '.', options: Options): Promise<undefined> {
  const dir = resolve(folder)
  const file = join(dir, 'pinpack.toml')
  if (!options.force && (await exists(file))) throw alreadyThere(join(folder, 'pinpack.toml'))
  const detected = await detect(await look(dir), options.generator)
  const wanted = await ask(proposal(detected, options), options)
  const written = await writeAll(dir, folder, wanted, options)
  if (options.json) printJson(asJson(wanted, written))
  else print(...summary(folder, wanted, written))
}

function proposal(detected: Detected, options: Options): Wanted {
  const { plan, name, language } = detected
  const settings: Settings = {
    'site.name': options.name ?? name,
    'site.language': options.language ?? language,
    'site.base_url': options.baseUrl ?? plan.basePath ?? '',
    'site.url_style': options.urlStyle ?? plan.urlStyle,
    'site.anchors': options.anchors ?? plan.anchors,
    'sources.include': options.include.length > 0 ? options.include : plan.include,
    'sources.exclude': plan.exclude ?? [],
    'sources.front_matter': detected.frontMatter ? ['*'] : [],
    ...(plan.rules && { 'pinned.include': [`${plan.rules}/**/*.{md,txt}`] }),
    'prompt.contact': options.contact ?? '',
  }
  return { detected, settings, contact: options.contact ?? '' }
}

/** In a terminal each setting that a flag did not give is asked for. */
async function ask(wanted: Wanted, options: Options): Promise<Wanted> {
  if (options.yes || options.json || !process.stdin.isTTY || !process.stderr.isTTY) return wanted
  const { settings, detected } = wanted
  process.stderr.write(`This looks like ${paint.bold(detected.generator.name)}, ${clean(detected.evidence)}.\n`)
  process.stderr.write(paint.dim('Enter takes what is in brackets, - leaves it empty.\n'))
  const asker = new Asker(process.stdin, process.stderr, stopped)
  try {
    const given = async (flag: unknown, key: string, label: string, wrong?: (answer: string) => string | undefined) =>
      flag === undefined ? asker.text(label, String(settings[key] ?? ''), wrong) : String(settings[key] ?? '')
    const name = await given(options.name, 'site.name', 'Name of the site')
    const language = await given(options.language, 'site.language', 'Language of its texts', notATag)
    const base = await given(options.baseUrl, 'site.base_url', 'Path or address before every page', notABase)
    const include = await given(options.include[0], 'sources.include', 'Files that are pages, all unless named')
    const contact = await given(options.contact, 'prompt.contact', 'Where visitors can ask a person (mail or address)')
    return {
      ...wanted,
      contact,
      settings: {
        ...settings,
        'site.name': name,
        'site.language': language,
        'site.base_url': base,
        'sources.include': patterns(include, settings['sources.include']),
        'prompt.contact': contact,
      },
    }
  } finally {
    asker.close()
  }
}

const notATag = (text: string) =>
  /^[A-Za-z0-9-]{2,35}$/.test(text) ? undefined : 'a language tag, such as en or pt-BR'
const notABase = (text: string) =>
  text === '' || text.startsWith('/') || text.includes('://') ? undefined : '/… or https://…, or - for none'

function stopped(): never {
  process.stderr.write('\nstopped: nothing was written\n')
  process.exit(130)
}

/** A list as it was shown, by commas outside braces. */
function patterns(text: string, shown: string | string[] | undefined): string[] {
  if (text === String(shown)) return shown as string[]
  return (text.match(/(?:\{[^}]*\}|[^,{])+/g) ?? []).map((pattern) => pattern.trim()).filter(Boolean)
}

async function writeAll(dir: string, folder: string, wanted: Wanted, options: Options): Promise<Written> {
  const { settings, contact, detected } = wanted
  const config = configText(trimmed(settings), notes(wanted))
  const rule = join(detected.plan.rules ?? 'rules', 'promises.md')
  // The config is tried before anything is written: a wrong flag leaves the folder as it was.
  const { knowledge, report } = await tryBuild(dir, config)
  // A rule that is there already may have another heading.
  const ruleRef =
    options.rules && !(await exists(join(dir, rule))) ? `${rule.split(sep).join('/')}#${RULE_ANCHOR}` : undefined
  const parts: [path: string, text: string, isWanted: boolean][] = [
    ['pinpack.toml', config, true],
    [rule, ruleText(contact), options.rules],
    ['questions.yaml', questionsText(knowledge, ruleRef), options.questions],
  ]
  const [written, kept]: [string[], string[]] = [[], []]
  for (const [path, text, isWanted] of parts) {
    if (!isWanted) continue
    const replaced = path === 'pinpack.toml' && options.force
    const isNew = await writeNew(join(dir, path), text, Boolean(replaced))
    ;(isNew ? written : kept).push(join(folder, path))
  }
  return { written, kept, files: report.files.length, sections: report.sections }
}

/** Builds as the config will have it, from a copy elsewhere. */
async function tryBuild(dir: string, config: string) {
  const draft = await mkdtemp(join(tmpdir(), 'pinpack-init-'))
  try {
    await writeFile(join(draft, 'pinpack.toml'), config)
    const sources = await readSources(dir, { config: join(draft, 'pinpack.toml'), skip: [join(dir, 'pinpack')] })
    return await buildWithProgress(sources)
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}

/** Empty lists and texts are the defaults. */
const trimmed = (settings: Settings): Settings =>
  Object.fromEntries(Object.entries(settings).filter(([, value]) => value.length > 0))

function notes({ detected: { generator, evidence, plan } }: Wanted): string[] {
  return [
    `Written for ${generator.name}: ${clean(evidence)}.`,
    ...(plan.upload ? [`Build: npx pinpack build --out ${plan.upload}`] : []),
    ...(plan.privacy ? [`Keep private what is private: ${plan.privacy}.`] : []),
  ]
}

/** Whether it was written; a file that is there is kept. */
async function writeNew(path: string, text: string, replace: boolean): Promise<boolean> {
  try {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, text, { flag: replace ? 'w' : 'wx' })
    return true
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw new PinpackError('write-failed', `cannot write ${path}: ${(cause as Error).message}`, { cause })
  }
}

const asJson = ({ detected, settings }: Wanted, { written, kept, files, sections }: Written) => ({
  generator: detected.generator.id,
  evidence: detected.evidence,
  settings: trimmed(settings),
  upload: detected.plan.upload ?? null,
  privacy: detected.plan.privacy ?? null,
  files,
  sections,
  written,
  kept,
})

const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  )

const alreadyThere = (file: string) =>
  new PinpackError('file-exists', `${file} is there already\nedit it, or replace it with --force`)
