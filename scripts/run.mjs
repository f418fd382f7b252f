#!/usr/bin/env node
// The one door to every task: `node scripts/run.mjs start|test|build|bench|fuzz|quality|shots|lint|setup [arguments]`.
// Runs on plain Node 20 without dependencies; what a task needs is set up first.
import { Failure, main, onNewNode } from './shell.mjs'

const TASKS = {
  start: 'build, then serve the demo site and rebuild it as it changes',
  test: 'build, then every check and every test (--only STEP[,STEP] runs some)',
  build: 'make dist/: both wasm files, the ES modules, types, CLI, proxy and script-tag bundle',
  bench: 'build, then measure',
  quality: 'build, then measure retrieval on the shared question sets and write docs/quality.md',
  fuzz: 'fuzz a reader, the cutter or another target (TARGET --minutes 10; without a target, all in a row)',
  shots: 'pictures of every state of the widget, in target/shots (NAME… takes some)',
  lint: 'formatting, lints and types, without the tests',
  setup: 'install everything that the other tasks use',
}

async function run([task, ...args]) {
  if (!Object.hasOwn(TASKS, task ?? '')) {
    const lines = Object.entries(TASKS).map(([name, does]) => `  ${name.padEnd(6)} ${does}`)
    throw new Failure(`${task ? `unknown task '${task}'` : 'no task given'}; the tasks are\n${lines.join('\n')}`)
  }
  await onNewNode()
  const { default: perform } = await import(`./tasks/${task}.mjs`)
  return await perform(args)
}

await main(() => run(process.argv.slice(2)))
