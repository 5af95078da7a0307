// Lists as pages: they have the items of the API's lists, lead from page to page, and show what anyone wrote as text.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formatTimestamp } from '../../packages/protocol/hapi/timestamp.ts';
import { openServer } from '../../packages/test-support/http/open-server.ts';
import { columnOf } from '../../packages/test-support/http/read-page.ts';
import type { SetupRow } from '../../packages/test-support/rows/setup-row.ts';
import { toTransaction } from '../../packages/test-support/rows/setup-transactions.ts';
import { type StoredRows, storeRows } from '../../packages/test-support/rows/store-rows.ts';
import { blockRow, blockTimes, entityRow } from '../../packages/test-support/rpc/chain-rows.ts';
import { liveFeedsMark } from '../api/frame/live-feeds-mark.ts';

const hostile = '<img src=x onerror=alert(1)>\u202e"\'&amp;javascript:';
const key = 'ab'.repeat(32);
const count = 60;

const numbers = Array.from({ length: count }, (_, n) => BigInt(n));
const transactionAt = (at: bigint, payer: bigint): SetupRow[] =>
  toTransaction(
    { consensus_timestamp: at, payerAccountId: payer, nodeAccountId: 3n } as never,
    { shard: 0n, realm: 0n } as never,
  );
const rows: readonly SetupRow[] = [
  ...numbers.map((n) => blockRow(n)),
  ...numbers.flatMap((n) => transactionAt(blockTimes(n).start, n % 2n === 0n ? 1001n : 1002n)),
  ...numbers.map((n) =>
    entityRow(1001n + n, { memo: hostile, balance: n, public_key: n < 30n ? key : 'cd'.repeat(32) }),
  ),
  ...numbers.map((n) => entityRow(2001n + n, { type: 'CONTRACT', memo: hostile, deleted: n === 59n })),
  ...numbers.flatMap((n) => [
    entityRow(3001n + n, { type: 'TOKEN' }),
    {
      table: 'token',
      row: {
        ...{ token_id: 3001n + n, name: `${hostile} ${n}`, symbol: hostile, decimals: 2n, created_timestamp: 1n },
        ...{ initial_supply: 0n, freeze_status: 0, kyc_status: 0, timestamp_range: '[1,)', treasury_account_id: 1001n },
        type: n % 2n === 0n ? 'FUNGIBLE_COMMON' : 'NON_FUNGIBLE_UNIQUE',
      },
    },
  ]),
  ...numbers.map((n) => entityRow(4001n + n, { type: 'TOPIC', memo: hostile, deleted: n === 59n })),
  ...numbers.flatMap((n) => [
    entityRow(5001n + n, { type: 'SCHEDULE', memo: hostile }),
    {
      table: 'schedule',
      row: {
        ...{ schedule_id: 5001n + n, consensus_timestamp: blockTimes(n).start, creator_account_id: 1001n },
        ...{ payer_account_id: 1002n, transaction_body: Buffer.alloc(1), wait_for_expiry: false },
        executed_timestamp: n === 58n ? blockTimes(n).end : null,
      },
    },
  ]),
];

let stored: StoredRows;
let app: ReturnType<typeof openServer>;
beforeAll(async () => {
  stored = await storeRows(rows);
  app = openServer(stored.db, 'spec');
  app.decorate(liveFeedsMark, true);
});
afterAll(async () => {
  await app?.close();
  await stored?.close();
});

const linksOf = (body: string, kind: string): string[] =>
  ['Id', 'Number']
    .flatMap((head) => columnOf(body, head))
    .flatMap((cell) => new RegExp(`^<a href="/demo/${kind}/([^"]+)`).exec(cell)?.[1] ?? []);
const nextOf = (body: string): string | null =>
  /<a href="([^"]+)" rel="next">/.exec(body)?.[1]?.replaceAll('&#38;', '&') ?? null;
const idsFrom = (first: bigint) => numbers.map((n) => `0.0.${first + n}`).toReversed();

