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
.markdown pre { overflow-x: auto; padding: 12px 14px; border-radius: 12px; background: var(--soft); direction: ltr; text-align: left; scrollbar-width: thin; }
.markdown pre code { padding: 0; background: none; font-size: 13px; }
.markdown blockquote { padding-inline-start: 14px; border-inline-start: 3px solid color-mix(in oklab, var(--accent) 55%, var(--bg)); }
.markdown hr { border: 0; border-block-start: 1px solid var(--line); }
.table { overflow-x: auto; scrollbar-width: thin; }
table { border-collapse: collapse; font-size: 14px; line-height: 1.45; }
th, td { padding: 6px 14px 6px 0; text-align: start; vertical-align: top; border-block-end: 1px solid var(--line); }
th { font-weight: 650; }
[data-align='center'] { text-align: center; }
[data-align='end'] { text-align: end; }

.chip { position: relative; display: inline-flex; align-items: center; justify-content: center; min-inline-size: 18px; block-size: 18px; margin-inline: 3px 0; padding: 0 5px; border-radius: 6px; font: 600 11px/1 var(--font); font-variant-numeric: tabular-nums; color: var(--accent-text); background: var(--accent-soft); text-decoration: none; vertical-align: 2px; transition: background 0.15s, color 0.15s; }
.chip::after { content: ''; position: absolute; inset: -4px -3px; min-inline-size: 24px; }
a.chip:hover { color: var(--on-accent); background: var(--accent); }

.sources { margin-block-start: 14px; }
.label { font-size: 12px; line-height: 16px; font-weight: 600; color: var(--muted); }
.sources ol { margin: 4px -8px 0; }
.source { display: flex; align-items: baseline; gap: 9px; min-block-size: 32px; padding: 5px 8px; border-radius: 9px; color: inherit; text-decoration: none; font-size: 13.5px; line-height: 1.4; }
a.source:hover { background: var(--soft); }
.source .number { flex: none; min-inline-size: 18px; text-align: center; font-size: 11px; font-weight: 600; color: var(--accent-text); font-variant-numeric: tabular-nums; }
.source .where { color: var(--muted); font-size: 12.5px; flex: 0 1 auto; max-inline-size: 45%; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; direction: ltr; }
.source .name { flex: 1; }
a.source:hover .name { text-decoration: underline; text-underline-offset: 2px; }

.note { margin-block-end: 10px; font-size: 13.5px; line-height: 1.5; color: var(--muted); }
.end { display: flex; flex-wrap: wrap; align-items: center; gap: 6px 12px; margin-block-start: 10px; font-size: 13.5px; line-height: 1.45; color: var(--muted); }
.end.failed { padding: 11px 14px; border-radius: 14px; color: var(--text); background: var(--danger-soft); }
.end .words { flex: 1 1 180px; }
.end svg { flex: none; color: var(--danger); inline-size: 18px; block-size: 18px; }
.retry { display: inline-flex; align-items: center; gap: 6px; min-block-size: 32px; padding: 0 12px; border: 1px solid var(--line); border-radius: 999px; font-weight: 550; font-size: 13.5px; color: var(--text); background: var(--bg); }
.retry:hover { border-color: var(--muted); }
.retry svg { inline-size: 14px; block-size: 14px; color: inherit; }

.waiting { display: inline-flex; gap: 5px; padding: 10px 2px; }
.waiting i { inline-size: 7px; block-size: 7px; border-radius: 50%; background: var(--muted); animation: wait 1.2s ease-in-out infinite; }
.waiting i:nth-child(2) { animation-delay: 0.15s; }
.waiting i:nth-child(3) { animation-delay: 0.3s; }
@keyframes wait { 0%, 60%, 100% { opacity: 0.3; transform: none; } 30% { opacity: 1; transform: translateY(-3px); } }
@media print { .panel { position: static; } }
`
