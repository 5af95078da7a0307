// The page at `/proof`: a form for what is to be proved and what the visitor trusts, and places for what its script
// finds.
import { html, joinMarkup } from '../../../../packages/kit/markup.ts';
import { framePage, type PageSite, pagePolicy } from '../../frame/page-frame.ts';
import { proofPath, proofStylePath } from './browser-files.ts';

/** As of all pages, and workers of this server. */
export const proofPolicy = `${pagePolicy}; worker-src 'self'`;

export function formatProofPage(site: PageSite, sources: ReadonlyMap<string, string>): string {
  return framePage(site, {
    title: 'Check a proof',
    style: proofStylePath,
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
<input id="ledger-id" spellcheck="false" autocapitalize="off" autocomplete="off" aria-describedby="ledger-note" placeholder="64 or 128 hexadecimal digits">
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
node cli.js https://<em>this-server</em>/api/v1/transactions/0.0.1234-1700000000-000000001/proof --ledger-id <em>64 or 128 digits</em></pre>
<p><a href="/">Back to the start</a></p>
<script type="module" src="${proofPath}/page.js"></script>`,
  });
}

function formatSource([name, text]: [string, string]) {
  const path = `${proofPath}/source/${name}`;
  const lines = text.split('\n').length - 1;
  return html`<li><a href="${path}">${name}</a> <span>${lines} lines, <a href="${path}" download="${name}" aria-label="download ${name}">download</a></span></li>`;
}
