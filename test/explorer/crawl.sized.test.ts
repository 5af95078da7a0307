// Every link of the pages leads somewhere, and every page says what the API says: over a simulated network, an empty
// ledger, and one whose every text an attacker wrote. `run-crawl.ts` follows more.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readPage } from '../../packages/test-support/http/read-page.ts';
import { sized } from '../../packages/test-support/sized.ts';
import { pages as everyPage } from '../../src/pages/pages.ts';
import { redirects } from '../../src/pages/redirected-pages.ts';
import { crawl, kindOf } from '../support/crawl.ts';
import { compareWithApi } from './compare-with-api.ts';
import { type CrawledServer, openCrawled, openWithRows } from './crawl-server.ts';
import { makeHostileLedger } from './hostile-ledger.ts';
import { hostileTexts } from './hostile-texts.ts';

// A ledger is made, and hundreds of pages are read.
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to find
const hiddenCharacter = /[\u202a-\u202e\u2066-\u2069\u200b\u0000-\u0008]/;

const isRedirected = new Set(redirects.map(([path]) => path));

/** Addresses of other explorers; what the search alone leads to; and of what this ledger has none. */
const unlinked = [
  ...['/tx/:transactionLoc', '/address/:accountId', '/adminKey/:accountId', '/contract/:contractId/source/text'],
  ...[
    '/transactionsById/:transactionId',
    '/accountsWithKey/:pubKey',
    '/tokensByName/:name',
    '/registered-node/:nodeId',
  ],
  ...['', '/holders', '/serials', '/serials/:serialNumber', '/transfers'].map(
    (list) => `/contract/:contractId/token${list}`,
  ),
];

type OwnedList = [name: string, page: (id: string) => string, list: (id: string) => string];

/** Lists of an account or a token that have a page of their own. */
const ownedLists: OwnedList[] = [
  ['tokens of an account', (id) => `/demo/account/${id}/tokens`, (id) => `/api/v1/accounts/${id}/tokens`],
  [
    'airdrops to an account',
    (id) => `/demo/account/${id}/airdrops/pending`,
    (id) => `/api/v1/accounts/${id}/airdrops/pending`,
  ],
  [
    'airdrops of an account',
    (id) => `/demo/account/${id}/airdrops/outstanding`,
    (id) => `/api/v1/accounts/${id}/airdrops/outstanding`,
  ],
  [
    'allowances of hbar',
    (id) => `/demo/account/${id}/allowances/crypto`,
    (id) => `/api/v1/accounts/${id}/allowances/crypto`,
  ],
  [
    'allowances of tokens',
    (id) => `/demo/account/${id}/allowances/tokens`,
    (id) => `/api/v1/accounts/${id}/allowances/tokens`,
  ],
  [
    'allowances of NFTs',
    (id) => `/demo/account/${id}/allowances/nfts`,
    (id) => `/api/v1/accounts/${id}/allowances/nfts`,
  ],
  ['token NFTs', (id) => `/demo/token/${id}/nfts`, (id) => `/api/v1/tokens/${id}/nfts`],
  ['token transfers', (id) => `/demo/token/${id}/transfers`, (id) => `/api/v1/contracts/${id}/results/logs`],
];

const toAddress = (path: string) => new RegExp(`^/demo${path.replaceAll(/:\w+/g, '[^/]+')}$`);

const maxPages = sized({ short: 80, long: 400 });

