import { afterEach, beforeEach, expect, test } from 'vitest';
import { createBlockWriter } from '../../../packages/store/write/block-writer.ts';
import {
  createScratchDatabase,
  type ScratchDatabase,
} from '../../../packages/test-support/postgres/scratch-database.ts';
import { loadSettings } from '../settings/load-settings.ts';
import { settleExtent } from './settle-extent.ts';

let database: ScratchDatabase;
beforeEach(async () => {
  database = await createScratchDatabase();
});
afterEach(() => database.close());

function settle(...argv: string[]) {
  return settleExtent({
    connectionString: database.connectionString,
    settings: loadSettings('import', argv, {}),
  });
}

async function storeBlock(): Promise<void> {
  const writer = await createBlockWriter({ connectionString: database.connectionString });
  const texts = { file_hash: '', hash: '', name: 'a block', prev_hash: '' };
  const times = { consensus_start: 1n, consensus_end: 2n, load_start: 0n, load_end: 0n };
  const block = { ...texts, ...times, count: 0n, digest_algorithm: 0, index: 7n, sidecar_count: 0, version: 6 };
  await writer.writeBlock({ parts: [{ record_file: [block] }] });
  await writer.close();
}

test('an empty database begins where the settings say, and a filled one knows it', async () => {
  expect(await settle()).toMatchObject({ start: { kind: 'genesis' } });
  expect(await settle('--from', 'now')).toMatchObject({ start: { kind: 'now' } });
  const asked = { start: { kind: 'timestamp', timestamp: 1_700_000_000_000_000_000n } };
  expect(await settle('--from', '2023-11-14T22:13:20Z')).toMatchObject(asked);
  expect(await settle()).toMatchObject(asked);
  await storeBlock();
  expect(await settle()).toMatchObject(asked);
  expect(await settle('--from', '1700000000.0')).toMatchObject(asked);
});

test.each([
  ['1700000000.0', '2023-11-14', 'lies before --from 1700000000.000000000'],
  ['8', '7', '--until 7 lies before --from 8'],
])('an empty database refuses --from %s with --until %s, and remembers neither', async (from, until, reason) => {
  await expect(settle('--from', from, '--until', until)).rejects.toThrow(reason);
  expect(await settle('--until', until)).toMatchObject({ start: { kind: 'genesis' } });
});

test.each([
  ['1700000000.0', '1700000000.0'],
  ['8', '8'],
  ['8', '2023-11-14'],
  ['1700000000.0', '7'],
  ['now', '7'],
])('--from %s with --until %s may have something between them', async (from, until) => {
  expect(await settle('--from', from, '--until', until)).toHaveProperty('start');
});

test.each(['genesis', 'now', '5', '1700000001.0'])('a filled database refuses --from %s', async (from) => {
  await settle('--from', '1700000000.0');
  await storeBlock();
  await expect(settle('--from', from)).rejects.toThrow(
    /^This database was begun with --from 1700000000\.000000000 \(its first block is 7\), not with --from .*Leave --from out, or import into an empty database/,
  );
});

test('a database that was filled before the setting existed began with genesis', async () => {
  await storeBlock();
  expect(await settle('--from', 'genesis')).toMatchObject({ start: { kind: 'genesis' } });
  await expect(settle('--from', '7')).rejects.toThrow('begun with --from genesis');
});

test('what is included and excluded is remembered, however it is written', async () => {
  const asked = { included: '0.0.7,TOKENMINT', excluded: null };
  await settle('--include', ' tokenmint, 7');
  await storeBlock();
  const { filter } = await settle('--include', '0.0.7,TOKENMINT');
  expect(filter).toEqual({ included: { entities: new Set([7n]), types: new Set([37]) }, excluded: null });
  expect(await settle()).toMatchObject({ filter });
  await expect(settle('--include', '0.0.8')).rejects.toThrow(
    `begun with --include ${asked.included} (its first block is 7), not with --include 0.0.8. Leave --include out`,
  );
  await expect(settle('--exclude', '0.0.8')).rejects.toThrow('begun without --exclude');
});
