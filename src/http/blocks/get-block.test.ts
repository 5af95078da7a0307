// One block by its number or its hash; what is refused, and in which order.
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { loadRows } from '../../../test/corpus/load-rows.ts';
import { createScratchDatabase, type ScratchDatabase } from '../../../test/support/scratch-database.ts';
import { createLedger } from '../../ledger/create-ledger.ts';
import { type Database, openDatabase } from '../../store/wire/database.ts';
import { findDialect } from '../dialect/find-dialect.ts';
import { defaultHttpSettings as settings } from '../http-settings.ts';
import { createServer } from '../server.ts';

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

let scratch: ScratchDatabase;
let db: Database;
let app: ReturnType<typeof createServer>;
beforeAll(async () => {
  scratch = await createScratchDatabase();
  await loadRows(scratch.connectionString, rows);
  db = openDatabase(scratch);
  app = createServer({
    ledger: createLedger({ db, ...settings }),
    dialect: findDialect('hiero'),
    settings,
    log: pino({ level: 'silent' }),
    registry: new Registry(),
    networkName: 'test',
  });
});
afterAll(async () => {
  await app?.close();
  await db?.close();
  await scratch?.close();
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

it.each([
  ['8', [404, 'Not found']],
  ['9223372036854775807', [404, 'Not found']],
  // Which of two is meant nobody can say.
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
