/** What `pinpack init` wrote, and what comes next, as lines for a person. */

import { join, relative, resolve } from 'node:path'
import { clean, paint, plural } from '../terminal.ts'
import type { Settings } from './config.ts'
import type { Detected } from './detect.ts'

/** What is written, as it was proposed or as the owner wants it. */
export interface Wanted {
  detected: Detected
  settings: Settings
  contact: string
}

/** The files written, and what the first build of them gave. */
export interface Written {
  written: string[]
  kept: string[]
  files: number
  sections: number
}

/** `folder` is the site's, as its owner named it. */
export function summary(
  folder: string,
  { detected, settings }: Wanted,
  { written, kept, files, sections }: Written,
): string[] {
  const { generator, evidence, plan } = detected
  const include = settings['sources.include'] as string[]
  const here = relative('.', resolve(folder)) ? ` ${relative('.', resolve(folder))}` : ''
  const out = plan.upload ? ` --out ${join(folder, plan.upload)}` : ''
  const row = (name: string, text: string) => `${paint.bold(name.padEnd(9))} ${text}`
  return [
    row('found', `${generator.name}, ${clean(evidence)}`),
    row(
      'pages',
      `${clean(include.join(', ') || 'every page below this folder')}: ${plural(files, 'file')}, ${plural(sections, 'section')}`,
    ),
    row('language', String(settings['site.language'])),
    ...written.map((path) => row('wrote', clean(path))),
    ...kept.map((path) => row('kept', `${clean(path)}, which was there`)),
    ...(plan.privacy ? [row('private', plan.privacy)] : []),
    '',
    `Write your rules into ${join(folder, plan.rules ?? 'rules')}/, questions of visitors into questions.yaml. Then:`,
    `  npx pinpack dev${here}`.padEnd(44) + paint.dim(' try it in the browser'),
    `  npx pinpack check${here}`.padEnd(44) + paint.dim(' does every rule reach its questions?'),
    `  npx pinpack build${here}${out}`.padEnd(44) + paint.dim(' the folder to upload and the file for the proxy'),
  ]
}
