/** The style sheet of the report page: light and dark, from a phone's width up, and on paper. */

export const PAGE_STYLE = `
:root { color-scheme: light dark; --page: #fbfaf8; --ink: #1c1d21; --soft: #5a5c66; --line: #d9d7d1; --fill: #f0eee9;
  --pinned: #b3472b; --scored: #3d7a4f; --neighbor: #8a6fb0; --floor: #2f6f8f; --free: #c9d7dd; --bar: #2f6f8f }
@media (prefers-color-scheme: dark) { :root { --page: #17181c; --ink: #ececee; --soft: #a5a7b2; --line: #35373f; --fill: #212329;
  --pinned: #e8825f; --scored: #7cc292; --neighbor: #b9a1dd; --floor: #5fa8cb; --free: #3a4a54; --bar: #5fa8cb } }
* { box-sizing: border-box }
body { margin: 0 auto; padding: 2rem clamp(1rem, 4vw, 3rem) 3rem; max-width: 64rem; background: var(--page); color: var(--ink);
  font: 1rem/1.55 system-ui, sans-serif; overflow-wrap: anywhere }
h1 { margin: 0; font-size: 1.9rem; line-height: 1.2 }
h2 { margin: 3rem 0 1rem; padding-bottom: .3rem; font-size: 1.3rem; border-bottom: 1px solid var(--line) }
h3 { margin: 1.4rem 0 .3rem; font-size: 1rem }
header p, footer, figcaption, caption, .figures span, .count { color: var(--soft) }
code { font: .88em ui-monospace, monospace }
h3 code { font-weight: 700 }
h3 + p { margin: 0 }
a { color: var(--floor) }
.count::before { content: '× ' }
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(10.5rem, 1fr)); gap: .75rem; margin: 2rem 0 0 }
.figures div { padding: .8rem 1rem; background: var(--fill); border-radius: .5rem }
.figures dt { font-size: .85rem; color: var(--soft) }
.figures dd { margin: 0 }
.figures strong { display: block; font-size: 1.6rem; line-height: 1.3; font-variant-numeric: tabular-nums }
.figures span { font-size: .85rem }
svg { display: block; width: 100% }
svg text { fill: var(--soft); font: 13px system-ui, sans-serif }
svg line { stroke: var(--line) }
svg .axis { stroke: var(--soft) }
svg .median { stroke: var(--ink); stroke-width: 1.5; stroke-dasharray: 5 4 }
svg .bar { fill: var(--bar) }
.budget { height: 2.25rem; border-radius: .4rem }
.pinned { fill: var(--pinned); background: var(--pinned) }
.scored { fill: var(--scored); background: var(--scored) }
.neighbor { fill: var(--neighbor); background: var(--neighbor) }
.floor { fill: var(--floor); background: var(--floor) }
.free { fill: var(--free); background: var(--free) }
.legend, .plain { list-style: none; margin: .75rem 0 0; padding: 0 }
.plain { margin: 0 }
.legend li { display: inline-block; margin: 0 1.5rem .25rem 0 }
.legend i { display: inline-block; width: .8em; height: .8em; margin-right: .5em; border-radius: .15em }
figure { margin: 0 }
figcaption, caption { font-size: .88rem }
figcaption { margin-top: .4rem }
.pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(22rem, 100%), 1fr)); gap: 0 2rem }
.scroll { overflow-x: auto; margin-top: 1.25rem }
table { width: 100%; border-collapse: collapse; font-size: .93rem }
caption { padding-bottom: .3rem; text-align: left }
th, td { padding: .35rem .75rem .35rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top }
thead th { font-size: .85rem; color: var(--soft); white-space: nowrap }
tbody th { font-weight: 400; min-width: 11rem }
.number { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; padding-right: 0; padding-left: .75rem }
.short { white-space: nowrap }
.number + :not(.number) { padding-left: 1.5rem }
.bar i { display: block; height: 3px; margin: 2px 0 0 auto; background: var(--bar) }
.bar { min-width: 6rem }
ul { margin: .3rem 0; padding-left: 1.2rem }
summary { margin-top: .6rem; cursor: pointer; color: var(--soft) }
:focus-visible { outline: 2px solid var(--floor); outline-offset: 2px }
footer { margin-top: 3rem; font-size: .88rem }
@media (max-width: 36rem) { svg text { font-size: 25px } }
@media print { body { max-width: none; padding: 0 } section { break-inside: avoid-page } }
`