type Answered = Awaited<ReturnType<typeof app.inject>>;
type Case = [path: string, kind: string, ids: () => string[]];
const lists: Case[] = [
  ['/demo/blocks', 'block', () => numbers.map(String).toReversed()],
  ['/demo/transactions', 'transaction', () => numbers.map((n) => formatTimestamp(blockTimes(n).start)).toReversed()],
  ['/demo/accounts', 'account', () => [...idsFrom(2001n), ...idsFrom(1001n)]],
  [`/demo/accountsWithKey/${key}`, 'account', () => idsFrom(1001n).slice(30)],
  ['/demo/tokens', 'token', () => idsFrom(3001n)],
  ['/demo/tokens?type=NON_FUNGIBLE_UNIQUE', 'token', () => idsFrom(3001n).filter((_, n) => n % 2 === 0)],
  ['/demo/contracts', 'contract', () => idsFrom(2001n)],
  ['/demo/topics', 'topic', () => idsFrom(4001n)],
  ['/demo/schedules', 'schedule', () => idsFrom(5001n)],
  [
    '/demo/transactions?account.id=0.0.1002&timestamp=gte:1700000000.000000000',
    'transaction',
    () =>
      numbers
        .filter((n) => n % 2n === 1n)
        .map((n) => formatTimestamp(blockTimes(n).start))
        .toReversed(),
  ],
];

describe.each(lists)('%s', (path, kind, ids) => {
  it('has every item once, through its pages', async () => {
    const seen: string[] = [];
    let url: string | null = path;
    let pages = 0;
    while (url !== null) {
      const { statusCode, body } = await app.inject(url);
      expect([url, statusCode, body.length < 80_000]).toEqual([url, 200, true]);
      const found = linksOf(body, kind);
      expect(found.length).toBeLessThanOrEqual(25);
      seen.push(...found);
      pages += 1;
      // Every page but the first leads back to it, with what was chosen.
      const first = /<a href="([^"]+)">First page/.exec(body)?.[1]?.replaceAll('&#38;', '&');
      expect(first).toBe(pages === 1 ? undefined : path);
      url = nextOf(body);
    }
    expect(seen).toEqual(ids());
  });

  it('leads back through the same pages, of any size', async () => {
    const sized = `${path}${path.includes('?') ? '&' : '?'}limit=17`;
    const seen = new Map<string, string[]>();
    let last = sized;
    for (let url: string | null = sized; url !== null; url = nextOf((await app.inject(last)).body)) {
      seen.set(url, linksOf((await app.inject(url)).body, kind));
      last = url;
    }
    const forwards = [...seen.values()];
    const backwards: string[][] = [];
    let after: string | null = null;
    let url: string | null = last;
    while (url !== null) {
      const { statusCode, headers, body }: Answered = await app.inject(url);
      if (statusCode === 302) {
        expect(headers.location).toBe(sized);
        backwards.push(linksOf((await app.inject(sized)).body, kind));
        break;
      }
      backwards.push(linksOf(body, kind));
      // The page that it was reached from is the next one.
      if (after !== null) expect(linksOf((await app.inject(nextOf(body)!)).body, kind)).toEqual(backwards.at(-2));
      after = url;
      url = /<a href="([^"]+)" rel="prev">/.exec(body)?.[1]?.replaceAll('&#38;', '&') ?? null;
    }
    // The first page is whole, whatever page it was reached from.
    expect(backwards.toReversed()).toEqual(forwards);
  });

  it('is the JSON that it names', async () => {
    const { body } = await app.inject(path);
    const json = /<a href="([^"]+)">This page as JSON/.exec(body)?.[1]?.replaceAll('&#38;', '&');
    if (kind === 'topic') return expect(json).toBeUndefined();
    const answer = await app.inject(json!);
    const [items] = Object.values(answer.json()) as [Record<string, string | number>[]];
    const shown = items.map((item) =>
      String((kind === 'transaction' ? item.consensus_timestamp : item[kind]) ?? item[`${kind}_id`] ?? item.number),
    );
    expect([answer.statusCode, shown]).toEqual([200, linksOf(body, kind)]);
  });

  it('shows what anyone wrote as text', async () => {
    const { body } = await app.inject(path);
    expect(body).not.toMatch(/<img src=x|\u202e/);
    if (!['block', 'transaction'].includes(kind)) {
      expect(body).toContain('&#60;img src=x onerror=alert(1)&#62;<span class="hidden-character">U+202E</span>');
    }
  });
});

