// The package for others in a browser: its files and @noble as they are, by an import map, and then without a network.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { hasBrowser, openBrowser } from '../../packages/test-support/http/open-browser.ts';
import { readBlocks, writeNetwork } from '../../packages/test-support/streams/write-network.ts';
import { findLedgerId, makeBlockDocument } from './make-block-document.ts';

// A browser takes long to start on a busy machine.
vi.setConfig({ testTimeout: 240_000 });

const root = join(import.meta.dirname, '../..');
const imports = { '@noble/curves/': '/node_modules/@noble/curves/', '@noble/hashes/': '/node_modules/@noble/hashes/' };
const html = `<!doctype html><script type="importmap">${JSON.stringify({ imports })}</script>
<script type="module">
import { verifyProof } from '/clients/verify-proof/verify-proof.js';
window.judge = (document, options) => {
  try { return String(verifyProof(document, options).block); } catch (error) { return 'refused: ' + error.message; }
};
</script>`;
const types: Record<string, string> = { '.js': 'text/javascript', '.html': 'text/html' };

describe.skipIf(!hasBrowser)('in Chromium (skipped where there is none)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'proof-browser-'));
  let server: Server;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    server = createServer(({ url = '/' }, response) => {
      const path = join(root, url);
      const isServed = /^[/](clients|node_modules[/]@noble)[/][\w@./-]+[.]js$/.test(url) && existsSync(path);
      response.setHeader('content-type', isServed ? types[extname(url)]! : types['.html']!);
      response.end(isServed ? readFileSync(path) : html);
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    browser = await openBrowser();
    page = await browser.newPage();
    page.setDefaultTimeout(240_000);
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    await page.waitForFunction('window.judge !== undefined');
  });
  afterAll(async () => {
    await browser?.close();
    server?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('verifies and refuses, also without a network', async () => {
    await page.context().setOffline(true);
    await writeNetwork({ folder, seed: 'browser', format: 'blocks', nodes: 3, blocks: 8, transactions: 2 });
    const blocks = readBlocks(join(folder, 'blocks'));
    const ledgerId = findLedgerId(blocks[0]!);
    const single = [['outputs', 0]] as const;
    const judge = (document: object, id = ledgerId) =>
      page.evaluate<string>(`judge(${JSON.stringify(document)}, ${JSON.stringify({ ledgerId: id })})`);
    for (const number of [3, 6]) {
      const document = makeBlockDocument({ block: blocks[number]!, form: 'sixteen', first: blocks[0]!, single });
      expect(await judge(document)).toBe(`${number}`);
      expect(await judge({ ...document, timestamp: '0801' })).toMatch(
        /^refused: the hinTS signature is not of this block root/,
      );
      expect(await judge(document, '00'.repeat(32))).toMatch(
        /^refused: the address book is not the one of the trusted/,
      );
    }
  });
});
