// A ledger that is long enough shows every member of every answer filled, with different values, and empty where the
// API says that it can be: what is always the same in tests proves nothing.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openDatabase } from '../../packages/postgres/wire/database.ts';
import { createFolderSource } from '../../packages/sources/folder-source.ts';
import { createBlockWriter } from '../../packages/store/write/block-writer.ts';
import { createScratchDatabase } from '../../packages/test-support/postgres/scratch-database.ts';
import { openNetwork } from '../../packages/test-support/streams/open-network.ts';
import { importStream } from '../../src/importer/import-stream.ts';
import { toTime } from '../oracle/answers/predict-answers.ts';
import { createFieldCount } from './field-count.ts';
import { nullableFields } from './nullable-fields.ts';
import { openApi } from './open-api.ts';

const blocks = 100;
const transactionsPerBlock = 40;
const start = 1_790_000_000_000_000_000n;
const interval = 6n * 3_600_000_000_000n;

test('every member of an answer is met filled, with different values, and empty where it can be', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'fields-'));
  const network = await openNetwork({ folder, seed: 'fields 8', nodes: 1 });
  for (let block = 0n; block < blocks; block++) {
    await network.writeBlock({ consensusStart: start + block * interval, transactions: transactionsPerBlock });
  }
  const addressBook = readFileSync(network.addressBookPath);
  const now = network.state().lastConsensus + 1_000_000_000n;
  await network.close();

  const { connectionString, close } = await createScratchDatabase();
  const db = openDatabase({ connectionString, maxConnections: 2 });
  const writer = await createBlockWriter({ connectionString });
  await importStream({ source: createFolderSource({ path: folder }), db, writer, addressBook, live: false });
  await writer.close();
  rmSync(folder, { recursive: true });

  const fields = createFieldCount();
  const api = openApi({ db, clock: () => now });
  const paths: [endpoint: string, path: string][] = [
    ['contracts/results', 'contracts/results?limit=100'],
    ['contracts/results', 'contracts/results?limit=100&order=asc&internal=true'],
    ['contracts/results', 'contracts/results?block.number=999999'],
    ['schedules', 'schedules?limit=100'],
    ['schedules', 'schedules?schedule.id=gt:0.0.999999999'],
  ];
  const entities = await db.query<{ id: bigint; type: string; before: bigint }>({
    name: 'all-entities',
    text: 'select id, type::text, lower(timestamp_range) - 1 as before from entity',
  });
  for (const { id, type, before } of entities) {
    for (const endpoint of endpoints[type] ?? []) {
      const path = endpoint.replace('{id}', `0.0.${id}`);
      paths.push([endpoint, path]);
      const past = `${before / 1_000_000_000n}.${(before % 1_000_000_000n).toString().padStart(9, '0')}`;
      if (type === 'CONTRACT') paths.push([endpoint, `${path}?timestamp=${past}`]);
    }
  }
  // Fee schedules change often, and the last one of a token may say little.
  const feeVersions = await db.query<{ id: bigint; at: bigint }>({
    name: 'earlier-fees',
    text: 'select entity_id as id, lower(timestamp_range) as at from custom_fee_history',
  });
  for (const { id, at } of feeVersions) paths.push(['tokens/{id}', `tokens/0.0.${id}?timestamp=${toTime(at)}`]);
  // Only a creation that is refused in a batch leaves no result, and few stand on the first page or the last.
  const withoutResult = await db.query<{ at: bigint }>({
    name: 'without-result',
    text: 'select consensus_timestamp as at from contract_result where gas_used is null order by 1 limit 5',
  });
  for (const { at } of withoutResult) {
    paths.push(['contracts/results', `contracts/results?internal=true&timestamp=${toTime(at)}`]);
  }
  for (const [endpoint, path] of paths) {
    const answer = await api.ask('spec', path);
    if (!answer.statusCode) fields.count(endpoint, answer);
  }
  await api.close();
  await db.close();
  await close();

  expect(fields.neverFilled()).toEqual([]);
  expect(fields.neverVarying()).toEqual([]);
  const neverEmpty = new Set(fields.neverEmpty());
  expect(nullableFields.filter((field) => neverEmpty.has(field))).toEqual([]);
}, 400_000);

const endpoints: Record<string, string[]> = {
  ACCOUNT: ['accounts/{id}'],
  CONTRACT: ['accounts/{id}', 'contracts/{id}'],
  TOKEN: ['tokens/{id}'],
  SCHEDULE: ['schedules/{id}'],
};
