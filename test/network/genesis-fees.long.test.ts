// A network that begins with simple fees (file 113), as networks do now, and one that begins with the fee schedule of
// before (file
// 111) and gets simple fees later: after every block the mirror says the price of gas that the network charges.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Database, openDatabase } from '../../packages/postgres/wire/database.ts';
import type { Ledger } from '../../packages/simulated-network/ledger/ledger.ts';
import { createPrices } from '../../packages/simulated-network/ledger/prices.ts';
import type { NetworkOptions } from '../../packages/simulated-network/network.ts';
import { createFolderSource } from '../../packages/sources/folder-source.ts';
import { createBlockWriter } from '../../packages/store/write/block-writer.ts';
import { openServer } from '../../packages/test-support/http/open-server.ts';
import { createScratchDatabase } from '../../packages/test-support/postgres/scratch-database.ts';
import { openRpc } from '../../packages/test-support/rpc/open-rpc.ts';
import { openNetwork } from '../../packages/test-support/streams/open-network.ts';
import { importStream } from '../../src/importer/import-stream.ts';

const blocks = 90n;
const start = 1_790_000_000_000_000_000n;
/** Some blocks an hour, in which the exchange rate changes. */
const interval = 900n * 1_000_000_000n;

type Seen = { file: bigint; at: bigint; type: number };
type Told = { end: bigint; price: bigint };

/** What the network charges for gas at the end of each block, and the database of a mirror of it. */
async function follow(options: Partial<NetworkOptions>, check: (db: Database, told: Told[]) => Promise<void>) {
  const folder = mkdtempSync(join(tmpdir(), 'genesis-fees-'));
  const network = await openNetwork({ folder, nodes: 1, ...options });
  const prices = createPrices({ tables: network.state().tables } as Ledger);
  const told: Told[] = [];
  for (let block = 0n; block < blocks; block++) {
    const consensusStart = start + block * interval;
    const proof = { isProvedLater: block + 1n < blocks && block % 16n !== 0n };
    const { consensusEnd } = await network.writeBlock({ consensusStart, transactions: 14, mix: 'contracts', ...proof });
    told.push({ end: consensusEnd, price: prices.gas() });
  }
  const { connectionString, close } = await createScratchDatabase();
  const db = openDatabase({ connectionString });
  const writer = await createBlockWriter({ connectionString });
  const source = createFolderSource({ path: folder });
  const addressBook = readFileSync(network.addressBookPath);
  const summary = await importStream({ source, db, writer, addressBook, live: false });
  expect([summary.blocks, summary.problems]).toEqual([Number(blocks), 0]);
  await writer.close();
  await network.close();
  await check(db, told);
  await db.close();
  await close();
  rmSync(folder, { recursive: true, force: true });
}

async function filesOf(db: Database): Promise<Seen[]> {
  const text =
    'select entity_id as file, consensus_timestamp as at, transaction_type as type from file_data where entity_id in (111, 113) order by 2';
  return (await db.query({ name: 'genesis-fees-files', text })) as Seen[];
}

async function expectPrices(db: Database, told: readonly Told[]): Promise<void> {
  for (const dialect of ['spec', 'hiero'] as const) {
    const app = openServer(db, dialect);
    for (const { end, price } of told) {
      const time = `${end / 1_000_000_000n}.${String(end % 1_000_000_000n).padStart(9, '0')}`;
      const { fees } = (await app.inject(`/api/v1/network/fees?timestamp=${time}`)).json();
      expect(fees.map(({ gas }: { gas: number }) => BigInt(gas))).toEqual([price, price, price]);
    }
    await app.close();
  }
  const rpc = openRpc(db);
  expect(BigInt(await rpc.ask('eth_gasPrice'))).toBe(told.at(-1)!.price * 10n ** 10n);
  await rpc.close();
}

const fileCreate = 17;
const fileUpdate = 19;

describe('the price of gas', { timeout: 180_000 }, () => {
  test('of simple fees from genesis on', () =>
    follow({ seed: 'price', format: 'blocks' }, async (db, told) => {
      const files = await filesOf(db);
      expect(files.filter(({ file }) => file === 111n)).toEqual([]);
      expect([files[0]!.type, files[1]!.type]).toEqual([fileCreate, fileUpdate]);
      expect(new Set(told.map(({ price }) => price)).size).toBeGreaterThan(10);
      await expectPrices(db, told);
    }));

  test('is that of the folder when the network goes on', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'genesis-fees-'));
    for (const options of [{ genesisFees: '111' as const }, {}]) {
      // Its last blocks are made again.
      const network = await openNetwork({ folder, nodes: 1, seed: 'c', ...options });
      for (let block = 0; block < 5; block++) await network.writeBlock({ mix: 'contracts' });
      await network.close();
    }
    const { connectionString, close } = await createScratchDatabase();
    const db = openDatabase({ connectionString });
    const writer = await createBlockWriter({ connectionString });
    const addressBook = readFileSync(join(folder, 'addressbook.bin'));
    const source = createFolderSource({ path: folder });
    const summary = await importStream({ source, db, writer, addressBook, live: false });
    expect([summary.blocks, summary.problems]).toEqual([10, 0]);
    expect((await filesOf(db)).map(({ file }) => file)).toEqual([111n]);
    await writer.close();
    await db.close();
    await close();
    rmSync(folder, { recursive: true, force: true });
  });

  // Of these seeds one changes the schedule of before, the other one the simple fees that came.
  const networks = [
    ['records', 'c', { classic: 4, simple: 1 }],
    ['blocks', 'old', { classic: 1, simple: 3 }],
  ] as const;
  test.each(networks)('of the schedule of before until simple fees begin, in %s', (format, seed, versions) =>
    follow({ seed, format, genesisFees: '111' }, async (db, told) => {
      const files = await filesOf(db);
      const classic = files.filter(({ file }) => file === 111n);
      const simple = files.filter(({ file }) => file === 113n);
      expect({ classic: classic.length, simple: simple.length }).toEqual(versions);
      expect(files.map(({ type }) => type)).toEqual([fileCreate, ...files.slice(1).map(() => fileUpdate)]);
      expect(classic.every(({ at }) => at < simple[0]!.at)).toBe(true);
      await expectPrices(db, told);
    }),
  );
});
