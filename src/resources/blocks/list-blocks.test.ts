// Blocks by number and by time, in both orders; each page leads to the next.

import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openServer } from '../../../packages/test-support/http/open-server.ts';
import { type StoredRows, storeRows } from '../../../packages/test-support/rows/store-rows.ts';

let stored: StoredRows;
let app: FastifyInstance;
beforeAll(async () => {
  stored = await storeRows([1n, 2n, 3n, 4n, 5n].map(toRow));
  app = openServer(stored.db, 'hiero');
});
afterAll(async () => {
  await app?.close();
  await stored?.close();
});

/** Block n ends at n × 10 s. */
function toRow(index: bigint) {
  const end = index * 10_000_000_000n;
  const times = { consensus_start: end - 5_000_000_000n, consensus_end: end, load_start: 0n, load_end: 0n };
  const row = { index, ...times, count: 1n, digest_algorithm: 0n, name: 'x', version: 6n };
  return {
    table: 'record_file',
    row: { ...row, file_hash: '', hash: 'ab', prev_hash: 'cd', logs_bloom: Buffer.from([1]) },
  };
}

type Body = { blocks: { number: number; logs_bloom: string }[]; links: { next: string | null } };

async function ask(url: string): Promise<Body> {
  return (await app.inject(url)).json<Body>();
}

it.each([
  ['', [5, 4, 3, 2, 1]],
  ['order=asc', [1, 2, 3, 4, 5]],
  ['block.number=gte:2&block.number=lt:0x5&order=asc', [2, 3, 4]],
  ['block.number=3', [3]],
  ['block.number=3&block.number=4', []],
  ['timestamp=gt:20&timestamp=lte:40', [4, 3]],
  ['timestamp=ne:20&timestamp=ne:30&block.number=lte:4', [4, 1]],
  ['timestamp=gte:40&block.number=gt:4', [5]],
])('%s', async (query, numbers) => {
  const { blocks } = await ask(`/api/v1/blocks?${query}`);
  expect(blocks.map(({ number }) => number)).toEqual(numbers);
});

it.each(['asc', 'desc'])('pages in order %s lead through every block', async (order) => {
  const seen: number[] = [];
  let url: string | null = `/api/v1/blocks?limit=2&order=${order}&timestamp=gt:0`;
  while (url !== null) {
    const { blocks, links }: Body = await ask(url);
    seen.push(...blocks.map(({ number }) => number));
    url = links.next;
  }
  expect(seen).toEqual(order === 'asc' ? [1, 2, 3, 4, 5] : [5, 4, 3, 2, 1]);
});

it('the bloom has 256 bytes, the next page begins by number', async () => {
  const { blocks, links } = await ask('/api/v1/blocks?limit=1&timestamp=lt:40');
  expect(blocks[0]!.logs_bloom).toBe(`0x${'01'.padStart(512, '0')}`);
  expect(links.next).toBe('/api/v1/blocks?limit=1&timestamp=lt:40&block.number=lt:3');
});

it('refuses `ne` of a number', async () => {
  const body = (await app.inject('/api/v1/blocks?block.number=ne:3')).json<object>();
  expect(body).toEqual({ _status: { messages: [{ message: 'Invalid parameter: block.number' }] } });
});
