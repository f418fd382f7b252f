/** Colors, type and the reset. Everything an owner may set is a `--pinpack-…` property; see docs/widget.md. */
import { css } from 'lit'

export const theme = css`
:host {
  --accent: var(--pinpack-accent, #3153d8);
  --on-accent: var(--pinpack-on-accent, #fff);
  --bg: var(--pinpack-background, light-dark(#fff, #15171c));
  --text: var(--pinpack-text, light-dark(#191c24, #e8eaf0));
  --muted: light-dark(#5a6172, #a3aabb);
  --line: light-dark(#e4e7ee, #2d313b);
  --soft: light-dark(#f4f5f8, #20232b);
  --raised: light-dark(var(--bg), #242832);
  --danger: light-dark(#b3261e, #ff9d94);
  --danger-soft: light-dark(#fdf1f0, #2f1f20);
  --accent-text: light-dark(var(--accent), color-mix(in oklab, var(--accent) 45%, #fff));
  --accent-soft: light-dark(color-mix(in oklab, var(--accent) 11%, var(--bg)), color-mix(in oklab, var(--accent) 30%, var(--bg)));
  --radius: var(--pinpack-radius, 20px);
  --font: var(--pinpack-font, ui-sans-serif, system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, 'Noto Sans', sans-serif);
  --mono: ui-monospace, 'SF Mono', 'Cascadia Code', Menlo, Consolas, 'DejaVu Sans Mono', monospace;
  --ease: cubic-bezier(0.2, 0.8, 0.2, 1);
}
@supports not (color: light-dark(#000, #fff)) {
  :host {
    --bg: var(--pinpack-background, #fff); --text: var(--pinpack-text, #191c24); --muted: #5a6172; --line: #e4e7ee; --soft: #f4f5f8; --raised: #fff;
    --danger: #b3261e; --danger-soft: #fdf1f0; --accent-text: var(--accent); --accent-soft: #e9edfb;
  }
}
.panel, .panel *, .panel *::before, .panel *::after { box-sizing: border-box; }
.panel {
  font: 400 15px/1.55 var(--font); color: var(--text); letter-spacing: normal; word-spacing: normal;
  text-transform: none; text-align: start; text-indent: 0; text-shadow: none; white-space: normal;
  font-variant: normal; font-style: normal; cursor: auto; visibility: visible; pointer-events: auto;
  -webkit-text-size-adjust: 100%; -webkit-tap-highlight-color: transparent; overflow-wrap: break-word;
}
h2, h3, h4, h5, p, ol, ul, figure, blockquote, pre { margin: 0; padding: 0; font: inherit; }
ol, ul { list-style: none; }
button, textarea { font: inherit; color: inherit; letter-spacing: inherit; margin: 0; }
button { cursor: pointer; border: 0; background: none; padding: 0; touch-action: manipulation; }
a { color: var(--accent-text); text-decoration: underline; text-decoration-thickness: 1px; text-underline-offset: 2px; }
a:hover { text-decoration-thickness: 2px; }
:focus-visible { outline: 2px solid var(--accent-text); outline-offset: 2px; }
svg { display: block; inline-size: 20px; block-size: 20px; fill: none; stroke: currentColor; stroke-width: 1.8; stroke-linecap: round; stroke-linejoin: round; }
[dir='rtl'] svg.directed { transform: scaleX(-1); }
.unseen { position: absolute; inline-size: 1px; block-size: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
@media (prefers-reduced-motion: reduce) { *, *::before, *::after { animation-duration: 1ms !important; animation-iteration-count: 1 !important; transition: none !important; } }
`
