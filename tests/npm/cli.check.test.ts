/** `pinpack check`: planted faults are found, and nothing is found on a site without them. */

import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { contradict, factsOf, wordsOf } from '../../www/cli/check/facts.ts'
import { openersOf } from '../../www/cli/check/openers.ts'
import { annotations, junit } from '../../www/cli/check/output.ts'
import { DIST, node, ROOT, siteFolder } from './fixture.ts'

const pinpack = (args: string[], cwd: string, env: Record<string, string> = {}) =>
  node([join(DIST, 'cli.js'), ...args], { cwd, env: { GITHUB_ACTIONS: '', ...env } })

interface Finding {
  code: string
  level: string
  message: string
  remedy: string
  file?: string
}

/** The demo as its owner has it, built and with its pages; the tests spoil copies. */
let clean: string

beforeAll(async () => {
  clean = await mkdtemp(join(tmpdir(), 'pinpack-demo-'))
  for (const name of ['content', 'rules', 'pinpack.toml', 'questions.yaml'])
    await cp(join(ROOT, 'www/demo', name), join(clean, name), { recursive: true })
  // The demo's own site build; plain JavaScript.
  const { buildSite } = await import(pathToFileURL(join(ROOT, 'www/demo/site.mjs')).href)
  await buildSite({ outDir: join(clean, 'site') })
  expect((await pinpack(['build'], clean)).code).toBe(0)
})
afterAll(() => rm(clean, { recursive: true, force: true }))

async function demo(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'pinpack-demo-'))
  onTestFinished(() => rm(dir, { recursive: true, force: true }))
  await cp(clean, dir, { recursive: true })
  return dir
}

async function check(dir: string, args: string[] = []) {
  const { code, stdout, stderr } = await pinpack(['check', '--json', ...args], dir)
  expect(stderr).toBe('')
  const { passed, checks } = JSON.parse(stdout)
  const findings: Finding[] = checks.flatMap(({ findings }: { findings: Finding[] }) => findings)
  return { code, passed, checks, findings, codes: [...new Set(findings.map(({ code }) => code))].sort() }
}

const edit = async (file: string, change: (text: string) => string) =>
  writeFile(file, change(await readFile(file, 'utf8')))

/** The fault; how it is planted; every code that it must give and no other; the exit code; what is named. */
type Planted = [fault: string, plant: (dir: string) => Promise<unknown>, codes: string[], exit: number, named: string]

/** Changed sources make the build on the disk stale: those faults are planted and built. */
const built = (plant: (dir: string) => Promise<unknown>) => async (dir: string) => {
  await plant(dir)
  expect((await pinpack(['build'], dir)).code).toBe(0)
}

