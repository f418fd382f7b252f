#!/usr/bin/env node
/** `npx pinpack …`: the commands and their options. What each does is in the file of its name. */

import { readFileSync } from 'node:fs'
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import { PinpackError } from '../errors.ts'
import { printError } from './terminal.ts'

/** A command's work, loaded when it is run, so that `--help` loads none. Gives the exit code, 0 by default. */
type Verb = (...args: never[]) => Promise<number | undefined>

/** Names of `www/cli/init/generators.ts`, here so that `--help` loads none of it. */
const GENERATORS = 'starlight astro docusaurus vitepress next gatsby mkdocs hugo jekyll eleventy obsidian plain'.split(
  ' ',
)

const json = () => process.argv.includes('--json')

/** Runs a verb; what it throws is printed, and 1 (or 2 for a wrong call) is the exit code. */
function running(load: () => Promise<Verb>) {
  return async (...args: unknown[]) => {
    try {
      process.exitCode = (await (await load())(...(args as never[]))) ?? 0
    } catch (thrown) {
      printError(thrown, json())
      process.exitCode = PinpackError.from(thrown).code === 'usage' ? 2 : 1
    }
  }
}

const program = new Command('pinpack')
  .description('Pins the rules, packs the rest of your knowledge into a token budget, and shows exactly what was sent.')
  .version(version(), '-v, --version')
  .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, 'error[usage]: ')) })
  .showHelpAfterError('  run it with --help to see what it takes')
  .exitOverride()

command(
  'init [dir]',
  'look at a site and write a pinpack.toml that fits, a first rule and first questions',
  'pinpack init --yes',
)
  .addOption(new Option('--generator <name>', 'what the site is made with (default: looked for)').choices(GENERATORS))
  .option('--name <name>', 'what the assistant calls the site')
  .option('--language <code>', 'language of its texts, such as en or pt-BR')
  .option('--base-url <address>', 'put before every link, such as /docs')
  .addOption(
    new Option('--url-style <style>', 'how files become addresses').choices(['pretty', 'html', 'file', 'none']),
  )
  .addOption(
    new Option('--anchors <style>', 'how headings become ids').choices(['github', 'vitepress', 'mkdocs', 'none']),
  )
  .option('--include <pattern>', 'which files are pages; may be repeated', collect, [])
  .option('--contact <address>', 'where visitors can ask a person')
  .option('--no-rules', 'write no first rule')
  .option('--no-questions', 'write no first questions')
  .option('-y, --yes', 'ask nothing, take what is proposed')
  .option('--force', 'replace the pinpack.toml that is there')
  .action(running(async () => (await import('./init.ts')).init))

command(
  'build [dir]',
  'build the knowledge base, the folder to upload and the file for the proxy',
  'pinpack build --out public/pinpack',
)
  .option('--out <folder>', 'folder to upload (default: pinpack in the folder)')
  .option('--knowledge <file>', 'file for the proxy, outside that folder (default: knowledge.json in the folder)')
  .option('--config <file>', 'config to use (default: pinpack.toml in the folder)')
  .option('--report <file>', 'also write the report as a web page, with pictures')
  .option('--strict', 'a warning is a failure, and nothing is written')
  .option('--watch', 'build again on every change, until Ctrl-C')
  .action(running(async () => (await import('./build.ts')).buildCommand))

command(
  'check [dir]',
  'check that every rule reaches the model, and what else a site has to keep',
  'pinpack check --strict',
)
  .option('--questions <file>', 'your questions (default: questions.yaml in the folder, if it is there)')
  .option('--site <folder>', 'the built site, to look up what answers cite (default: looked for)')
  .option('--out <folder>', 'folder of the build (default: pinpack in the folder)')
  .option('--knowledge <file>', "the proxy's file of the build (default: knowledge.json in the folder)")
  .option('--config <file>', 'config to use (default: pinpack.toml in the folder)')
  .option('--junit <file>', 'also write JUnit XML')
  .option('--github', 'also print annotations for GitHub Actions (default: where GITHUB_ACTIONS is true)')
  .option('--strict', 'a warning is a failure')
  .action(running(async () => (await import('./check.ts')).check))

command(
  'dev [dir]',
  'serve the site with its chat on this machine, and build again on every change',
  'pinpack dev --port 8080',
)
  .option('--port <number>', 'port to listen on (default: 4747, or a free one)', integer(0, 65535))
  .option('--config <file>', 'config to use (default: pinpack.toml in the folder)')
  .option('--open', 'open the page in the browser')
  .option('--reload', 'load open pages again after a change')
  .action(running(async () => (await import('./dev.ts')).dev))

withSource(
  command(
    'explain <question>',
    'show what a question sends, what it leaves out, and why',
    'pinpack explain "can I get a refund?"',
  ),
)
  .option('--history <message>', 'an earlier message of the visitor, earliest first; may be repeated', collect, [])
  .option('--budget <tokens>', "tokens of knowledge (default: the config's)", integer(1))
  .option(
    '--first <characters>',
    'compare with these first characters of the knowledge (default: as many tokens)',
    integer(0),
  )
  .option('--html <file>', 'also write it as a web page')
  .action(running(async () => (await import('./explain.ts')).explain))

command(
  'prompt <question>',
  'print exactly what a question would send to the model',
  'pinpack prompt "can I get a refund?"',
)
  .option('--history <message>', 'an earlier message of the visitor, earliest first; may be repeated', collect, [])
  .option('--budget <tokens>', "tokens of knowledge (default: the config's)", integer(1))
  .option('--dir <folder>', 'folder with pinpack.toml (default: this one)')
  .option('--config <file>', 'config to use (default: pinpack.toml in the folder)')
  .action(running(async () => (await import('./prompt.ts')).prompt))