describe('a busy ledger', () => {
  let server: CrawledServer;
  beforeAll(async () => {
    server = await openCrawled({ seed: 'crawl', blocks: 40 });
  });
  afterAll(() => server?.close());

  it('has no dead end, no error, and no number that the API does not have', async () => {
    const compared = new Set<string>();
    const { pages, files, findings } = await crawl(server.fetch, {
      start: ['/', '/api', '/demo/tokens', '/demo/schedules', '/demo/network', '/demo/staking'],
      maxPages,
      async judge(path, page) {
        const found = await compareWithApi(path, page, server.askJson);
        compared.add(kindOf(path));
        return found;
      },
    });
    expect(findings).toEqual([]);
    expect(pages.length).toBe(maxPages);
    expect(files.length).toBeGreaterThan(sized({ short: 5, long: 50 }));
    // All kinds of pages are among them.
    for (const kind of ['account', 'token', 'topic', 'contract', 'block', 'transaction', 'schedule']) {
      expect([...compared].filter((one) => one.startsWith(`/demo/${kind}/`)).length, kind).toBeGreaterThan(0);
    }
    const read = [...pages, ...files].map((path) => path.split('?')[0]!);
    const isRead = (path: string) => read.some((one) => toAddress(path).test(one));
    const linked = everyPage.map(({ path }) => path).filter((path) => !isRedirected.has(path));
    expect(linked.filter((path) => !isRead(path) && !unlinked.includes(path))).toEqual([]);
  });

  it.each(ownedLists)('%s', async (name, toPage, toList) => {
    const { accounts } = (await server.askJson('/api/v1/accounts?limit=100')) as { accounts: { account: string }[] };
    const { tokens } = (await server.askJson('/api/v1/tokens?limit=100')) as { tokens: { token_id: string }[] };
    const ids = name.startsWith('token ') ? tokens.map((one) => one.token_id) : accounts.map((one) => one.account);
    let rows = 0;
    for (const id of ids) {
      const answer = (await server.askJson(toList(id))) as Record<string, unknown>;
      const items = Object.values(answer).find((one) => Array.isArray(one)) ?? [];
      if (items.length === 0) continue;
      const { status, body } = await server.fetch(toPage(id));
      expect([id, status, ([...readPage(body).tables.values()][0] ?? []).length]).toEqual([id, 200, items.length]);
      rows += items.length;
      if (rows > 5) break;
    }
    expect(rows).toBeGreaterThan(0);
  });

  it('one message of a topic', async () => {
    const sent = '/api/v1/transactions?transactiontype=CONSENSUSSUBMITMESSAGE&result=success&limit=1';
    const { transactions } = (await server.askJson(sent)) as { transactions: { entity_id: string }[] };
    const topic = transactions[0]!.entity_id;
    const message = (await server.askJson(`/api/v1/topics/${topic}/messages/1`)) as { running_hash: string };
    const { status, body } = await server.fetch(`/demo/topic/${topic}/messages/1`);
    expect([status, readPage(body).title]).toEqual([200, expect.stringContaining(`Message 1 of ${topic}`)]);
    expect(body).toContain(Buffer.from(message.running_hash, 'base64').toString('hex'));
  });
});

describe('an empty ledger', () => {
  it('has pages without a dead end', async () => {
    const server = await openWithRows([]);
    const { pages, findings } = await crawl(server.fetch, { start: ['/'], maxPages: 60 });
    // What needs a network is not found where nothing is known of it, and the page says so.
    expect(findings.filter((one) => !/^\/(?:demo\/(?:network|staking|nodes)|api\/v1\/network)/.test(one))).toEqual([]);
    expect(pages.length).toBeGreaterThan(10);
    await server.close();
  });
});

describe('a ledger whose texts an attacker wrote', () => {
  let server: CrawledServer;
  const { rows, paths } = makeHostileLedger();
  beforeAll(async () => {
    server = await openWithRows(rows);
  });
  afterAll(() => server?.close());

  // Of all kinds of pages: a text has nine.
  const each = sized({ short: 10, long: 1 });
  const visited = paths.filter((_path, at) => at % each === 0);

  it(`shows ${hostileTexts.length} of them as text, on ${visited.length} pages of a bounded size`, async () => {
    expect(hostileTexts.length).toBeGreaterThan(500);
    const findings: string[] = [];
    for (const path of visited) {
      const { status, body } = await server.fetch(`/demo/${path}`);
      const page = readPage(body);
      if (status !== 200) findings.push(`${path}: status ${status}`);
      if (Buffer.byteLength(body) > 80_000) findings.push(`${path}: ${Buffer.byteLength(body)} bytes`);
      findings.push(...[...page.errors, ...page.active].map((one) => `${path}: ${one}`));
      const foreign = page.links.filter(
        (link) => !/^(?:\/(?!\/)|#|https:\/\/(?:ipfs\.io|arweave\.net|example\.org|evil\.example)\/)/.test(link),
      );
      findings.push(...foreign.map((link) => `${path}: leads to ${link.slice(0, 100)}`));
      if (hiddenCharacter.test(body)) findings.push(`${path}: a hidden character`);
    }
    expect(findings).toEqual([]);
  });

  it('lists and the search show them as text, too', async () => {
    const findings: string[] = [];
    const lists = ['transactions', 'accounts', 'tokens', 'contracts', 'topics', 'schedules', 'blocks'];
    const asked = hostileTexts
      .slice(0, 100)
      .map((text) => `/search?q=${encodeURIComponent(text.slice(0, 280).toWellFormed())}`);
    for (const path of [...lists.map((list) => `/demo/${list}`), ...asked]) {
      const { status, body } = await server.fetch(path);
      const page = readPage(body);
      // One answer leads to its page.
      if (status === 302) continue;
      if (status >= 500) findings.push(`${path}: status ${status}`);
      findings.push(...[...page.errors, ...page.active].map((one) => `${path}: ${one}`));
    }
    expect(findings).toEqual([]);
  });
});