it.each<[string, string]>([
  ['/demo/transactions?transactiontype=&result=&account.id=&from=&until=', '/demo/transactions'],
  [
    '/demo/transactions?transactiontype=CRYPTOTRANSFER&result=&from=2023-11-14T22:13:20&until=2023-11-14T22:14',
    '/demo/transactions?transactiontype=CRYPTOTRANSFER&timestamp=gte:1700000000.000000000&timestamp=lte:1700000040.999999999',
  ],
  ['/demo/tokens?type=&name=&publickey=', '/demo/tokens'],
  ['/demo/nodes/table', '/demo/nodes'],
  ['/demo/network/block-nodes', '/demo/network/registered-nodes?type=BLOCK_NODE'],
  ['/demo/search-help', '/search'],
])('%s leads to %s', async (path, target) => {
  const { statusCode, headers } = await app.inject(path);
  expect([statusCode, headers.location]).toEqual([302, target]);
});

it.each<[string, string | number, string]>([
  ['/demo/blocks?to=7', 302, '/demo/blocks?block.number=lt:8'],
  ['/demo/blocks?order=asc&to=7', 302, '/demo/blocks?order=asc&block.number=gt:6'],
  ['/demo/blocks?to=2023-11-14', 302, `/demo/blocks?block.number=lt:${count}`],
  ['/demo/blocks?order=asc&to=2023-11-14+00:00', 302, '/demo/blocks?order=asc&block.number=gt:-1'],
  ['/demo/blocks?to=2001-01-01', 404, 'This mirror has no block until then.'],
  ['/demo/transactions?to=2023-11-14+22:13', 302, '/demo/transactions?timestamp=lt:1700000040.000000000'],
  [
    '/demo/transactions?result=fail&to=2023-11-14T22:13:20Z',
    302,
    '/demo/transactions?result=fail&timestamp=lt:1700000001.000000000',
  ],
  ['/demo/transactions?to=1700000000.5', 302, '/demo/transactions?timestamp=lt:1700000000.500000001'],
  ['/demo/transactions?to=3', 302, `/demo/transactions?timestamp=lt:${formatTimestamp(blockTimes(3n).end + 1n)}`],
  ['/demo/transactions?limit=50&timestamp=lt:1700000003.000000000&to=', 302, '/demo/transactions?limit=50'],
  ['/demo/transactions?to=60', 404, 'Not found'],
  ['/demo/transactions?to=soon', 400, 'Invalid parameter: to'],
  ['/demo/transactions?to=2023-02-30x', 400, 'Invalid parameter: to'],
  ['/demo/accounts?to=7', 400, 'Unknown query parameter: to'],
])('%s: %s %s', async (path, status, text) => {
  const { statusCode, headers, body } = await app.inject(path);
  expect([statusCode, headers.location ?? body]).toEqual([status, expect.stringContaining(text)]);
});

it('a list says how many rows a page has, and how many there are where that is known', async () => {
  const blocks = (await app.inject('/demo/blocks')).body;
  expect(blocks).toContain(`<span class="faint">${count} in all</span>`);
  expect(blocks).toContain('<span aria-current="true">25</span>');
  expect(blocks).toContain('<a href="/demo/blocks?limit=50" aria-label="50 rows a page">50</a>');
  const second = (await app.inject('/demo/transactions?result=success&timestamp=lt:1700000030.000000000')).body;
  expect(second).toContain(
    '<a href="/demo/transactions?result=success&#38;limit=100&#38;timestamp=lt:1700000030.000000000"',
  );
  expect(second).toContain('<input type="hidden" name="result" value="success">');
  const all = (await app.inject('/demo/blocks?limit=100')).body;
  expect(linksOf(all, 'block').length).toBe(count);
  expect(all).toContain('<a href="/demo/blocks" aria-label="25 rows a page">25</a>');
  expect((await app.inject('/demo/blocks?block.number=9&page=previous')).headers.location).toBe(
    '/demo/blocks?block.number=9',
  );
});

