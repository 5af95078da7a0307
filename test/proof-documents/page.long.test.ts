// The page /proof in a browser: every step checked there, without other hosts, and then without any network.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openDatabase } from '../../packages/postgres/wire/database.ts';
import { createFolderSource } from '../../packages/sources/folder-source.ts';
import { createReadAgain } from '../../packages/sources/read-again.ts';
import { hasBrowser, openBrowser } from '../../packages/test-support/http/open-browser.ts';
import { openServer } from '../../packages/test-support/http/open-server.ts';
import { createScratchDatabase, type ScratchDatabase } from '../../packages/test-support/postgres/scratch-database.ts';
import { readBlocks, writeNetwork } from '../../packages/test-support/streams/write-network.ts';
import { runMirror } from '../support/program/run-mirror.ts';
import { findLedgerId, makeBlockDocument } from './make-block-document.ts';

// A browser takes long to start on a busy machine, and each check a second.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

describe.skipIf(!hasBrowser)('/proof in Chromium (skipped where there is none)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'proof-page-'));
  let scratch: ScratchDatabase;
  let db: ReturnType<typeof openDatabase>;
  let app: ReturnType<typeof openServer>;
  let browser: Browser;
  let url: string;
  let ledgerId: string;
  let document: string;
  let whole: string;

  beforeAll(async () => {
    await writeNetwork({ folder, seed: 'page', format: 'blocks', nodes: 3, blocks: 8, transactions: 4 });
    const blocks = readBlocks(join(folder, 'blocks'));
    ledgerId = findLedgerId(blocks[0]!);
    const form = 'sixteen';
    const single = [
      ['outputs', 0],
      ['inputs', 1],
    ] as const;
    document = JSON.stringify(makeBlockDocument({ block: blocks[6]!, form, first: blocks[0]!, single }));
    const subtrees = ['inputs', 'outputs'];
    whole = JSON.stringify(makeBlockDocument({ block: blocks[3]!, form, first: blocks[0]!, whole: subtrees }));
    scratch = await createScratchDatabase();
    const flags = ['--source', folder, '--data-dir', join(folder, 'data'), '--log-level', 'error'];
    const done = runMirror(['import', '--once', ...flags], { env: { DATABASE_URL: scratch.connectionString } });
    if ((await done.ended) !== 0) throw new Error(done.output());
    db = openDatabase({ connectionString: scratch.connectionString, maxConnections: 4 });
    const read = createReadAgain(createFolderSource({ path: folder }));
    const { signal } = new AbortController();
    app = openServer(db, 'spec', { readAgain: (unit) => read(unit, signal) });
    await app.listen({ port: 0, host: '127.0.0.1' });
    url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await app?.close();
    await db?.close();
    await scratch?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  type Visit = { page: Page; context: BrowserContext; hosts: Set<string>; complaints: string[] };

  /** With what it asked of whom, and every message of the browser. */
  async function visit(options: BrowserContextOptions = {}, path = '/proof'): Promise<Visit> {
    const context = await browser.newContext(options);
    const page = await context.newPage();
    page.setDefaultTimeout(240_000);
    const [hosts, complaints] = [new Set<string>(), [] as string[]];
    context.on('request', (request) => hosts.add(new URL(request.url()).origin));
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.goto(url + path);
    await page.locator('#form').waitFor();
    return { page, context, hosts, complaints };
  }

  async function check({ page }: Visit, text: string): Promise<string> {
    await page.fill('#what', text);
    await page.getByRole('button', { name: 'Check' }).click();
    await page.locator('#result.proved, #result.unsure, #result.refused').waitFor();
    return (await page.textContent('#verdict'))!;
  }

  const steps = ({ page }: Visit) => page.locator('#steps li').allTextContents();

  it('shows each step, what is shown and what is not, and asks no other host', async () => {
    const visited = await visit();
    const { page, hosts, complaints } = visited;
    await expect.poll(() => page.inputValue('#ledger-id')).toBe(ledgerId);
    expect(await page.textContent('#ledger-note')).toMatch(/^This comes from the mirror/);
    expect(await check(visited, document)).toMatch(
      /^Proved, if what you trust is right[.] In block 6 of .* UTC\), signed by \d+(\.\d)? % of the weight[.]$/,
    );
    const hash = '[0-9a-f]{96}';
    const expected = [
      `The item of hash ${hash} is one of the subtree outputs, whose root is ${hash}`,
      `The item of hash ${hash} is one of the subtree inputs, whose root is ${hash}`,
      `The subtrees and the time of the block have the root ${hash}`,
      `A later block has that root as the one before; its own is ${hash}`,
      'That root is signed by \\d+ of \\d+ of the weight of key [0-9a-f]{64}',
      `That key is the one of ledger ${ledgerId}, by its first address book`,
    ];
    expect(await steps(visited)).toEqual(expected.map((step) => expect.stringMatching(`^${step}$`)));
    const shown = await page.locator('#items').innerText();
    expect(shown).toMatch(/Header of the block \(outputs\)\s+Block\s+6\s/);
    expect(shown).toMatch(
      /Transaction \(inputs\)\s+Type\s+[A-Z]+\s+Transaction id\s+0\.0\.\d+-\d+-\d{9}\s+Payer\s+0\.0\.\d+\s/,
    );
    expect(await page.locator('#not-shown li').allTextContents()).toEqual([
      'What came of it: no result is among these items.',
      'That something is not in the ledger, or that nothing later changed it.',
    ]);
    const { item } = JSON.parse(document).items[1];
    expect(await page.locator('#items pre').allTextContents()).toContain(item);
    expect([[...hosts], complaints]).toEqual([[url], []]);
    await visited.context.close();
  });

  it('says whose key has signed, of a ledger id of 64 bytes, or that nothing shows it', async () => {
    const other = mkdtempSync(join(tmpdir(), 'proof-page-later-'));
    const shape = { seed: 'later page', format: 'blocks', nodes: 2, blocks: 8, transactions: 2 } as const;
    await writeNetwork({ ...shape, folder: other, ledgerIdBytes: 64, rotateEvery: 5 });
    const blocks = readBlocks(join(other, 'blocks'));
    rmSync(other, { recursive: true, force: true });
    const documentOf = (number: number) => {
      const single = [['outputs', 0]] as const;
      return JSON.stringify(makeBlockDocument({ block: blocks[number]!, form: 'sixteen', first: blocks[0]!, single }));
    };
    const visited = await visit();
    await visited.page.fill('#ledger-id', findLedgerId(blocks[0]!));
    expect(await check(visited, documentOf(2))).toMatch(/^Proved[.] In block 2 of/);
    expect((await steps(visited)).at(-1)).toBe('That key is the one that the ledger id names');
    // The key of block 7 was named in block 3, which this document does not show.
    expect(await check(visited, documentOf(7))).toMatch(
      /^Not proved: nothing shows whose key has signed[.] In block 7 of/,
    );
    expect(await visited.page.locator('#result').getAttribute('class')).toBe('unsure');
    expect((await visited.page.locator('#not-shown li').allTextContents())[0]).toMatch(
      /^That key [0-9a-f]{64}, which has signed/,
    );
    await visited.context.close();
  });

  it('takes a document from a file, and hands one over', async () => {
    const visited = await visit();
    const { page } = visited;
    await page.fill('#ledger-id', ledgerId);
    await page.setInputFiles('#file', {
      name: 'proof.json',
      mimeType: 'application/json',
      buffer: Buffer.from(document),
    });
    await expect.poll(() => page.inputValue('#what')).toBe(document);
    expect(await check(visited, document)).toMatch(/^Proved/);
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('#save')]);
    expect([download.suggestedFilename(), readFileSync(await download.path(), 'utf8')]).toEqual([
      'proof.json',
      document,
    ]);
    expect(visited.complaints).toEqual([]);
    await visited.context.close();
  });

  it('shows each transaction of a block with its result', async () => {
    const visited = await visit();
    expect(await check(visited, whole)).toMatch(/^Proved/);
    const { inputs, outputs } = { inputs: JSON.parse(whole).items[0].all, outputs: JSON.parse(whole).items[1].all };
    expect(await visited.page.locator('article').count()).toBe(inputs.length + outputs.length);
    const results = visited.page.locator('article', { hasText: 'Its result' });
    expect(await results.count()).toBe(outputs.filter((item: string) => item.startsWith('2a')).length);
    const first = await results.first().innerText();
    expect(first).toMatch(
      /Its result\s+outputs, place \d+\s+Status\s+SUCCESS\s+Consensus time\s+\d+\.\d{9} .* UTC\)\s+Fee\s+\d+ tinybars/,
    );
    await visited.context.close();
  });

  it('asks the mirror for what is typed, marks it, and says when the document names something else', async () => {
    const visited = await visit();
    const { page } = visited;
    await page.fill('#ledger-id', ledgerId);
    const answer = await (await fetch(`${url}/spec/api/v1/transactions?limit=1`)).json();
    const [{ transaction_id: id }] = (answer as { transactions: [{ transaction_id: string }] }).transactions;
    const [payer, seconds, nanos] = id.split('-');
    for (const typed of [id, `${payer}@${seconds}.${nanos}`]) {
      expect(await check(visited, typed)).toMatch(/weight[.]$/);
      const first = await page.locator('article').first().innerText();
      expect(first).toMatch(/^Transaction .*\s+This is what you asked for[.]\s/);
      expect(first).toContain(`\n${id}\n`);
    }
    expect(await check(visited, `${payer}-1-1`)).toBe('The mirror has no proof of this (status 404): Not found');
    await page.route('**/api/v1/**/proof', (route) => route.fulfill({ body: document }));
    expect(await check(visited, `${payer}-1-1`)).toMatch(
      /weight[.] But nothing in it names what you asked for: look whether/,
    );
    await visited.context.close();
  });

  it('remembers a ledger id that the visitor entered or compared, and says what differs', async () => {
    const visited = await visit();
    const { page } = visited;
    await expect.poll(() => page.inputValue('#ledger-id')).toBe(ledgerId);
    await page.check('#compared');
    expect(await check(visited, document)).toMatch(/^Proved[.] In block 6/);
    await page.fill('#ledger-id', '00'.repeat(32));
    expect(await page.textContent('#ledger-note')).toBe(
      `Your own, remembered in this browser. This mirror names another one: ${ledgerId}.`,
    );
    expect(await check(visited, document)).toBe('Refused: the address book is not the one of the trusted ledger id.');
    await page.reload();
    await expect.poll(() => page.textContent('#ledger-note')).toContain(`This mirror names another one: ${ledgerId}.`);
    expect(await page.inputValue('#ledger-id')).toBe('00'.repeat(32));
    await page.getByRole('button', { name: 'Take the one of this mirror' }).click();
    expect(await page.inputValue('#ledger-id')).toBe(ledgerId);
    expect(await check(visited, document)).toMatch(/^Proved, if what you trust is right/);
    await visited.context.close();
  });

  it('leaves the field alone while the visitor is in it', async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    let answer!: () => void;
    const held = new Promise<void>((resolve) => (answer = resolve));
    const path = /\/api\/v1\/blocks\/\d+$/;
    await page.route(path, async (route) => {
      await held;
      await route.continue();
    });
    await page.goto(`${url}/proof`);
    const field = page.locator('#ledger-id');
    await field.focus();
    const answered = page.waitForResponse(path);
    answer();
    await answered;
    await expect.poll(() => page.textContent('#ledger-note')).toMatch(/^Enter the one that you know/);
    expect(await field.inputValue()).toBe('');
    await page.locator('#what').focus();
    expect(await field.inputValue()).toBe(ledgerId);
    expect(await page.textContent('#ledger-note')).toMatch(/^This comes from the mirror/);
    await context.close();
  });

  it.each<[string, () => string, string | RegExp]>([
    [
      'another time',
      () => document.replace(/"timestamp":"[^"]*"/, '"timestamp":"0801"'),
      /^Refused: the hinTS signature is not of this block root[.]$/,
    ],
    ['a document that is cut off', () => document.slice(0, -1), 'Refused: the document is not JSON.'],
    [
      'an unknown form',
      () => 'what is this',
      'This has none of the forms that are known here. Examples are beside the field.',
    ],
    ['markup', () => document.replace('"sixteen"', '"<img src=x>"'), 'Refused: form is none of sixteen, eight.'],
  ])('says why %s is refused', async (_name, text, reason) => {
    const visited = await visit();
    await visited.page.fill('#ledger-id', ledgerId);
    expect(await check(visited, text())).toMatch(reason);
    expect(await visited.page.locator('#proven').isVisible()).toBe(false);
    await visited.context.close();
  });

  it('checks without a network after one visit, also in a new tab', async () => {
    const visited = await visit();
    const { page, context } = visited;
    await page.locator('#offline').waitFor();
    await expect.poll(() => page.inputValue('#ledger-id')).toBe(ledgerId);
    await context.setOffline(true);
    const tab = { ...visited, page: await context.newPage() };
    await tab.page.goto(`${url}/proof`);
    await tab.page.locator('#form').waitFor();
    await expect.poll(() => tab.page.inputValue('#ledger-id')).toBe(ledgerId);
    expect(await check(tab, document)).toMatch(/^Proved, if what you trust is right[.] In block 6/);
    expect(await check(tab, '0.0.2-1700000000-000000001')).toMatch(/^The mirror cannot be reached[.]/);
    await context.close();
  });

  it('says without JavaScript what to do', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${url}/proof`);
    expect(await page.locator('noscript').innerText()).toContain('Without it, use the command below.');
    expect([await page.locator('#form').isVisible(), await page.locator('pre').innerText()]).toEqual([
      false,
      expect.stringMatching(/^npm install\nnode cli[.]js https:/),
    ]);
    await context.close();
  });

  it('hands over the program as it is', async () => {
    const { page, context } = await visit();
    const paths = await page
      .locator('.files a[download]')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href')!));
    expect(paths).toContain('/proof/source/verify-proof.js');
    for (const path of paths) {
      const text = await (await fetch(url + path)).text();
      const file = join(import.meta.dirname, '../../clients/verify-proof', path.split('/').at(-1)!);
      expect(text).toBe(readFileSync(file, 'utf8'));
    }
    await context.close();
  });

  const views: ['light' | 'dark', number][] = [
    ['light', 1200],
    ['dark', 1200],
    ['light', 360],
    ['dark', 360],
  ];
  it.each(views)('no accessibility fault and nothing over the edge: %s, %i px', async (colorScheme, width) => {
    const visited = await visit({ colorScheme, viewport: { width, height: 800 }, bypassCSP: true });
    const { page } = visited;
    await expect.poll(() => page.inputValue('#ledger-id')).toBe(ledgerId);
    const states: [string, string][] = [
      ['', ''],
      ['proved', document],
      ['refused', '{}'],
    ];
    for (const [state, text] of states) {
      if (text) await check(visited, text);
      expect([state, await findFaults(page)]).toEqual([state, []]);
      const overhang = await page.evaluate<number>(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      );
      expect([state, overhang]).toEqual([state, 0]);
    }
    await visited.context.close();
  });

  async function findFaults(page: Page): Promise<string[]> {
    await page.evaluate(axe);
    const { violations } = await page.evaluate<{ violations: { id: string; nodes: { html: string }[] }[] }>(
      'axe.run()',
    );
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' ')}`);
  }
});
