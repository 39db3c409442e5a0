import { createHash } from 'node:crypto';
import { html, raw } from 'hono/html';
import { script } from './script.ts';

/** Light and dark; tables become cards on a narrow screen. */
const style = `
:root {
  color-scheme: light dark;
  --text: light-dark(#1c2024, #e6e8eb);
  --quiet: light-dark(#5c6570, #9aa4b0);
  --back: light-dark(#fbfbfa, #14171a);
  --panel: light-dark(#fff, #1b1f24);
  --line: light-dark(#e3e5e8, #2c3239);
  --link: light-dark(#0b5cad, #7db8f5);
  --mark: light-dark(#8a4b00, #f2b457);
  --mark-back: light-dark(#fff1d6, #3a2a10);
  --good: light-dark(#186a3b, #6fcf97);
  --bad: light-dark(#b3261e, #ff8f87);
  --mono: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace;
}
* { box-sizing: border-box; }
html { font: 15px/1.5 system-ui, -apple-system, "Segoe UI", sans-serif; color: var(--text); background: var(--back); }
body { margin: 0 auto; padding: 0 1.25rem 4rem; max-width: 74rem; overflow-wrap: anywhere; }
a { color: var(--link); text-decoration: none; }
a:hover { text-decoration: underline; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; border-radius: 2px; }
main:focus, h1:focus { outline: none; }
.skip { position: absolute; left: -99rem; }
.skip:focus { left: 1rem; top: .5rem; background: var(--panel); padding: .25rem .75rem; }
header { display: flex; flex-wrap: wrap; gap: .4rem 1.5rem; align-items: center; padding: 1rem 0 .6rem; }
.name { margin: 0; font-weight: 600; display: flex; gap: .7rem; align-items: center; flex-wrap: wrap; }
.sandbox { background: var(--mark-back); color: var(--mark); font-size: .8rem; font-weight: 700; letter-spacing: .08em;
  padding: .1rem .55rem; border-radius: 4px; border: 1px solid currentColor; }
.calm { color: var(--quiet); font-weight: 400; }
nav ul { display: flex; flex-wrap: wrap; gap: 0 1.4rem; list-style: none; margin: 0; padding: 0; border-bottom: 1px solid var(--line); }
nav a { display: block; padding: .5rem 0; color: var(--quiet); border-bottom: 2px solid transparent; margin-bottom: -1px; }
nav a[aria-current] { color: var(--text); font-weight: 600; border-color: var(--mark); }
nav a:hover { color: var(--text); text-decoration: none; }
h1 { font-size: 1.35rem; margin: 1.4rem 0 .8rem; line-height: 1.3; }
h2 { font-size: 1rem; margin: 1.8rem 0 .5rem; }
h1 + p { margin-top: -.4rem; }
[role=status] { min-height: 1.5rem; margin: .5rem 0 -1rem; color: var(--bad); font-size: .9rem; }
table { width: 100%; border-collapse: collapse; background: var(--panel); border: 1px solid var(--line); border-radius: 8px;
  border-spacing: 0; font-variant-numeric: tabular-nums; }
th, td { text-align: start; vertical-align: top; padding: .45rem .75rem; border-top: 1px solid var(--line); unicode-bidi: isolate; }
thead th { border-top: 0; font-size: .82rem; font-weight: 600; color: var(--quiet); white-space: nowrap; }
tbody th { font-weight: 400; }
tbody tr:hover { background: color-mix(in srgb, var(--line) 35%, transparent); }
.number { text-align: end; white-space: nowrap; }
.fixed { white-space: nowrap; }
code, pre, .mono { font-family: var(--mono); font-size: .88em; }
pre { background: var(--panel); border: 1px solid var(--line); border-radius: 8px; padding: .8rem 1rem; margin: 0;
  white-space: pre-wrap; line-break: anywhere; max-height: 32rem; overflow: auto; unicode-bidi: plaintext; }
.good { color: var(--good); } .bad { color: var(--bad); } .mark { color: var(--mark); }
.empty { color: var(--quiet); background: var(--panel); border: 1px dashed var(--line); border-radius: 8px; padding: 2rem 1rem; text-align: center; }
.pages { display: flex; flex-wrap: wrap; gap: .3rem 1.2rem; align-items: baseline; margin: .8rem 0; color: var(--quiet); font-size: .92rem; }
dl { display: grid; grid-template-columns: minmax(8rem, max-content) 1fr; gap: .3rem 1.5rem; margin: 0; background: var(--panel);
  border: 1px solid var(--line); border-radius: 8px; padding: .8rem 1rem; }
dt { color: var(--quiet); } dd { margin: 0; unicode-bidi: isolate; }
.copy { position: relative; }
.copy pre { padding-inline-end: 5rem; }
button, input { font: inherit; color: inherit; background: var(--panel); border: 1px solid var(--line); border-radius: 6px; padding: .3rem .8rem; }
input { border-color: var(--quiet); }
button { cursor: pointer; }
button:hover { border-color: var(--quiet); }
.copy button { position: absolute; inset-block-start: .5rem; inset-inline-end: .5rem; font-size: .85rem; }
form { display: flex; flex-wrap: wrap; gap: .6rem; align-items: end; }
label { display: grid; gap: .2rem; color: var(--quiet); flex: 1 1 16rem; max-width: 28rem; }
[hidden] { display: none !important; }
@media (max-width: 44rem) {
  body { padding: 0 .9rem 3rem; }
  nav ul { gap: 0 1.1rem; }
  table, tbody, tbody tr, tbody th, tbody td { display: block; width: auto; }
  thead { position: absolute; clip-path: inset(50%); width: 1px; height: 1px; overflow: hidden; }
  tbody tr { border-top: 1px solid var(--line); padding: .5rem .75rem; }
  tbody tr:first-child { border-top: 0; }
  tbody th, tbody td { border: 0; padding: .1rem 0; display: grid; grid-template-columns: 7.5rem 1fr; gap: .6rem; }
  tbody th::before, tbody td::before { content: attr(data-label); color: var(--quiet); }
  tbody td.none { display: none; }
  .number { text-align: start; }
  .fixed, .number { white-space: normal; }
  dl { grid-template-columns: 1fr; gap: 0; } dd { margin-bottom: .5rem; }
}
`;

