// Server-sent events over a ledger that grows: whoever comes, goes and comes back has every item once and in order.
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { formatTimestamp } from '../../../packages/protocol/hapi/timestamp.ts';
import { noBlockWatch } from '../../../packages/store/notify/block-watch.ts';
import { defaultHttpSettings } from '../../../packages/test-support/http/default-settings.ts';
import { openServer } from '../../../packages/test-support/http/open-server.ts';
import { addRows } from '../../../packages/test-support/rows/load-rows.ts';
import type { SetupRow } from '../../../packages/test-support/rows/setup-row.ts';
import { toTransaction } from '../../../packages/test-support/rows/setup-transactions.ts';
import { type StoredRows, storeRows } from '../../../packages/test-support/rows/store-rows.ts';
import { blockRow, blockTimes, entityRow } from '../../../packages/test-support/rpc/chain-rows.ts';
import { messageRow } from '../../../packages/test-support/rpc/topic-rows.ts';
import { findDialect } from '../../api/dialect/find-dialect.ts';
import { createLedger } from '../../ledger/create-ledger.ts';
import { createLedgerFeed } from '../feed/ledger-feed.ts';
import { createTopicHub } from '../feed/topic-hub.ts';
import { addLiveFeeds } from './live-feeds.ts';

const topic = 5001n;
let stored: StoredRows;
let url: string;
let close: () => Promise<void>;
let newest = 0n;
let count = 0;
const registry = new Registry();
const failures: unknown[] = [];

/** A block with messages of the topic and as many transactions of account 1001, beside some of others. */
function nextBlock(size: number): SetupRow[] {
  newest += 1n;
  const { start } = blockTimes(newest);
  const transactionAt = (at: bigint, payer: bigint): SetupRow[] =>
    toTransaction(
      { consensus_timestamp: at, payerAccountId: payer, nodeAccountId: 3n } as never,
      { shard: 0n, realm: 0n } as never,
    );
  const own = Array.from({ length: size }, (_, place) => {
    const at = start + BigInt(place);
    count += 1;
    return [messageRow(topic, at, BigInt(count)), ...transactionAt(at, 1001n)];
  });
  return [
    blockRow(newest),
    ...own.flat(),
    messageRow(5002n, start + 500n, newest),
    ...transactionAt(start + 600n, 1002n),
  ];
}

