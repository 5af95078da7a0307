// The start page: its figures are the API's, and what is not known or not verified is said.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openServer } from '../../../packages/test-support/http/open-server.ts';
import { shownText } from '../../../packages/test-support/http/read-page.ts';
import { addRows } from '../../../packages/test-support/rows/load-rows.ts';
import type { SetupRow } from '../../../packages/test-support/rows/setup-row.ts';
import { toTransaction } from '../../../packages/test-support/rows/setup-transactions.ts';
import { type StoredRows, storeRows } from '../../../packages/test-support/rows/store-rows.ts';
import { blockRow, blockTimes, entityRow, priceRows } from '../../../packages/test-support/rpc/chain-rows.ts';
import { liveFeedsMark } from '../../api/frame/live-feeds-mark.ts';
import { createLinks } from '../page/links.ts';
import { formatFigures } from './figures.ts';
import { throughputCharts } from './throughput-charts.ts';

const newest = 95n;
const transactionAt = (at: bigint): SetupRow[] =>
  toTransaction(
    { consensus_timestamp: at, payerAccountId: 1001n, nodeAccountId: 3n } as never,
    { shard: 0n, realm: 0n } as never,
  );

const rows: readonly SetupRow[] = [
  ...Array.from({ length: Number(newest) + 1 }, (_, n) => blockRow(BigInt(n), { count: BigInt(n % 7) })),
  ...Array.from({ length: 12 }, (_, n) => transactionAt(blockTimes(newest).start + BigInt(n))).flat(),
  ...priceRows(5n, 50),
  entityRow(2n, { balance: 3_000_000_000_000_000_000n, balance_timestamp: 5n }),
  entityRow(1001n),
];

let stored: StoredRows;
let app: ReturnType<typeof openServer>;
beforeAll(async () => {
  stored = await storeRows(rows);
  app = openServer(stored.db, 'spec', { settings: { clock: () => blockTimes(newest).end + 3_000_000_000n } });
  app.decorate(liveFeedsMark, true);
});
afterAll(async () => {
  await app?.close();
  await stored?.close();
});

const textOf = (html: string) => shownText(html, '');
/** The value of a figure with what is said below it. */
const figureOf = (html: string, name: string) => {
  const [, value, more] = new RegExp(`<dt>${name}</dt><dd>(.*?)<small>(.*?)</small></dd>`).exec(html) ?? [];
  return value === undefined ? null : [textOf(value), textOf(more!)];
};

it('shows the figures of the API', async () => {
  const { body, statusCode } = await app.inject('/');
  expect([statusCode, body.length < 80_000]).toEqual([200, true]);
  const [blocks, supply] = await Promise.all([
    app.inject('/api/v1/blocks?limit=10').then((answer) => answer.json().blocks as { count: number }[]),
    app.inject('/api/v1/network/supply').then((answer) => answer.json()),
  ]);
  expect(figureOf(body, 'Newest block')).toEqual(['95', '3 seconds ago']);
  // Ten blocks of 2 s, the last of which has ended 0.1 s earlier.
  const count = blocks.reduce((sum, block) => sum + block.count, 0);
  const perSecond = String(Math.floor((count * 100) / 19.9) / 100);
  expect(figureOf(body, 'Transactions a second')).toEqual([perSecond, 'over the newest 10 blocks']);
  expect(supply.released_supply).toBe('2000000000000000000');
  expect(figureOf(body, 'Supply released')).toEqual(['20,000,000,000 ℏ', '40 % of 50,000,000,000 ℏ']);
  expect(figureOf(body, 'Exchange rate')).toEqual(['$0.01', 'for one ℏ, as the network counts fees']);
  expect(figureOf(body, 'Gas price')).toEqual(['50 tinybar', 'for one unit of gas']);
  expect(figureOf(body, 'Network version')?.[0]).toBe('0.69.0');
  // Nothing is known of these.
  expect([figureOf(body, 'Staked'), figureOf(body, 'Contracts with sources')]).toEqual([null, null]);
});