const sections = {
  orders: 'Orders',
  requests: 'Requests',
  customers: 'Customers',
  catalogue: 'Catalogue',
  behaviour: 'Behaviour',
  try: 'Try it',
};

const icon =
  "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'><rect width='16' height='16' rx='3' fill='%23f2b457'/><path d='M4 6l4-2 4 2v5l-4 2-4-2zM4 6l4 2 4-2M8 8v5' fill='none' stroke='%235a3200' stroke-linejoin='round'/></svg>";

/** Contains no data, which the script loads with the admin token. */
export const shell = String(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>SANDBOX</title>
<link rel="icon" href="${icon}">
<style>${raw(style)}</style>
</head>
<body>
<a class="skip" href="#">Skip to content</a>
<header><p class="name"><span class="sandbox">SANDBOX</span> Merchant orders
<span class="calm">Nothing here is delivered.</span></p></header>
<nav aria-label="Sections" hidden><ul>${Object.entries(sections).map(
  ([name, title]) => html`<li><a href="#/${name}">${title}</a></li>`,
)}</ul></nav>
<p role="status"></p>
<section id="sign-in" hidden aria-labelledby="sign-in-title">
<h1 id="sign-in-title">Admin token</h1>
<p>Rehearsal orders may contain real names, so this page needs the admin token. Open the link that
<code>merchant-orders sandbox start</code> prints, or enter the token.</p>
<form><label>Token <input name="token" type="password" autocomplete="off" spellcheck="false"></label> <button>Open</button></form>
</section>
<main tabindex="-1"></main>
<noscript><p>This page needs JavaScript, to send the admin token. The same data is in the admin API,
for example <code>GET /_sandbox/orders</code>.</p></noscript>
<script>${raw(script)}</script>
</body>
</html>
`);

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Allow only the page's own style and script, and requests to the sandbox. */
export const pageHeaders = {
  'Content-Security-Policy': [
    "default-src 'none'",
    `script-src ${hashOf(script)}`,
    `style-src ${hashOf(style)}`,
    'img-src data:',
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
};
