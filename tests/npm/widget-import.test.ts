/** On a server the widget can be imported, and nothing happens. */

import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { expect, test } from 'vitest'
import type { Pack, Receipt } from '../../www/types.ts'
import { compareReceipt } from '../../www/widget/receipt.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

test('imports without a DOM, as a module and as a script tag', async () => {
  const outdir = await mkdtemp(join(ROOT, 'node_modules', '.widget-'))
  await build({
    absWorkingDir: ROOT,
    entryPoints: { widget: 'www/widget/index.ts', tag: 'www/widget/tag.ts' },
    outdir,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'neutral',
    packages: 'external',
    external: ['*/wasm/query/pinpack.js'],
  })
  const url = (name: string) => JSON.stringify(pathToFileURL(join(outdir, name)).href)
  const script = `const { PinpackChat } = await import(${url('widget.js')}); await import(${url('tag.js')});
    console.log(typeof PinpackChat, typeof document, customElements?.get?.('pinpack-chat'))`
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script])
  expect(stdout.trim()).toBe('function undefined undefined')
  expect(stderr).toBe('')
  await rm(outdir, { recursive: true })
})

const section = (id: number, tokens: number) => ({ id, tokens })
const pack = { hash: 'a', tokens: 30, budget: 100, sections: [section(0, 10), section(4, 20)] } as unknown as Pack
const receipt = (changes: object) => ({ ...pack, model: 'm', ...changes }) as unknown as Receipt

test('finds a receipt that differs from the pack', () => {
  expect(compareReceipt({ pack, receipt: receipt({}) }).state).toBe('match')
  expect(compareReceipt({ pack }).state).toBe('none')
  expect(compareReceipt({ pack, receipt: receipt({ hash: 'b' }) }).problems).toEqual(['hash: a packed, b sent'])
  const other = receipt({ sections: [section(0, 10), section(5, 20), section(6, 1)] })
  expect(compareReceipt({ pack, receipt: other }).problems).toEqual([
    'passage 2: section 4 packed, 5 sent',
    'passage 3: section none packed, 6 sent',
  ])
  expect(compareReceipt({ pack, receipt: receipt({ sections: [section(0, 9), section(4, 20)] }) }).problems).toEqual([
    'section 0: 10 tokens packed, 9 sent',
  ])
})