withSource(
  command(
    'eval [file]',
    'measure retrieval on questions: your own (YAML, JSONL) or BEIR files',
    'pinpack eval questions.yaml',
  ),
)
  .option('--corpus <file>', 'BEIR corpus.jsonl, one section a document, instead of a folder')
  .option('--queries <file>', 'BEIR queries.jsonl')
  .option('--qrels <file>', 'BEIR qrels.tsv')
  .option('--unanswerable <file>', 'questions without an answer, as JSONL like queries.jsonl: adds the coverage AUROC')
  .option(
    '--sweep <key=values>',
    'build and measure with each value of a setting, such as sections.target=200,350; may be repeated',
    collect,
    [],
  )
  .option('--compare <config>', 'measure with another config too, and show what differs')
  .option('--baseline <file>', 'compare with a run that was kept, and fail when this one is worse')
  .option('--update-baseline', 'keep this run in that file instead')
  .option('--html <file>', 'also write a web page')
  .option('--language <code>', 'language of the corpus (default: en)')
  .option('--budget <tokens>', "tokens of knowledge (default: the config's)", integer(1))
  .action(running(async () => (await import('./eval.ts')).evaluate))

withSource(
  command(
    'stats',
    'show what the knowledge base is made of, what of it is ever sent, and what a question costs',
    'pinpack stats --blob public/pinpack/knowledge-3f2a.pinpack',
  ),
)
  .option('--questions <file>', 'your questions (default: questions.yaml in the folder, if it is there)')
  .option('--log <file>', "the proxy's log, a JSON line a request")
  .option('--prices <file>', 'what models cost, as YAML')
  .option('--write-prices <file>', 'write a first table of prices to edit, and nothing else')
  .option('--answer <tokens>', "tokens of an answer (default: the log's mean, else 200)", integer(0))
  .action(running(async () => (await import('./stats.ts')).stats))

command(
  'suggest-pins [dir]',
  'list sentences that read like rules, prices or facts and are not pinned',
  'pinpack suggest-pins --kind rule price',
)
  .addOption(new Option('--kind <kinds...>', 'only these').choices(['rule', 'price', 'contact', 'date']))
  .option('--limit <number>', 'sentences shown of each kind (default: 12)', integer(1))
  .option('--choose <numbers>', 'accept some, such as 1,4-6: they are copied into a file of rules')
  .option('--to <file>', 'that file (default: rules/accepted.md in the folder)')
  .option('--config <file>', 'config to use (default: pinpack.toml in the folder)')
  .action(running(async () => (await import('./suggest-pins.ts')).suggestPins))

command(
  'suggest-synonyms [file]',
  'propose synonyms for words of your questions that find nothing, as TOML',
  'pinpack suggest-synonyms questions.yaml',
)
  .option('--dir <folder>', 'folder with pinpack.toml (default: this one)')
  .option('--config <file>', 'config to use (default: pinpack.toml in the folder)')
  .action(running(async () => (await import('./suggest-synonyms.ts')).suggestSynonyms))

command(
  'completion <shell>',
  'print a script that completes commands in bash, zsh or fish',
  'pinpack completion bash',
).action(running(async () => (await import('./completion.ts')).completion))

withSource(
  command(
    'unanswered <log>',
    "read the proxy's log: what was asked in vain, and where to answer it",
    'pinpack unanswered chat.jsonl --html unanswered.html',
  ),
)
  .option('--html <file>', 'also write it as a web page, with all visitor text escaped')
  .option('--to <file>', 'add the questions to a YAML file for `pinpack eval`')
  .option('--choose <numbers>', 'which questions to add, such as 1,3-5 (default: all)')
  .action(running(async () => (await import('./unanswered.ts')).unanswered))

command(
  'probe <url>',
  'try every check of a deployed proxy from outside',
  'pinpack probe https://example.com/api/chat --origin https://example.com',
)
  .requiredOption('--origin <origin>', 'an origin whose pages may ask there')
  .option('--ask <question>', 'also ask one question, which costs what an answer costs')
  .action(running(async () => (await import('./probe.ts')).probe))

// A reader that closes early (`pinpack explain … | head`) is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))

try {
  await program.parseAsync()
} catch (thrown) {
  if (!(thrown instanceof CommanderError)) throw thrown
  process.exitCode = thrown.exitCode === 0 ? 0 : 2
}

function command(usage: string, description: string, example: string): Command {
  return program
    .command(usage)
    .description(description)
    .option('--json', 'print one JSON document')
    .addHelpText('after', `\nExample:\n  $ npx ${example}`)
}

/** Adds `--dir`, `--config` and `--blob` to a command. */
function withSource(command: Command): Command {
  return command
    .option('--dir <folder>', 'folder with pinpack.toml (default: this one)')
    .option('--config <file>', 'config to use (default: pinpack.toml in the folder)')
    .option('--blob <file>', 'a built .pinpack file, instead of building from the folder')
}

/** Reads a whole number from `min` to `max`. */
function integer(min: number, max = Number.MAX_SAFE_INTEGER) {
  return (text: string) => {
    const value = Number(text)
    if (/^\d+$/.test(text) && value >= min && value <= max) return value
    const range = max === Number.MAX_SAFE_INTEGER ? `${min} or more` : `from ${min} to ${max}`
    throw new InvalidArgumentError(`Give a whole number, ${range}.`)
  }
}

function collect(value: string, earlier: string[]): string[] {
  return [...earlier, value]
}

function version(): string {
  return JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version
}
