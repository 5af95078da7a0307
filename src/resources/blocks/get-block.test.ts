// One block by its number or its hash; what is refused, and in which order.

import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openServer } from '../../../packages/test-support/http/open-server.ts';
import { type StoredRows, storeRows } from '../../../packages/test-support/rows/store-rows.ts';

const hash = 'ab'.repeat(32);
/** Blocks 5 and 6 begin with the same 64 digits; two blocks call themselves 7. */
const blocks = [
  { index: 5n, hash: `${hash}${'0'.repeat(32)}` },
  { index: 6n, hash: `${hash}${'1'.repeat(32)}` },
  { index: 7n, hash: 'cd'.repeat(48) },
  { index: 7n, hash: 'ef'.repeat(48) },
];
const rows = blocks.map((block, place) => {
  const end = BigInt(place + 1) * 10_000_000_000n;
  const times = { consensus_start: end - 5_000_000_000n, consensus_end: end, load_start: 0n, load_end: 0n };
  const row = { ...block, ...times, count: 1n, digest_algorithm: 0n, name: 'x', version: 6n };
  return { table: 'record_file', row: { ...row, file_hash: '', prev_hash: 'cd' } };
});

let stored: StoredRows;
let app: FastifyInstance;
beforeAll(async () => {
  stored = await storeRows(rows);
  app = openServer(stored.db, 'hiero');
});
afterAll(async () => {
  await app?.close();
  await stored?.close();
});

it.each([
  ['zeros, where an older program stored none and gas was used', null, 1n, `0x${'0'.repeat(512)}`],
  ['0x, where an older program stored none and there were no contract results', null, 0n, '0x'],
  ['null, where nothing was counted', null, -1n, null],
  ['0x, where it is empty', Buffer.alloc(0), 0n, '0x'],
  ['zeros, where no result has a log', Buffer.alloc(256), 5n, `0x${'0'.repeat(512)}`],
])('the bloom is %s', async (_, logs_bloom, gas_used, expected) => {
  const { row } = rows[0]!;
  const other = await storeRows([{ table: 'record_file', row: { ...row, logs_bloom, gas_used } }]);
  for (const dialect of ['spec', 'hiero'] as const) {
    const server = openServer(other.db, dialect);
    expect((await server.inject('/api/v1/blocks/5')).json<object>()).toMatchObject({ logs_bloom: expected });
    await server.close();
  }
  await other.close();
});

it.each([
  ['5', 5],
  ['005', 5],
  [`0x${hash}${'0'.repeat(32)}`, 5],
  [`${hash.toUpperCase()}${'1'.repeat(32)}`, 6],
  ['cd'.repeat(32), 7],
])('%s', async (name, number) => {
  const { headers, body } = await app.inject(`/api/v1/blocks/${name}`);
  expect(JSON.parse(body)).toMatchObject({ number });
  expect(headers['cache-control']).toBe('public, max-age=600');
});

it('hapi_version is that of the network, null where it is not known', async () => {
  const { row } = rows[0]!;
  const version = { hapi_version_major: 0n, hapi_version_minor: 74n, hapi_version_patch: 2n };
  const other = await storeRows([{ table: 'record_file', row: { ...row, ...version } }]);
  const server = openServer(other.db, 'spec');
  expect((await server.inject('/api/v1/blocks/5')).json<object>()).toMatchObject({ hapi_version: '0.74.2' });
  expect((await app.inject('/api/v1/blocks/6')).json<object>()).toMatchObject({ hapi_version: null });
  await server.close();
  await other.close();
});

it.each([
  ['8', [404, 'Not found']],
  ['9223372036854775807', [404, 'Not found']],
  // It cannot be said which of two is meant.
  ['7', [404, 'Not found']],
  [hash, [404, 'Not found']],
  ['0x5', [400, 'Invalid parameter: hashOrNumber']],
  ['-5', [400, 'Invalid parameter: hashOrNumber']],
  ['9223372036854775808', [400, 'Invalid parameter: hashOrNumber']],
  [`${hash}0`, [400, 'Invalid parameter: hashOrNumber']],
  ['x?limit=1', [400, 'Unknown query parameter: limit']],
])('%s', async (name, expected) => {
  const { statusCode, body } = await app.inject(`/api/v1/blocks/${name}`);
  const { _status } = JSON.parse(body) as { _status: { messages: { message: string }[] } };
  expect([statusCode, _status.messages.map(({ message }) => message).join('; ')]).toEqual(expected);
});
