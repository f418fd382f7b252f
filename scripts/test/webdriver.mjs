// webdriver.json with the path of the browser in it, for a Chromium that chromedriver would not find by itself.
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { at } from '../shell.mjs'

/** Resolves to the path of the file. */
export async function webdriverConfig({ chromium }) {
  const config = JSON.parse(await readFile(at('webdriver.json'), 'utf8'))
  config['goog:chromeOptions'].binary = chromium
  const path = at('target', 'webdriver.json')
  await mkdir(at('target'), { recursive: true })
  await writeFile(path, JSON.stringify(config, null, 2))
  return path
}
