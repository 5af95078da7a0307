// Charts over days: what they show of the table of days, what their files have, and that nothing else is read.
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openServer } from '../../../packages/test-support/http/open-server.ts';
import { shownText } from '../../../packages/test-support/http/read-page.ts';
import { recordQueries } from '../../../packages/test-support/postgres/record-queries.ts';
import { type StoredRows, storeRows } from '../../../packages/test-support/rows/store-rows.ts';
import { toSpans } from './chart-range.ts';
import { charts } from './chart-table.ts';

const first = 19_000;
const count = 1000;
const last = first + count - 1;

/** Of the day at this place: every number is another one. */
const dayRow = (at: number) => ({
  ...{ day: first + at, blocks: 100, gas_used: 5000 + at, transactions: 1000 + at, failed: 10, fees: 100_000_000 },
  ...{ active_accounts: 50, sent: 800, consensus_ms: 800 * 3210, new_accounts: 7, new_contracts: 2, new_tokens: 1 },
  ...{ new_topics: 0, gas_price: at === count - 1 ? null : 80 + (at % 5) },
});

let stored: StoredRows;
let app: FastifyInstance;
const asked: string[] = [];
beforeAll(async () => {
  stored = await storeRows([
    // Without blocks: only counted from entities so far.
    { table: 'ledger_day', row: { day: first - 5, new_accounts: 3 } },
    ...Array.from({ length: count }, (_, at) => ({ table: 'ledger_day', row: dayRow(at) })),
    ...[0, count - 2, count - 1].flatMap((at) =>
      [14, 7].map((type) => ({
        table: 'ledger_day_type',
        row: { day: first + at, type, transactions: type === 14 ? 600 : 400 + at, fees: 50_000_000 },
      })),
    ),
    { table: 'ledger_day_fill', row: { day: first + 3 } },
  ]);
  app = openServer(
    recordQueries(stored.db, ({ text }) => asked.push(text)),
    'spec',
  );
});
afterAll(async () => {
  await app?.close();
  await stored?.close();
});

const read = async (path: string) => {
  const { statusCode, body } = await app.inject(`/demo/charts${path}`);
  return { statusCode, body, text: shownText(body, '') };
};

describe('the time that is shown', () => {
  it.each([
    ['month', { from: last - 29, until: last + 1, step: 1 }],
    ['year', { from: last - 51 * 7, until: last, step: 7 }],
    ['all', { from: last - 71 * 14, until: last, step: 14 }],
  ])('%s', (name, expected) => {
    const days = { month: 30, year: 364, all: null }[name]!;
    expect(toSpans({ name, text: '', days }, { first, last, filling: 0n })).toEqual(expected);
  });

  it('has no more spans than a picture can show, ends with the newest day that is over, and leaves no day out', () => {
    for (const length of [1, 2, 59, 60, 61, 100, 728, 729, 3000, 30_000]) {
      const known = { first, last: first + length - 1, filling: 0n };
      const { from, until, step } = toSpans({ name: 'all', text: '', days: null }, known);
      expect((until - from) / step).toBeLessThanOrEqual(104);
      expect((until - from) % step).toBe(0);
      expect(from - first).toBeLessThan(step);
      expect(from).toBeGreaterThanOrEqual(first);
      expect(until).toBe(step === 1 ? known.last + 1 : known.last);
    }
  });

  it.each(['?range=week', '?range=all&range=all', '?days=3'])('%s is refused', async (query) => {
    const { statusCode, text } = await read(query);
    expect([statusCode, text]).toEqual([400, expect.stringContaining(query.slice(1).split('=')[0]!)]);
  });
});

it.each(charts)('$name has a page that reads days alone, and a file', async ({ name, title, fields, about }) => {
  asked.length = 0;
  const { statusCode, text } = await read(`/${name}?range=all`);
  expect([statusCode, text]).toEqual([200, expect.stringContaining(title)]);
  expect(text).toContain(about.slice(0, 40));
  expect(text).toContain('1 day is still being counted');
  const tables = new Set(asked.flatMap((sql) => [...sql.matchAll(/\b(?:from|join) (\w+)/g)].map(([, table]) => table)));
  expect([...tables].filter((table) => !/^ledger_day(?:_type|_fill)?$/.test(table!))).toEqual([]);
  const file = await read(`/${name}.csv`);
  expect(file.statusCode).toBe(200);
  const lines = file.body.trimEnd().split('\r\n');
  expect(lines[0]).toBe(['day', ...fields.map((field) => field.name)].join(','));
  expect(lines).toHaveLength(1 + count);
  expect(lines.at(-1)!.slice(0, 10)).toBe('2024-10-03');
});

it('shows numbers of days, and averages of weeks', async () => {
  const month = await read('/transactions');
  expect(month.text).toContain('Newest 1,999, highest 1,999 at 2024-10-03');
  expect(month.text).toMatch(/By type.*Contract call2,797.*Crypto transfer1,200/s);
  // The last whole week: 1992 to 1998.
  expect((await read('/transactions?range=year')).text).toContain('Newest 1,995, highest 1,995 at 2024-09-26');
  expect((await read('/failed?range=year')).text).toContain('Newest 0.5 %');
});

it.each([
  ['/charts/transactions', 'Newest 1,999'],
  ['/charts/failed', 'Newest 0.5 %'],
  ['/charts/active-accounts', 'Newest 50'],
  ['/charts/new-accounts', 'Newest 7'],
  ['/charts/new-contracts', 'Newest 2'],
  ['/charts/new-tokens', 'Newest 1'],
  ['/charts/new-topics', 'Newest 0'],
  ['/charts/fees', 'Newest 1 ℏ'],
  // Of the newest day nothing is known here: its price is the one of now.
  ['/charts/gas-price', 'Newest 83 tinybar, highest 84 tinybar'],
  ['/charts/gas-used', 'Newest 5,999'],
  ['/charts/block-gas', 'Newest 60'],
  ['/charts/block-transactions', 'Newest 19.99'],
  ['/charts/time-to-consensus', 'Newest 3.21 s'],
])('%s: %s', async (path, newest) => {
  const { body } = await app.inject(`/demo${path}`);
  expect(shownText(body, '')).toMatch(new RegExp(`${newest}[, ]`));
});

it('all of them on one page link to their own, with the time that was chosen', async () => {
  const { body } = await read('?range=year');
  for (const { name } of charts) expect(body).toContain(`href="/demo/charts/${name}?range=year"`);
  expect(body.match(/<svg[^>]* role="img"/g)).toHaveLength(charts.length);
});

it('types have a file: a line for each type of a day', async () => {
  const { body } = await read('/types.csv');
  expect(body.split('\r\n').slice(0, 3)).toEqual([
    'day,type,transactions,fees_tinybar',
    '2022-01-08,Contract call,400,50000000',
    '2022-01-08,Crypto transfer,600,50000000',
  ]);
});

it('a database without days says so', async () => {
  const own = await storeRows([]);
  const empty = openServer(own.db, 'spec');
  for (const path of ['/demo/charts', '/demo/charts/fees?range=all']) {
    const { statusCode, body } = await empty.inject(path);
    expect([statusCode, body]).toEqual([200, expect.stringContaining('No day is counted here')]);
  }
  expect((await empty.inject('/demo/charts/fees.csv')).body).toBe('day,fees_tinybar\r\n');
  await empty.close();
  await own.close();
});