it('lists what is newest, and what can be followed', async () => {
  const { body } = await app.inject('/');
  expect(body.match(/\/demo\/block\/\d+/g)!.slice(1, 11)).toEqual(
    Array.from({ length: 10 }, (_, n) => `/demo/block/${newest - BigInt(n)}`),
  );
  expect(body.match(/href="\/demo\/transaction\//g)).toHaveLength(10);
  expect(body).toContain('data-live="/spec/api/v1/blocks?follow=true" data-live-name="blocks"');
});

it('draws transactions of each whole minute', async () => {
  const { body } = await app.inject('/');
  // Blocks 0 to 95 last from 22:13:20 to 22:16:32 on 2023-11-14; the first minute begins in the middle.
  const minutes = ['22:14:00', '22:15:00'].map((time) => {
    const [, value] = new RegExp(`2023-11-14 ${time}</time></td><td class="number" data-name="A second">([^<]+)`).exec(
      body,
    )!;
    return value;
  });
  const expected = [20n, 50n].map((first) => {
    const counts = Array.from({ length: 30 }, (_, n) => (first + BigInt(n)) % 7n);
    return String(Number((counts.reduce((sum, one) => sum + one, 0n) * 100n) / 60n) / 100);
  });
  expect(minutes).toEqual(expected);
  expect(body.match(/<figure class="chart" id="last-hour"/g)).toHaveLength(1);
});

describe('what this mirror holds', () => {
  it('is everything, as nodes signed it', async () => {
    const text = textOf((await app.inject('/')).body);
    expect(text).toContain('Signed by nodes');
    expect(text).toContain('3 seconds behind');
    expect(text).toContain('All of it, from the first block on.');
    expect(text).toMatch(/Room that it takes\s*[\d.]+ MB\./);
  });

  it('is not verified where no signature is known', async () => {
    const own = await storeRows([blockRow(7n, { version: 7 })]);
    const late = openServer(own.db, 'spec', { settings: { clock: () => blockTimes(7n).end + 7_200_000_000_000n } });
    const { body } = await late.inject('/');
    const text = textOf(body);
    expect(text).toContain('Not verified');
    expect(body).toContain('<span class="badge warn">2 hours behind</span>');
    expect(text).toContain('This mirror holds data from block 7');
    await late.close();
    await own.close();
  });

  it('is said to be nothing, before the first block', async () => {
    const own = await storeRows([]);
    const empty = openServer(own.db, 'spec');
    const { body, statusCode } = await empty.inject('/');
    expect([statusCode, textOf(body)]).toEqual([200, expect.stringContaining('Nothing has been imported yet')]);
    expect(body).not.toMatch(/data-live|<figure|class="figures"/);
    // As soon as there is one, it is shown.
    await addRows(own.connectionString, [blockRow(0n)]);
    await expect.poll(async () => (await empty.inject('/')).body).toContain('/demo/block/0');
    await empty.close();
    await own.close();
  });
});

it('shows the share of contracts with sources where it is known', () => {
  const shown = (withSources: bigint, contracts: bigint) =>
    formatFigures(
      {
        links: createLinks('demo'),
        verified: { withSources, contracts },
        ...{ supply: undefined, rate: undefined, stake: undefined, fees: undefined },
      },
      { blocks: [{ ...blockRow(1n).row, number: 1n, consensusEnd: 1n, consensusStart: 1n } as never], now: 1n },
    ).markup;
  expect(figureOf(shown(1n, 3n), 'Contracts with sources')).toEqual(['33.33 %', '1 of 3']);
  expect(figureOf(shown(0n, 0n), 'Contracts with sources')).toBeNull();
});

it('charts of a whole day have a bar for every ten minutes', () => {
  const minutes = Array.from({ length: 1440 }, (_, at) => BigInt(at));
  const { markup } = throughputCharts({ end: 1_700_000_040_000_000_000n, minutes });
  const bars = [...markup.matchAll(/<path class="area" d="([^"]+)"/g)].map(([, path]) => path!.split('z').length - 1);
  expect(bars).toEqual([60, 144]);
  // The newest: minutes 1430 to 1439.
  expect(textOf(markup)).toContain('Newest 23.9, highest 23.9');
});

it.each(['/demo', '/demo/', '/demo/home', '/demo/dashboard'])('%s leads to it', async (path) => {
  const { statusCode, headers } = await app.inject(path);
  expect([statusCode, headers.location]).toEqual([302, '/']);
});
