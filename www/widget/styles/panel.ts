/** The panel: where it floats, its header, the empty state and the composer. */
import { css } from 'lit'

export const panelStyles = css`
.panel {
  position: fixed; inset: auto; inset-block-end: 20px; inset-inline-end: 20px; z-index: var(--pinpack-z-index, 2147483000);
  inline-size: min(var(--pinpack-width, 408px), 100vw - 40px); block-size: min(var(--pinpack-height, 672px), 100dvh - 40px);
  max-inline-size: none; max-block-size: none; margin: 0; padding: 0; overflow: hidden; border: 0;
  border-radius: var(--radius); background: var(--bg);
  box-shadow: 0 0 0 1px light-dark(rgb(16 20 40 / 0.07), rgb(255 255 255 / 0.09)), 0 2px 6px rgb(16 20 40 / 0.06), 0 24px 64px -12px rgb(16 20 40 / 0.32);
}
.panel[open] { display: grid; grid-template: minmax(0, 1fr) / minmax(0, 1fr); animation: rise 0.24s var(--ease); transform-origin: 100% 100%; }
.panel::backdrop { background: none; }
.panel.inspecting { inline-size: min(880px, 100vw - 40px); grid-template-columns: minmax(0, 1fr) minmax(0, 408px); }
.panel:focus { outline: none; }
.chat { display: grid; grid-template-rows: auto minmax(0, 1fr) auto; min-block-size: 0; grid-column: -2; grid-row: 1; }
@keyframes rise { from { opacity: 0; transform: translateY(12px) scale(0.97); } }

section.panel { position: relative; inset: auto; z-index: auto; display: grid; grid-template: minmax(0, 1fr) / minmax(0, 1fr); inline-size: 100%; block-size: 100%; box-shadow: 0 0 0 1px var(--line); }
section.panel.inspecting { inline-size: 100%; grid-template-columns: minmax(0, 420px) minmax(0, 1fr); }
:host([mode='page']) .panel { border-radius: 0; box-shadow: none; }
.column { inline-size: 100%; max-inline-size: 736px; margin-inline: auto; min-block-size: 100%; display: grid; grid-template-columns: minmax(0, 1fr); }
[data-arriving] .log > .column, [data-arriving='composer'] .composer { content-visibility: hidden; }
.column > ol { align-self: start; }
.composer.column { min-block-size: 0; max-inline-size: 764px; }

.header { display: flex; align-items: center; gap: 12px; padding: 14px 14px 14px 18px; border-block-end: 1px solid var(--line); }
[dir='rtl'] .header { padding: 14px 18px 14px 14px; }
.mark { flex: none; display: grid; place-items: center; inline-size: 36px; block-size: 36px; border-radius: 11px; color: var(--on-accent); background: var(--accent); }
.titles { flex: 1; min-inline-size: 0; }
h2 { font-weight: 650; font-size: 15px; line-height: 20px; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.subtitle { font-size: 12.5px; line-height: 17px; color: var(--muted); }
.tool { flex: none; display: grid; place-items: center; inline-size: 34px; block-size: 34px; border-radius: 10px; color: var(--muted); transition: background 0.15s, color 0.15s; }
.tool:hover, .tool[aria-pressed='true'] { background: var(--soft); color: var(--text); }
.tools { display: flex; gap: 2px; }

.view { position: relative; min-block-size: 0; display: grid; }
.log { display: grid; grid-template-columns: minmax(0, 1fr); overflow-y: auto; overscroll-behavior: contain; padding: 20px 18px 12px; scrollbar-width: thin; scrollbar-color: var(--line) transparent; }
.log:focus-visible { outline-offset: -3px; border-radius: 6px; }
.latest { position: absolute; inset-block-end: 10px; inset-inline-start: calc(50% - 17px); display: grid; place-items: center; inline-size: 34px; block-size: 34px; border-radius: 50%; background: var(--bg); color: var(--text); box-shadow: 0 0 0 1px var(--line), 0 4px 14px rgb(16 20 40 / 0.18); animation: rise 0.2s var(--ease); }

.empty { align-self: end; display: flex; flex-direction: column; justify-content: flex-end; gap: 6px; padding-block-end: 6px; }
.empty h3 { font-size: 25px; line-height: 1.2; font-weight: 680; letter-spacing: -0.02em; text-wrap: balance; }
.empty > p { color: var(--muted); text-wrap: pretty; max-inline-size: 34ch; }
.questions { display: grid; gap: 8px; margin-block-start: 18px; }
.question { display: flex; align-items: center; gap: 10px; inline-size: 100%; min-block-size: 44px; padding: 9px 14px; text-align: start; line-height: 1.35; border: 1px solid var(--line); border-radius: 14px; transition: border-color 0.15s, background 0.15s; }
.question span { flex: 1; }
.question svg { flex: none; inline-size: 16px; block-size: 16px; color: var(--muted); transition: translate 0.15s; }
.question:hover { border-color: color-mix(in oklab, var(--accent) 45%, var(--line)); background: var(--accent-soft); }
.question:hover svg { color: var(--accent-text); }

.composer { padding: 6px 14px max(10px, env(safe-area-inset-bottom)); }
.box { display: flex; align-items: flex-end; gap: 6px; padding: 5px 5px 5px 15px; border: 1px solid light-dark(#cfd4df, #3c414d); border-radius: 24px; background: var(--bg); transition: border-color 0.15s, box-shadow 0.15s; }
[dir='rtl'] .box { padding: 5px 15px 5px 5px; }
.box:focus-within { border-color: var(--accent-text); box-shadow: 0 0 0 3px color-mix(in oklab, var(--accent) 18%, transparent); }
textarea { flex: 1; min-inline-size: 0; resize: none; border: 0; outline: 0; background: none; padding: 5px 0; font-size: 16px; line-height: 24px; min-block-size: 34px; max-block-size: 154px; field-sizing: content; scrollbar-width: thin; }
textarea:focus-visible { outline: 0; }
textarea::placeholder { color: var(--muted); opacity: 1; }
.send { flex: none; display: grid; place-items: center; inline-size: 36px; block-size: 36px; border-radius: 50%; color: var(--on-accent); background: var(--accent); transition: background 0.15s, color 0.15s, transform 0.15s; }
.send:active { transform: scale(0.94); }
.send[aria-disabled='true'] { background: var(--soft); color: var(--muted); cursor: default; }
.footnote { margin-block-start: 7px; text-align: center; font-size: 11.5px; line-height: 16px; color: var(--muted); }

@media (max-width: 480px) {
  .panel, .panel.inspecting { inset: 0; inset-block-start: var(--top, 0); inline-size: 100vw; block-size: var(--shown, 100dvh); border-radius: 0; box-shadow: none; grid-template-columns: minmax(0, 1fr); padding-block-start: env(safe-area-inset-top); }
  .panel.inspecting { grid-template-rows: minmax(0, 1fr) minmax(0, 1fr); }
  .panel[open] { animation-name: sheet; }
  .tool { inline-size: 44px; block-size: 44px; }
  .footnote { display: none; }
}
@media (max-width: 480px) {
  section.panel.inspecting { inset: auto; inline-size: 100%; block-size: 100%; grid-template: minmax(0, 1fr) minmax(0, 1fr) / minmax(0, 1fr); }
}
@media (max-height: 420px) { .header { padding-block: 6px; } .subtitle, .footnote { display: none; } .mark { inline-size: 28px; block-size: 28px; } }
@media print {
  :host, section.panel, .chat, .view, .log { display: block !important; block-size: auto !important; overflow: visible !important; }
  .composer, .tools, .actions, .latest, .reasons, .retry, .caption .copy { display: none !important; }
}
@keyframes sheet { from { transform: translateY(40px); opacity: 0; } }
@media (forced-colors: active) {
  .panel, .send, .mark, .chip, .bubble { border: 1px solid CanvasText; }
  .send[aria-disabled='true'] { color: GrayText; border-color: GrayText; }
}
`
