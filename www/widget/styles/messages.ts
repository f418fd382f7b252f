/** Questions, answers, citations, sources and notices. */
import { css } from 'lit'

export const messageStyles = css`
.entry { animation: appear 0.22s var(--ease); }
.entry + .entry { margin-block-start: 18px; }
@keyframes appear { from { opacity: 0; transform: translateY(6px); } }
.bubble { inline-size: fit-content; max-inline-size: 85%; margin-inline-start: auto; padding: 9px 14px; border-radius: 18px; border-end-end-radius: 6px; background: var(--accent-soft); white-space: pre-wrap; }

.markdown > * + * { margin-block-start: 10px; }
.markdown strong { font-weight: 650; }
.markdown em { font-style: italic; }
.markdown h3, .markdown h4 { font-weight: 650; line-height: 1.3; margin-block-start: 16px; }
.markdown h3 { font-size: 16.5px; }
.markdown ul, .markdown ol { padding-inline-start: 22px; }
.markdown ul { list-style: disc; }
.markdown ol { list-style: decimal; }
.markdown li + li { margin-block-start: 4px; }
.markdown li::marker { color: var(--muted); }
.markdown li > * + * { margin-block-start: 6px; }
.markdown code { font: 0.88em/1.5 var(--mono); padding: 0.12em 0.36em; border-radius: 5px; background: var(--soft); }
.code { border: 1px solid var(--line); border-radius: 12px; overflow: hidden; }
.caption { display: flex; align-items: center; justify-content: space-between; padding: 2px 4px 2px 14px; font: 500 12px/1 var(--mono); color: var(--muted); border-block-end: 1px solid var(--line); direction: ltr; }
.markdown pre { overflow-x: auto; padding: 11px 14px; background: var(--soft); direction: ltr; text-align: left; scrollbar-width: thin; scrollbar-color: var(--line) transparent; }
.markdown pre:focus-visible, .table:focus-visible { outline-offset: -2px; }
.markdown pre code { padding: 0; background: none; font-size: 13px; }
.markdown blockquote { padding-inline-start: 14px; border-inline-start: 3px solid color-mix(in oklab, var(--accent) 55%, var(--bg)); }
.markdown mark { padding: 0.05em 0.12em; margin: 0 -0.12em; border-radius: 4px; color: inherit; background: light-dark(#fdf0b4, #4f4416); }
.markdown hr { border: 0; border-block-start: 1px solid var(--line); }
.table { overflow-x: auto; scrollbar-width: thin; }
table { border-collapse: collapse; font-size: 14px; line-height: 1.45; }
th, td { padding: 6px 14px 6px 0; text-align: start; vertical-align: top; border-block-end: 1px solid var(--line); }
th { font-weight: 650; }
[data-align='center'] { text-align: center; }
[data-align='end'] { text-align: end; }

/* Not a box of its own: it stays on the line of the word that it supports. */
.chip { position: relative; margin-inline: 5px 0; padding: 2.5px 6.5px; border-radius: 6px; white-space: nowrap; font: 600 11px/1 var(--font); font-variant-numeric: tabular-nums; color: var(--accent-text); background: var(--accent-soft); text-decoration: none; vertical-align: 2px; transition: background 0.15s, color 0.15s; }
.chip::after { content: ''; position: absolute; inset: -4px -2.5px; }
a.chip:hover, .chip:focus-visible { color: var(--on-accent); background: var(--accent); }

.sources { margin-block-start: 14px; }
.label { font-size: 12px; line-height: 16px; font-weight: 600; color: var(--muted); }
.sources ol { margin: 4px -8px 0; }
.source { display: flex; align-items: baseline; gap: 9px; min-block-size: 32px; padding: 5px 8px; border-radius: 9px; color: inherit; text-decoration: none; font-size: 13.5px; line-height: 1.4; }
a.source:hover { background: var(--soft); }
.source .number { flex: none; min-inline-size: 18px; text-align: center; font-size: 11px; font-weight: 600; color: var(--accent-text); font-variant-numeric: tabular-nums; }
.source .where { color: var(--muted); font-size: 12.5px; flex: 0 1 auto; max-inline-size: 45%; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; direction: ltr; }
.source .name { flex: 1; }
a.source:hover .name { text-decoration: underline; text-underline-offset: 2px; }

.card { position: absolute; z-index: 1; inline-size: max-content; max-inline-size: min(320px, 100% - 16px); padding: 12px 14px; border-radius: 14px; background: var(--raised); font-size: 13.5px; line-height: 1.45; box-shadow: 0 0 0 1px var(--line), 0 10px 32px -6px rgb(16 20 40 / 0.3); animation: fade 0.14s var(--ease); }
@keyframes fade { from { opacity: 0; } }
.from { display: flex; gap: 8px; align-items: baseline; font-weight: 600; }
.from a { color: inherit; text-decoration: none; }
.from a:hover { text-decoration: underline; }
.card .number { flex: none; min-inline-size: 18px; padding: 0 5px; text-align: center; font: 600 11px/18px var(--font); border-radius: 6px; color: var(--on-accent); background: var(--accent); }
.card blockquote { margin-block: 8px 0; padding-inline-start: 11px; border-inline-start: 3px solid color-mix(in oklab, var(--accent) 55%, var(--bg)); display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 7; overflow: hidden; }
.card .where { margin-block-start: 8px; font-size: 12px; color: var(--muted); overflow: hidden; text-overflow: ellipsis; white-space: nowrap; direction: ltr; text-align: start; }

.actions { display: flex; gap: 2px; margin: 8px -6px -6px; color: var(--muted); }
.action { display: grid; place-items: center; inline-size: 30px; block-size: 30px; border-radius: 8px; color: var(--muted); transition: background 0.15s, color 0.15s; }
.action:hover { background: var(--soft); color: var(--text); }
.action[aria-pressed='true'] { color: var(--accent-text); background: var(--accent-soft); }
.action svg { grid-area: 1 / 1; inline-size: 17px; block-size: 17px; transition: opacity 0.15s, scale 0.15s; }
.caption .copy { position: relative; min-block-size: 28px; padding: 0 10px; border-radius: 8px; font: 500 12.5px/1 var(--font); color: var(--muted); }
.caption .copy:hover { background: var(--soft); color: var(--text); }
.caption .copy[data-copied] { color: transparent; }
.caption .copy[data-copied]::after { content: attr(data-done); position: absolute; inset-block: 0; inset-inline-end: 10px; display: grid; place-items: center; white-space: nowrap; color: light-dark(#08705c, #53cfb4); }
.copy svg:last-child, .copy[data-copied] svg { opacity: 0; scale: 0.6; }
.copy[data-copied] svg:last-child { opacity: 1; scale: 1; color: light-dark(#08705c, #53cfb4); }

.reasons { display: grid; gap: 10px; margin-block-start: 14px; padding: 14px; border: 1px solid var(--line); border-radius: 14px; animation: appear 0.2s var(--ease); }
fieldset { display: flex; flex-wrap: wrap; gap: 6px; margin: 0; padding: 0; border: 0; min-inline-size: 0; }
legend { padding: 0; margin-block-end: 8px; font-size: 13.5px; font-weight: 600; }
.reasons label { position: relative; cursor: pointer; }
.reasons input[type='radio'] { position: absolute; inset: 0; inline-size: 100%; block-size: 100%; margin: 0; opacity: 0; cursor: pointer; }
.reasons label span { display: block; padding: 5px 12px; border: 1px solid var(--line); border-radius: 999px; font-size: 13.5px; line-height: 20px; transition: border-color 0.15s, background 0.15s; }
.reasons label:hover span { border-color: var(--muted); }
.reasons input:checked + span { border-color: var(--accent-text); background: var(--accent-soft); color: var(--accent-text); }
.reasons input:focus-visible + span { outline: 2px solid var(--accent-text); outline-offset: 2px; }
.comment { inline-size: 100%; min-inline-size: 0; padding: 7px 12px; border: 1px solid light-dark(#8b93a5, #6d7485); border-radius: 10px; background: var(--bg); font-size: 16px; line-height: 22px; }
.comment::placeholder { color: var(--muted); opacity: 1; font-size: 14px; }
.comment:focus-visible { outline-offset: -1px; }
.choices { display: flex; gap: 6px; }
.primary, .plain { min-block-size: 34px; padding: 0 14px; border-radius: 999px; font-size: 13.5px; font-weight: 550; }
.primary { color: var(--on-accent); background: var(--accent); }
.plain { color: var(--muted); }
.plain:hover { background: var(--soft); color: var(--text); }

.nothing { display: grid; justify-items: start; gap: 2px; padding: 16px; border: 1px solid var(--line); border-radius: 16px; }
.nothing > svg { inline-size: 22px; block-size: 22px; margin-block-end: 8px; color: var(--muted); }
.nothing p { font-weight: 600; }
.nothing .hint { font-weight: 400; color: var(--muted); font-size: 14px; }
.contact, .nothing .contact { margin-block-start: 10px; font-weight: 400; font-size: 14px; overflow-wrap: anywhere; }
.note { margin-block-end: 10px; font-size: 13.5px; line-height: 1.5; color: var(--muted); }
.end { display: flex; flex-wrap: wrap; align-items: center; gap: 6px 12px; margin-block-start: 10px; font-size: 13.5px; line-height: 1.45; color: var(--muted); }
.end.failed { display: grid; grid-template-columns: auto minmax(0, 1fr); justify-items: start; gap: 10px; padding: 13px 14px; border-radius: 14px; color: var(--text); background: var(--danger-soft); }
.end .words { flex: 1 1 180px; }
.end.failed > svg { margin-block-start: 1px; align-self: start; }
.end.failed .retry { grid-column: 2; }
.end svg { flex: none; color: var(--danger); inline-size: 18px; block-size: 18px; }
.retry { display: inline-flex; align-items: center; gap: 6px; min-block-size: 32px; padding: 0 12px; border: 1px solid var(--line); border-radius: 999px; font-weight: 550; font-size: 13.5px; color: var(--text); background: var(--bg); }
.retry:hover { border-color: var(--muted); }
.retry svg { inline-size: 14px; block-size: 14px; color: inherit; }

.waiting { display: inline-flex; gap: 5px; padding: 10px 2px; }
.waiting i { inline-size: 7px; block-size: 7px; border-radius: 50%; background: var(--muted); animation: wait 1.2s ease-in-out infinite; }
.waiting i:nth-child(2) { animation-delay: 0.15s; }
.waiting i:nth-child(3) { animation-delay: 0.3s; }
@keyframes wait { 0%, 60%, 100% { opacity: 0.3; transform: none; } 30% { opacity: 1; transform: translateY(-3px); } }
@media (forced-colors: active) {
  .markdown mark { background: Mark; color: MarkText; }
  .card, .nothing, .reasons label span { border: 1px solid CanvasText; }
  .reasons input:checked + span { background: Highlight; color: HighlightText; forced-color-adjust: none; }
  .action[aria-pressed='true'] { border: 1px solid Highlight; }
}
`
