// The page at `/proof`: a form for what is to be proved and what the visitor trusts, and places for what its script finds.
import { html, joinMarkup, trustedMarkup } from '../../../kit/markup.ts';
import { formatSitePage, sitePolicy } from '../site-frame.ts';
import { proofPath } from './browser-files.ts';

/** Scripts, workers and requests of this server only. */
export const proofPolicy = [sitePolicy, "script-src 'self'", "worker-src 'self'", "connect-src 'self'"].join('; ');

export function formatProofPage(sources: ReadonlyMap<string, string>): string {
  return formatSitePage({
    title: 'Ledger Mirror – check a proof',
    style: trustedMarkup(style),
    main: html`<h1>Check a proof</h1>
<p>This page shows that a transaction, result, message or block is in the ledger, without trust in this server: each step is computed in your browser, from the bytes of the item to the signature of the network.</p>
<noscript><p class="warning">The check needs JavaScript, because your own machine has to do it. Without it, use the command below.</p></noscript>
<form id="form" hidden>
<label for="what">What is to be checked</label>
<textarea id="what" rows="4" required spellcheck="false" autocapitalize="off" autocomplete="off" aria-describedby="what-note"></textarea>
<p class="note" id="what-note">A transaction id (<code>0.0.1234-1700000000-000000001</code>), the hash of a contract result (<code>0x</code> and 64 digits), a topic and the number of its message (<code>0.0.1234/5</code>), a block number, or a whole proof document.</p>
<label for="file">or a file with a proof document</label>
<input id="file" type="file" accept=".json,application/json">
<fieldset>
<legend>What you trust</legend>
<label for="ledger-id">Ledger id</label>
<input id="ledger-id" spellcheck="false" autocapitalize="off" autocomplete="off" aria-describedby="ledger-note" placeholder="64 hexadecimal digits">
<p class="note" id="ledger-note" aria-live="polite"></p>
<p class="choice" id="choice" hidden><label><input id="compared" type="checkbox"> I have compared it with another source</label></p>
<button type="button" class="minor" id="forget" hidden>Take the one of this mirror</button>
<label for="book-hash">SHA-384 of an address book, for record files</label>
<input id="book-hash" spellcheck="false" autocapitalize="off" autocomplete="off" aria-describedby="book-note" placeholder="96 hexadecimal digits">
<p class="note" id="book-note">Items of record files are signed by the nodes of an address book. If this is empty, the book in the document is taken, and you have to compare it. <span id="remembered"></span></p>
</fieldset>
<p><button>Check</button></p>
<p class="note" id="offline" hidden>This page is kept in your browser: it checks documents without a network.</p>
</form>
<section id="result" hidden aria-labelledby="verdict">
<h2 id="verdict" tabindex="-1" aria-live="polite"></h2>
<ol id="steps" aria-label="Steps that were checked"></ol>
<div id="proven" hidden>
<p id="trusted"></p>
<h2>What is shown</h2>
<div id="items"></div>
<p id="more"></p>
<h2>What is not shown</h2>
<ul id="not-shown"></ul>
</div>
<p><a id="save" download="proof.json" hidden>Save the document</a></p>
</section>
<h2>The program that checks</h2>
<p>The same files check in your browser and on the command line. They use the libraries @noble/curves and @noble/hashes and nothing of this server. What runs here is <a href="${proofPath}/verify-proof/verify-proof.js">the same text</a>, with paths for names of packages.</p>
<ul class="files">
${joinMarkup([...sources].map(formatSource), '\n')}
</ul>
<h2>On the command line</h2>
<p>Save these files in a folder, and run there, with the address of this server:</p>
<pre tabindex="0">npm install
node cli.js https://<em>this-server</em>/api/v1/transactions/0.0.1234-1700000000-000000001/proof --ledger-id <em>64 digits</em></pre>
<p><a href="/">Back to the start</a></p>
<script type="module" src="${proofPath}/page.js"></script>`,
  });
}

function formatSource([name, text]: [string, string]) {
  const path = `${proofPath}/source/${name}`;
  const lines = text.split('\n').length - 1;
  return html`<li><a href="${path}">${name}</a> <span>${lines} lines, <a href="${path}" download="${name}" aria-label="download ${name}">download</a></span></li>`;
}

const style = `
textarea { box-sizing: border-box; width: 100%; padding: .55rem .7rem; border: 1px solid var(--faint); border-radius: .4rem; background: transparent; color: inherit; font: .95rem ui-monospace, monospace; resize: vertical; }
textarea:focus-visible, summary:focus-visible, pre:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
form > label, fieldset > label { margin-top: 1rem; }
fieldset { margin: 1.5rem 0 0; padding: 0 1rem 1rem; border: 1px solid var(--line); border-radius: .4rem; }
legend { padding: 0 .4rem; font-weight: 600; }
fieldset input:not([type=checkbox]) { box-sizing: border-box; width: 100%; }
input[type=file] { box-sizing: border-box; width: 100%; font: inherit; font-size: .9rem; }
.choice label { font-weight: 400; margin: 0; }
.note { margin-top: .35rem; color: var(--faint); font-size: .9rem; overflow-wrap: anywhere; }
.warning { color: var(--warn); }
.minor { margin-top: .6rem; padding: .35rem .7rem; background: transparent; color: var(--link); border: 1px solid var(--link); }
[hidden] { display: none !important; }
#verdict { padding: .6rem .8rem; border-left: .35rem solid var(--faint); font-size: 1.05rem; overflow-wrap: anywhere; }
#verdict:focus-visible { outline: 2px solid var(--link); }
.proved #verdict { border-color: var(--good); }
.unsure #verdict { border-color: var(--warn); }
.refused #verdict { border-color: var(--bad); }
ol { margin: 0; padding-left: 1.6rem; }
ol li { display: list-item; border: 0; padding: .2rem 0; overflow-wrap: anywhere; }
ol li::marker { color: var(--good); }
ol code { font-size: .8rem; }
#trusted { overflow-wrap: anywhere; }
article { padding: .75rem 0; border-bottom: 1px solid var(--line); }
h3 { margin: 0; font-size: 1rem; }
dl { display: grid; grid-template-columns: minmax(7rem, auto) 1fr; gap: .15rem 1rem; margin: .4rem 0; }
dt { color: var(--faint); }
dd { margin: 0; overflow-wrap: anywhere; }
pre { max-height: 14rem; overflow: auto; margin: .5rem 0; padding: .6rem; border: 1px solid var(--line); border-radius: .4rem; font-size: .85rem; white-space: pre-wrap; overflow-wrap: anywhere; }
summary { cursor: pointer; color: var(--link); }
:root { --good: #1a7f42; --warn: #8a5a00; --bad: #b3261e; }
@media (prefers-color-scheme: dark) { :root { --good: #5ccb86; --warn: #f0b95a; --bad: #ff8a80; } }
@media (max-width: 30rem) { dl { grid-template-columns: 1fr; gap: 0; } dd { margin-bottom: .35rem; } }
`;