it('a form shows what was chosen', async () => {
  const query =
    'transactiontype=CRYPTOTRANSFER&timestamp=gte:1700000000.000000000&result=fail&account.id=%22%3E%3Cb%3E';
  const refused = await app.inject(`/demo/transactions?${query}`);
  expect([refused.statusCode, refused.body]).toEqual([400, expect.stringContaining('Invalid parameter: account.id')]);
  const { body } = await app.inject(`/demo/transactions?${query.replace(/&account.*/, '&account.id=0.0.7')}`);
  expect(body).toContain('<option value="CRYPTOTRANSFER" selected>Crypto transfer</option>');
  expect(body).toContain('<option value="fail" selected>Failed</option>');
  expect(body).toContain('name="from" type="datetime-local" step="1" value="2023-11-14T22:13:20"');
  expect(body).toContain('name="account.id" type="text" size="12" value="0.0.7"');
  expect(body).toContain('<a href="/demo/transactions">Show all</a>');
  expect(body).toContain('No transaction fits.');
  expect(body).not.toContain('data-live');
});

it.each<[string, number, string]>([
  ['/demo/transactions?from=yesterday', 400, 'Invalid parameter: from'],
  ['/demo/transactions?until=1969-12-31T00:00', 400, 'Invalid parameter: until'],
  ['/demo/blocks?limit=x', 400, 'Invalid parameter: limit'],
  ['/demo/accounts?surprise=1', 400, 'Unknown query parameter: surprise'],
  ['/demo/topics?topic.id=x', 400, 'Invalid parameter: topic.id'],
  ['/demo/topics?%ff=%', 400, 'Unknown query parameter'],
  ['/demo/accountsWithKey/xyz', 400, 'Invalid parameter: account.publickey'],
  ['/demo/tokensByName/ab', 400, 'Invalid parameter: name'],
  ['/demo/transactionsById/xyz', 400, 'Invalid Transaction id'],
  ['/demo/transactionsById/0.0.1001-1-1', 404, 'Not found'],
  ['/demo/nothing', 404, 'Not found'],
])('%s is refused with %d', async (path, status, text) => {
  const { statusCode, body, headers } = await app.inject(path);
  expect([statusCode, headers['content-type'], body]).toEqual([
    status,
    'text/html; charset=utf-8',
    expect.stringContaining(text),
  ]);
});

it('the transactions of an id are those of the API', async () => {
  const { body } = await app.inject('/demo/transactions?limit=1');
  const [id] = /0\.0\.\d+-\d+-\d{9}/.exec(body)!;
  const page = await app.inject(`/demo/transactionsById/${id}`);
  expect(page.statusCode).toBe(200);
  expect(page.body).toContain(`<a href="/demo/transaction/${formatTimestamp(blockTimes(59n).start)}">`);
  expect(page.body).toContain(`<a href="/api/v1/transactions/${id}">This page as JSON</a>`);
});

it('lists of all that is new go on', async () => {
  const live = async (path: string) => /data-live="[^"]*"( data-[^>]*)>/.exec((await app.inject(path)).body)?.[1];
  expect(await live('/demo/transactions')).toBe(' data-live-name="transactions" data-live-count="count"');
  expect(await live('/demo/blocks')).toBe(' data-live-name="blocks"');
  expect(await live('/demo/blocks?limit=3')).toBeUndefined();
});

it('where nothing says what is new, no page asks for it', async () => {
  const other = openServer(stored.db, 'spec');
  for (const path of ['/', '/demo/transactions', '/demo/blocks', '/demo/account/0.0.1001']) {
    const { statusCode, body } = await other.inject(path);
    expect([path, statusCode, body.includes('data-live=')]).toEqual([path, 200, false]);
    expect((await app.inject(path)).body).toContain('data-live=');
  }
  await other.close();
});
