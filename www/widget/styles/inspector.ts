/** The developer panel. */
import { css } from 'lit'

export const inspectorStyles = css`
:host { display: block; min-block-size: 0; min-inline-size: 0; border-inline-end: 1px solid var(--line); background: var(--soft); grid-row: 1; grid-column: 1; }
.panel { block-size: 100%; overflow-y: auto; overscroll-behavior: contain; padding: 18px 20px 24px; font-size: 13px; line-height: 1.45; direction: ltr; scrollbar-width: thin; scrollbar-color: var(--line) transparent;
  --pinned: light-dark(#3153d8, #7d95f5); --scored: light-dark(#0d8a72, #3fc1a5); --floor: light-dark(#a8b0c2, #5d6578); }
h2 { font-size: 15px; line-height: 20px; font-weight: 650; }
h3 { margin-block: 20px 6px; font-weight: 650; font-size: 13px; }
h3 span, .hint { color: var(--muted); font-weight: 400; }
code { font: 12px/1.4 var(--mono); overflow-wrap: anywhere; }
.total { margin-block-start: 10px; color: var(--muted); }
.total strong { font-size: 26px; line-height: 32px; font-weight: 680; letter-spacing: -0.02em; color: var(--text); font-variant-numeric: tabular-nums; }
.bar { display: flex; gap: 2px; block-size: 14px; margin-block: 8px 10px; border-radius: 5px; overflow: hidden; }
.bar span { flex: 0 0 0; min-inline-size: 0; transition: flex-grow 0.3s var(--ease); }
.pinned { background: var(--pinned); }
.scored { background: var(--scored); }
.floor { background: var(--floor); }
.free { background: light-dark(#e2e5ec, #343945); }
.legend { display: flex; flex-wrap: wrap; gap: 4px 14px; color: var(--muted); }
.legend b { color: var(--text); font-weight: 600; font-variant-numeric: tabular-nums; }
.legend i { display: inline-block; inline-size: 9px; block-size: 9px; margin-inline-end: 6px; border-radius: 3px; }
dl { display: grid; grid-template-columns: auto 1fr; gap: 4px 14px; margin-block: 14px 0; }
dt { color: var(--muted); }
dd { margin: 0; font-variant-numeric: tabular-nums; }
.level { font-weight: 650; }
.level.covered { color: light-dark(#08705c, #53cfb4); }
.level.partly { color: light-dark(#8a5a00, #e5b454); }
.level.none { color: var(--danger); }
.receipt { display: grid; gap: 2px; margin-block-start: 14px; padding: 10px 12px; border-radius: 10px; background: var(--bg); border: 1px solid var(--line); font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
.receipt strong { font-weight: 650; }
.receipt.match strong { color: light-dark(#08705c, #53cfb4); }
.receipt.mismatch { border-color: var(--danger); }
.receipt.mismatch strong, .problem { color: var(--danger); }
.sections > li { border-block-start: 1px solid var(--line); }
.row { display: grid; grid-template-columns: 22px minmax(0, 1fr) auto 40px 44px; align-items: baseline; gap: 8px; padding-block: 5px; }
summary { cursor: pointer; list-style: none; border-radius: 6px; }
summary::-webkit-details-marker { display: none; }
summary.row .title { text-decoration: underline dotted var(--muted); text-underline-offset: 3px; }
.parts { padding: 2px 0 8px 30px; display: grid; gap: 2px; }
.parts li { display: grid; grid-template-columns: minmax(0, 1fr) 84px 40px 44px; align-items: center; gap: 8px; }
meter { inline-size: 84px; block-size: 8px; background: light-dark(#e2e5ec, #343945); border-radius: 4px; }
meter::-webkit-meter-bar { background: light-dark(#e2e5ec, #343945); border: 0; border-radius: 4px; block-size: 8px; }
meter::-webkit-meter-optimum-value { background: var(--scored); border-radius: 4px; }
meter::-moz-meter-bar { background: var(--scored); border-radius: 4px; }
.prompt { margin-block-start: 20px; }
.prompt summary { font-weight: 650; }
.prompt summary::before { content: '▸ '; color: var(--muted); }
.prompt[open] summary::before { content: '▾ '; }
.prompt summary span { color: var(--muted); font-weight: 400; }
.prompt pre { margin-block-start: 8px; padding: 12px 14px; border: 1px solid var(--line); border-radius: 10px; background: var(--bg); font: 12px/1.5 var(--mono); white-space: pre-wrap; overflow-wrap: anywhere; }
.number, .figure { color: var(--muted); font-variant-numeric: tabular-nums; text-align: end; }
.number { text-align: start; }
.title { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.why { padding: 0 7px; border-radius: 999px; font-size: 11.5px; line-height: 18px; font-weight: 550; background: light-dark(#e2e5ec, #343945); color: var(--text); }
.why.pinned { background: light-dark(#dfe5fb, #2b3660); color: light-dark(#2440b0, #c3cffd); }
.why.scored { background: light-dark(#d5f0e9, #1b4038); color: light-dark(#075c4c, #8fe6d1); }
.terms { display: flex; flex-wrap: wrap; gap: 6px; }
.terms li { padding: 3px 9px; border: 1px solid var(--line); border-radius: 8px; background: var(--bg); font-variant-numeric: tabular-nums; }
.terms span { color: var(--muted); }
@media (max-width: 480px) { :host { grid-row: 2; border-inline-end: 0; border-block-start: 1px solid var(--line); } }
@media (forced-colors: active) { .bar { forced-color-adjust: none; } }
`