const PLANTED: Planted[] = [
  [
    'a rule that a question needs is not pinned',
    built((dir) => edit(join(dir, 'pinpack.toml'), (text) => text.replace('rules/**/*.md', 'rules/[!r]*.md'))),
    ['pinned-missing'],
    1,
    'rules/refunds.md#refunds',
  ],
  [
    'a rule was pinned when the site was built',
    (dir) => edit(join(dir, 'pinpack.toml'), (text) => text.replace('rules/**/*.md', 'rules/[!d]*.md')),
    ['build-stale', 'pin-gone'],
    1,
    'rules/drones.md#drone-safety',
  ],
  [
    'a rule that a question needs is gone',
    built((dir) => rm(join(dir, 'rules/refunds.md'))),
    ['pinned-missing'],
    1,
    'is no section',
  ],
  [
    'a heading is not pinned any more',
    (dir) => edit(join(dir, 'content/booking.md'), (text) => text.replace(' {.pinned}', '')),
    ['build-stale', 'pin-gone'],
    1,
    'content/booking.md#deposit',
  ],
  [
    'nothing is pinned',
    built(async (dir) => {
      await edit(join(dir, 'pinpack.toml'), (text) => text.replace('rules/**/*.md', 'rulse/**/*.md'))
      await edit(join(dir, 'content/booking.md'), (text) => text.replace(' {.pinned}', ''))
      await edit(join(dir, 'content/opening-hours.md'), (text) => text.replace('pinned: true\n', ''))
      await edit(join(dir, 'questions.yaml'), (text) => text.replace(/ {2}pinned: .*\n/g, ''))
    }),
    ['nothing-pinned'],
    0,
    'no section is pinned',
  ],
  [
    'a pin is over the budget',
    (dir) =>
      writeFile(
        join(dir, 'rules/all.md'),
        `# All\n\n${'Never promise the whole of what is written here. '.repeat(400)}\n`,
      ),
    ['pinned-over-budget'],
    1,
    'rules/all.md',
  ],
  [
    'the pinned share is over the half',
    built((dir) =>
      edit(join(dir, 'pinpack.toml'), (text) =>
        text.replace('context = 3700', 'context = 1500').replace('floor = 2950', 'floor = 1200'),
      ),
    ),
    // Less room is left for what answers.
    ['pinned-share', 'question-missed'],
    0,
    '55',
  ],
  [
    'a rule cannot be read',
    built((dir) => writeFile(join(dir, 'rules/odd.md'), Buffer.from([0, 1, 2, 0xff, 0xfe, 0, 0]))),
    ['pinned-skipped'],
    1,
    'rules/odd.md',
  ],
  [
    'two rules give two prices for one thing',
    built((dir) => writeFile(join(dir, 'rules/editing.md'), '# Editing\n\nEditing costs $85 an hour.\n')),
    ['contradiction'],
    1,
    '$85',
  ],
  [
    'a page gives another price than a rule',
    built((dir) =>
      edit(
        join(dir, 'content/faq.md'),
        (text) => `${text}\n## What is an hour of editing?\n\nEditing is $85 an hour.\n`,
      ),
    ),
    // The page is not in the built site, and is not looked up: it is the source of one that is.
    ['cited-anchor', 'contradiction'],
    0,
    '$85',
  ],
  [
    'a page links to one that is not there',
    built((dir) => edit(join(dir, 'content/faq.md'), (text) => `${text}\nSee [the attic](/attic/) too.\n`)),
    ['broken-link'],
    0,
    '/attic/',
  ],
  [
    'a page that answers cite is not in the built site',
    (dir) => rm(join(dir, 'site/dog'), { recursive: true }),
    ['cited-page'],
    1,
    '/dog',
  ],
  [
    'a heading that answers cite is not in the built site',
    (dir) =>
      edit(join(dir, 'site/faq/index.html'), (text) => text.replace('id="do-you-film-weddings"', 'id="weddings"')),
    ['cited-anchor'],
    0,
    'do-you-film-weddings',
  ],
  [
    'all addresses are of another style',
    built((dir) =>
      edit(join(dir, 'pinpack.toml'), (text) => text.replace('base_url = ""', 'base_url = ""\nurl_style = "file"')),
    ),
    ['cited-page'],
    0,
    'site.url_style',
  ],
  [
    'the sources are newer than the build',
    (dir) => edit(join(dir, 'content/about.md'), (text) => `${text}\nThere is always tea.\n`),
    ['build-stale'],
    1,
    'pinpack build',
  ],
  [
    "the folder and the proxy's file are of two builds",
    (dir) => edit(join(dir, 'knowledge.json'), (text) => text.replace(/"hash":"[0-9a-f]{4}/, '"hash":"0000')),
    ['build-stale'],
    1,
    'knowledge.json',
  ],
  [
    'a file of the build was not uploaded',
    async (dir) => {
      const [blob] = (await readdir(join(dir, 'pinpack'))).filter((name) => name.endsWith('.pinpack'))
      await rm(join(dir, 'pinpack', blob as string))
    },
    ['build-incomplete'],
    1,
    '.pinpack',
  ],
  [
    'the floor is empty',
    built((dir) => edit(join(dir, 'pinpack.toml'), (text) => text.replace('floor = 2950', 'floor = 0'))),
    ['floor-empty'],
    1,
    'budget.floor',
  ],
  [
    'the floor is no higher than the pinned sections',
    built((dir) => edit(join(dir, 'pinpack.toml'), (text) => text.replace('floor = 2950', 'floor = 800'))),
    ['floor-empty'],
    1,
    'budget.floor',
  ],
  [
    "the proxy's file is in the folder to upload",
    (dir) => cp(join(dir, 'knowledge.json'), join(dir, 'pinpack/knowledge.json')),
    ['knowledge-public'],
    1,
    'pinpack/knowledge.json',
  ],
  [
    "the proxy's file is in the site",
    (dir) => cp(join(dir, 'knowledge.json'), join(dir, 'site/knowledge.json')),
    ['knowledge-public'],
    1,
    'site/knowledge.json',
  ],
  [
    'the site publishes a rule as a page',
    (dir) => cp(join(dir, 'site/faq'), join(dir, 'site/rules/discounts'), { recursive: true }),
    ['rule-public'],
    1,
    'rules/discounts.md',
  ],
  [
    'a question has no section that answers any more',
    (dir) => edit(join(dir, 'questions.yaml'), (text) => text.replace('#olli-the-studio-dog', '#the-dog')),
    ['question-missed'],
    0,
    'who is olli?',
  ],
]

describe('check', () => {
  it('finds nothing on the clean demo, and skips nothing', async () => {
    const { code, passed, checks, findings } = await check(clean, ['--strict'])
    expect(findings).toEqual([])
    expect(passed).toBe(true)
    expect(code).toBe(0)
    const names = [
      'pinned',
      'questions',
      'openers',
      'budget',
      'share',
      'facts',
      'citations',
      'links',
      'build',
      'privacy',
    ]
    expect(checks.map(({ check, state }: { check: string; state: string }) => [check, state])).toEqual(
      names.map((name) => [name, 'passed']),
    )
  })

  it.each(PLANTED)('finds that %s', async (_, plant, codes, exit, named) => {
    const dir = await demo()
    await plant(dir)
    const { code, codes: found, findings } = await check(dir)
    expect(found).toEqual(codes)
    expect(findings.map(({ message, remedy }) => `${message} ${remedy}`).join('\n')).toContain(named)
    for (const { remedy } of findings) expect(remedy).not.toBe('')
    expect(code).toBe(exit)
    if (exit === 0) expect((await check(dir, ['--strict'])).code).toBe(1)
  })

  it('names each pinned section with the questions that are its own, and asks all of them', async () => {
    const { checks } = await check(clean)
    const [{ pins }] = checks
    const rules = (await readdir(join(clean, 'rules'))).map((name) => `rules/${name}`)
    expect(pins.map(({ ref }: { ref: string }) => ref.replace(/#.*/, ''))).toEqual(
      ['content/booking.md', 'content/opening-hours.md', ...rules].sort(),
    )
    for (const { ref, questions } of pins) {
      expect(questions.length, ref).toBeGreaterThanOrEqual(2)
    }
    const refunds = pins.find(({ ref }: { ref: string }) => ref === 'rules/refunds.md#refunds')
    expect(refunds.questions).toContain('can I get a refund?')
    expect(refunds.questions).toContain('Refunds')
  })

  it('fails where all addresses are of another style than the site that was named', async () => {
    const dir = await demo()
    await edit(join(dir, 'pinpack.toml'), (text) => text.replace('base_url = ""', 'base_url = ""\nurl_style = "file"'))
    const { findings, code } = await check(dir, ['--site', join(dir, 'site')])
    expect(findings.find(({ code }) => code === 'cited-page')?.level).toBe('error')
    expect(code).toBe(1)
  })

  it('reads what build reads, a built site that no pattern leaves out included', async () => {
    const dir = await siteFolder({
      'pinpack.toml': '',
      '_site/index.html': '<h1>Start</h1><p>Welcome.',
      '_site/content/dog.html': '<h1 id="the-studio-dog">Dog</h1>',
    })
    expect((await pinpack(['build'], dir)).code).toBe(0)
    const { checks } = await check(dir)
    expect(checks.find(({ check }: { check: string }) => check === 'build')).toMatchObject({ state: 'passed' })
  })

  it('takes the index.html of an app for no site', async () => {
    const dir = await siteFolder({ 'index.html': '<div id="app"></div>' })
    const { checks } = await check(dir)
    expect(checks.find(({ check }: { check: string }) => check === 'citations')).toMatchObject({ state: 'skipped' })
  })

  it('takes pages in HTML for the site', async () => {
    const dir = await siteFolder({
      'pinpack.toml': '[site]\nurl_style = "file"\n[sources]\ninclude = ["*.html"]\n',
      'index.html': '<h1 id="start">Start</h1><p>Welcome aboard.',
    })
    const { checks } = await check(dir)
    expect(checks.find(({ check }: { check: string }) => check === 'citations')).toMatchObject({ state: 'passed' })
  })

  it('works without questions, build and site, and says what it skipped', async () => {
    const { code, checks } = await check(await siteFolder())
    expect(code).toBe(0)
    const skipped = checks.filter(({ state }: { state: string }) => state === 'skipped')
    expect(skipped.map(({ check }: { check: string }) => check)).toEqual(['questions', 'citations', 'build'])
    for (const { said } of skipped) expect(said).not.toBe('')
  })

  it('asks in the language of the site', async () => {
    const dir = await siteFolder({
      'pinpack.toml': '[site]\nlanguage = "de-AT"\n[sources]\ninclude = ["content/**/*.md"]\n',
    })
    const { checks } = await check(dir)
    expect(checks.find(({ check }: { check: string }) => check === 'openers').said).toContain('(de-AT)')
    expect(openersOf('de-AT')).toContain('hallo, ich brauche Hilfe')
    expect(openersOf('no')).toEqual(openersOf('nb'))
    expect(openersOf('xx')).toEqual(openersOf('en'))
  })

  it.each([
    ['a config that cannot be read', { 'pinpack.toml': '[site' }, [], 1, 'config-syntax'],
    ['questions that cannot be read', { 'questions.yaml': '- question: x\n' }, [], 1, 'questions-invalid'],
    ['a site that is not there', {}, ['--site', 'nowhere'], 1, 'read-failed'],
    ['questions that are not there', {}, ['--questions', 'nowhere.yaml'], 1, 'read-failed'],
  ])('fails at %s', async (_, files, args, exit, code) => {
    const run = await pinpack(['check', ...args], await siteFolder(files as Record<string, string>))
    expect(run.code).toBe(exit)
    expect(run.stderr).toContain(`error[${code}]`)
    expect(run.stdout).toBe('')
  })
})

describe('the outputs of check', () => {
  const faulty = () =>
    siteFolder({
      'rules/a.md': '# Editing\n\nEditing costs $85 an hour.\n',
      'rules/b.md': '# Film\n\nEditing costs $95 an hour.\n',
    })

  it('are JUnit, one test case a check', async () => {
    const dir = await faulty()
    const { code } = await pinpack(['check', '--junit', 'out/check.xml'], dir)
    expect(code).toBe(1)
    const xml = await readFile(join(dir, 'out/check.xml'), 'utf8')
    expect(xml).toMatch(/<testsuite name="pinpack check" tests="10" failures="1" errors="0" skipped="3"/)
    expect(xml.match(/<testcase /g)).toHaveLength(10)
    expect(xml).toMatch(/<failure type="contradiction" message="two amounts for &#34;/)
  })

  it('are annotations at the file where GitHub runs it, and elsewhere none', async () => {
    const dir = await faulty()
    expect((await pinpack(['check'], dir)).stderr).toBe('')
    const { stderr, stdout } = await pinpack(['check', '--json'], dir, { GITHUB_ACTIONS: 'true' })
    expect(stderr).toMatch(/^::error file=rules\/b\.md,line=3,title=pinpack contradiction::two amounts for .+%0A.+$/m)
    const { passed, checks } = JSON.parse(stdout)
    expect(passed).toBe(false)
    const [found] = checks.flatMap(({ findings }: { findings: (Finding & { line?: number })[] }) => findings)
    // The third line is where it says $95.
    expect(found).toMatchObject({ file: 'rules/b.md', line: 3 })
  })

  it('escape what they hold', () => {
    const finding = {
      code: 'x',
      level: 'error' as const,
      message: '50% <a>\u0000 "b"',
      remedy: 'do: this, that',
      file: 'a:b,c.md',
    }
    const outcomes = [{ check: 'c', about: 'a & b', said: '', skipped: false, findings: [finding] }]
    const xml = junit(outcomes, false)
    expect(xml).toContain('50% &#60;a&#62;\ufffd &#34;b&#34;')
    expect(xml).toContain('name="c: a &#38; b"')
    expect(annotations(outcomes, false, 'site')).toEqual([
      '::error file=site/a%3Ab%2Cc.md,line=1,title=pinpack x::50%25 <a>\u0000 "b"%0Ado: this, that',
    ])
  })
})

describe('facts', () => {
  const told = (text: string, title = '') => {
    const [fact] = factsOf(text)
    if (!fact) throw new Error(`no amount in ${text}`)
    return { fact, words: wordsOf(fact, title) }
  }

  it.each([
    ['Editing costs $85 an hour.', 'Editing is $95 an hour.'],
    ['An hour of editing is 85 €.', 'We charge 95 € per hour of editing.'],
    ['Refunds are paid within 14 days of the request.', 'Refunds are paid within 30 days of the request.'],
    ['A deposit of 30% is due on booking.', 'A deposit of 50 percent is due on booking.'],
    ['The studio room costs 1.450 € per week.', 'The studio room costs 1.540 € per week.'],
  ])('contradict: %s / %s', (a, b) => expect(contradict(told(a), told(b))).toBe(true))

  it.each([
    ['other things', 'Editing costs $85 an hour.', 'Sound repair costs $95 an hour.'],
    [
      'the same amount, written otherwise',
      'The studio room costs $1,450 a week.',
      'The studio room costs 1450.00 USD a week.',
    ],
    [
      'the same in another order of marks',
      'The studio room costs 1.450,00 € a week.',
      'The studio room costs €1450 a week.',
    ],
    ['other sizes of one thing', 'Streaming with one camera is $1,450.', 'Streaming with three cameras is $2,900.'],
    ['a limit', 'Company films start at $4,800.', 'Company films start at $5,200 or more.'],
    ['other kinds', 'A deposit of 30% is due on booking.', 'A deposit of $300 is due on booking.'],
    [
      'other units',
      'Answers come within 2 days of a question.',
      'Answers come within 2 hours of 2 days of a question.',
    ],
  ])('do not contradict: %s', (_, a, b) => {
    const [first, second] = [factsOf(a), factsOf(b)].map((facts) =>
      facts.map((fact) => ({ fact, words: wordsOf(fact, '') })),
    )
    for (const one of first ?? []) for (const other of second ?? []) expect(contradict(one, other)).toBe(false)
  })

  it('are none in code, nor where nothing is said of an amount', () => {
    expect(
      factsOf('```\nEditing costs $85 an hour.\n```\n\nWrite `$1 an hour` here.\n\n- 6 months\n- 1 year\n'),
    ).toEqual([])
  })

  it('read a sentence of several amounts clause by clause, each about what stands before it', () => {
    const facts = factsOf('Recording is $1,150 a half day and $1,900 a full day; editing is $95 an hour.')
    expect(facts.map(({ amount }) => amount)).toEqual(['$1,150', '$1,900', '$95'])
    expect(facts.map((fact) => [...wordsOf(fact, '')])).toEqual([
      ['record', 'half', 'day'],
      ['full', 'day', 'record'],
      ['edit', 'hour'],
    ])
  })
})