beforeAll(async () => {
  stored = await storeRows([blockRow(0n), entityRow(1001n), entityRow(1002n), ...nextBlock(120), ...nextBlock(3)]);
  const settings = { ...defaultHttpSettings };
  const app = openServer(stored.db, 'spec', { registry });
  const ledger = createLedger({ db: stored.db, clock: settings.clock, system: settings.system });
  const feed = createLedgerFeed({
    readEnd: ledger.newestEnd,
    watch: noBlockWatch,
    onError: (error) => failures.push(error),
    ...{ lookEveryMs: 2, askEveryMs: 4 },
  });
  const live = addLiveFeeds(app, {
    ...{
      ledger,
      feed,
      hub: createTopicHub(ledger, feed),
      settings,
      dialect: findDialect('spec'),
      registry,
      clientOf: app.clientOf,
      maxStreams: 50,
    },
    onFailure: (error) => failures.push(error),
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  close = async () => {
    live.close();
    await feed.close();
    await app.close();
  };
});
afterAll(async () => {
  await close?.();
  await stored?.close();
  expect(failures).toEqual([]);
});

const lists = {
  messages: `/api/v1/topics/0.0.${topic}/messages?follow=true`,
  transactions: '/api/v1/transactions?account.id=0.0.1001&follow=true',
  allTransactions: '/api/v1/transactions?follow=true',
  blocks: '/api/v1/blocks?follow=true',
};
type ListName = keyof typeof lists;

/** How many items there are. */
const countOf: Record<ListName, () => number> = {
  messages: () => count,
  transactions: () => count,
  allTransactions: () => count + Number(newest),
  blocks: () => Number(newest) + 1,
};

/** Reads until it is told to stop; `ids` and `items` grow meanwhile. */
async function follow(path: string, lastEventId?: string) {
  const stopping = new AbortController();
  const answer = await fetch(url + path, {
    signal: stopping.signal,
    headers: lastEventId ? { 'last-event-id': lastEventId } : {},
  });
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
  const ids: string[] = [];
  const items: string[] = [];
  const reading = (async () => {
    let text = '';
    for await (const part of answer.body!) {
      text += Buffer.from(part).toString();
      const events = text.split('\n\n');
      text = events.pop()!;
      for (const event of events) {
        const [, id, data] = /^id: (.+)\ndata: (.+)$/.exec(event) ?? [];
        if (id === undefined || data === undefined) continue;
        ids.push(id);
        items.push(data);
      }
    }
  })().catch((error) => expect(error.name).toBe('AbortError'));
  return {
    ids,
    items,
    async stop() {
      stopping.abort();
      await reading;
    },
  };
}

const get = async (path: string) => {
  const answer = await fetch(url + path);
  return { status: answer.status, text: await answer.text() };
};

describe.each(Object.keys(lists) as ListName[])('%s', (list) => {
  const path = lists[list];
  const total = countOf[list];

  it('are the items of the list, byte for byte, from a time on', async () => {
    const { items, stop } = await follow(`${path}&timestamp=gte:0`);
    await vi.waitUntil(() => items.length === total());
    await stop();
    const pages: string[] = [];
    let next: string | null = `${path.replace('follow=true', 'order=asc&limit=100')}`;
    while (next) {
      const { text } = await get(next);
      pages.push(text);
      next = JSON.parse(text).links.next;
    }
    const all = pages.join('');
    for (const item of items) expect(all).toContain(item);
  });

  it('from now on are those that come', async () => {
    const { ids, stop } = await follow(path);
    await new Promise((done) => setTimeout(done, 50));
    const before = total();
    await addRows(stored.connectionString, nextBlock(2));
    await vi.waitUntil(() => ids.length === total() - before);
    await stop();
    const { start, end } = blockTimes(newest);
    expect(ids[0]).toBe(formatTimestamp(list === 'blocks' ? end : start));
  });

  it('have no gap and nothing twice, however often a client comes back', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ size: fc.nat(4), comesBack: fc.boolean(), waits: fc.nat(10) }), {
          minLength: 2,
          maxLength: 8,
        }),
        async (steps) => {
          const ids: string[] = [];
          let one = await follow(`${path}&timestamp=gte:0`);
          for (const { size, comesBack, waits } of steps) {
            await addRows(stored.connectionString, nextBlock(size));
            await new Promise((done) => setTimeout(done, waits));
            if (!comesBack) continue;
            await one.stop();
            ids.push(...one.ids);
            one = await follow(`${path}&timestamp=gte:0`, ids.at(-1));
          }
          await vi.waitUntil(() => ids.length + one.ids.length >= total(), { timeout: 10_000 });
          await one.stop();
          ids.push(...one.ids);
          expect(ids).toHaveLength(total());
          const sorted = [...new Set(ids)].sort((a, b) =>
            Number(BigInt(a.replace('.', '')) - BigInt(b.replace('.', ''))),
          );
          expect(ids).toEqual(sorted);
        },
      ),
      { numRuns: 6 },
    );
  });
});

it.each<[string, string, number, string]>([
  ['another parameter', `${lists.messages}&limit=3`, 400, 'Unknown query parameter: limit'],
  ['a time twice', `${lists.messages}&timestamp=gt:1&timestamp=gt:2`, 400, 'Only one timestamp filter is allowed'],
  ['another bound', `${lists.messages}&timestamp=lt:1`, 400, 'Invalid parameter: timestamp'],
  ['no account', '/api/v1/transactions?account.id=&follow=true', 400, 'Invalid parameter: account.id'],
  ['an account of blocks', '/api/v1/blocks?follow=true&account.id=1001', 400, 'Unknown query parameter: account.id'],
  ['a time of blocks', '/api/v1/blocks?follow=true&timestamp=5', 400, 'Invalid parameter: timestamp'],
  ['no topic', '/api/v1/topics/x/messages?follow=true', 400, 'Invalid parameter: topic.id'],
  ['the other dialect', `/hiero${lists.messages}`, 400, 'Unknown query parameter: follow'],
])('%s is refused', async (_name, path, status, message) => {
  const answer = await get(path);
  expect([answer.status, JSON.parse(answer.text)._status.messages[0].message]).toEqual([status, message]);
});

it('has a bounded number of streams, and forgets those whose clients went', async () => {
  const all = await Promise.all(Array.from({ length: 50 }, () => follow(lists.messages)));
  expect((await get(lists.messages)).status).toBe(429);
  await Promise.all(all.map(({ stop }) => stop()));
  await vi.waitUntil(async () => (await registry.metrics()).includes('live_streams_open 0\n'));
  const one = await follow(lists.messages);
  await one.stop();
});
