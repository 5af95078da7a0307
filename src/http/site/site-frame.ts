// What this port's HTML pages share: head, style, the search box. Plain HTML and CSS; only /proof has scripts.
import { html, type Markup, trustedMarkup } from '../../kit/markup.ts';

/** Nothing from other origins, and the form is sent to this server only. */
export const sitePolicy = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

/** `style`: of this page alone, after the common one. */
export function formatSitePage({ title, main, style: own }: { title: string; main: Markup; style?: Markup }): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<style>${trustedMarkup(style)}${own ?? null}</style>
</head>
<body>
<main>
${main}
</main>
</body>
</html>
`.markup;
}

export function formatSearchBox(text = ''): Markup {
  return html`<form action="/search" role="search">
<label for="q">Look up an id, block number, address, hash, alias or token name</label>
<div><input id="q" name="q" value="${text}" maxlength="300" required autocapitalize="off" autocomplete="off" spellcheck="false" placeholder="0.0.1234, 0x…"><button>Look up</button></div>
</form>`;
}

const style = `
:root { color-scheme: light dark; --text: #1c2430; --faint: #5b6675; --ground: #fbfbfa; --line: #d3d8de; --link: #0b57c2; --on-link: #fff; }
@media (prefers-color-scheme: dark) {
  :root { --text: #e4e8ee; --faint: #9aa5b3; --ground: #14181e; --line: #343c47; --link: #82b4ff; --on-link: #10151c; }
}
body { margin: 0; background: var(--ground); color: var(--text); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 46rem; margin: 0 auto; padding: 2.5rem 1.25rem; }
h1 { margin: 0; font-size: 1.6rem; }
h2 { margin: 2rem 0 .5rem; font-size: 1rem; }
p { margin: .75rem 0 0; }
.state { margin: .25rem 0 0; color: var(--faint); }
form { margin: 1.5rem 0 0; }
label { display: block; margin-bottom: .35rem; font-weight: 600; }
form div { display: flex; flex-wrap: wrap; gap: .5rem; }
input { flex: 1 1 16rem; min-width: 0; padding: .55rem .7rem; border: 1px solid var(--faint); border-radius: .4rem; background: transparent; color: inherit; font: .95rem ui-monospace, monospace; }
button { padding: .55rem 1.1rem; border: 0; border-radius: .4rem; background: var(--link); color: var(--on-link); font: inherit; font-weight: 600; cursor: pointer; }
input:focus-visible, button:focus-visible, a:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
ul { margin: 0; padding: 0; list-style: none; border-top: 1px solid var(--line); }
li { display: flex; flex-wrap: wrap; gap: .25rem 1rem; padding: .5rem 0; border-bottom: 1px solid var(--line); }
a { color: var(--link); }
li a, code { font-family: ui-monospace, monospace; font-size: .9rem; overflow-wrap: anywhere; }
code, li span { color: var(--faint); }
`;
