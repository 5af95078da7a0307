// The past is dropped from a database in the compact form as from any other: lists of accounts begin where they do there,
// whatever the times say that lists of the form still hold.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../packages/postgres/wire/database.ts';
import { compactRows, makeCompact } from '../../packages/store/compact/compact-rows.ts';
import { inItsForm } from '../../packages/store/read/in-its-form.ts';
import { createRowDropper } from '../../packages/store/retention/row-dropper.ts';
import { openServer } from '../../packages/test-support/http/open-server.ts';
import { type OpenedLedger, openLedger } from '../../packages/test-support/ledgers/ledgers.ts';
import { dumpTables } from '../support/tables/dump-tables.ts';
import { compareTables } from '../support/tables/import-folder.ts';

type Opened = OpenedLedger & { db: Database };

let usual: Opened;
let compact: Opened;
beforeAll(async () => {
  [usual, compact] = [await open(), await open()];
});
afterAll(async () => {
  for (const one of [usual, compact]) {
    await one?.db.close();
    await one?.close();
  }
});

async function open(): Promise<Opened> {
  const ledger = await openLedger('months');
  return { ...ledger, db: openDatabase({ connectionString: ledger.connectionString }) };
}

async function endOfBlock(index: number): Promise<bigint> {
  const text = 'select consensus_end as end from record_file where index = $1';
  const [row] = await usual.db.query<{ end: bigint }>({ name: 'end-of-block', text, values: [BigInt(index)] });
  return row!.end + 1n;
}

const dump = ({ connectionString }: OpenedLedger) => dumpTables(connectionString, {});

async function answers({ db }: Opened): Promise<Record<string, string>> {
  const app = openServer(await inItsForm(db), 'spec');
  const found: Record<string, string> = {};
  const { accounts } = (await app.inject('/api/v1/accounts?limit=100')).json<{ accounts: { account: string }[] }>();
  for (const { account } of accounts) {
    for (const further of [
      'order=asc',
      'order=desc',
      'order=asc&type=credit',
      'transactiontype=CRYPTOTRANSFER&order=asc',
    ]) {
      const path = `/api/v1/transactions?account.id=${account}&limit=3&${further}`;
      found[path] = (await app.inject(path)).body;
    }
  }
  await app.close();
  return found;
}

it.each([
  ['within what is compacted', 20],
  ['further, over the border', 35],
  ['to the last block', 58],
])('%s', async (_name, block) => {
  if (block === 20) {
    await makeCompact(compact.connectionString);
    const before = await endOfBlock(30);
    await compactRows({ connectionString: compact.connectionString, before, transactionsAtOnce: 500 });
  }
  const before = await endOfBlock(block);
  for (const { connectionString } of [usual, compact]) {
    const dropper = await createRowDropper(connectionString);
    expect((await dropper.dropBefore(before)).blocks).toBeGreaterThan(0);
    await dropper.close();
  }
  expect(compareTables(await dump(usual), await dump(compact))).toEqual([]);
  const [expected, found] = [await answers(usual), await answers(compact)];
  expect(Object.values(expected).filter((body) => body.includes('transaction_id')).length).toBeGreaterThan(100);
  expect(found).toEqual(expected);
});

it('leaves no list of which everything was dropped', async () => {
  const text = 'select count(*)::int4 as count from entity_moments';
  expect(await compact.db.query({ name: 'lists', text })).toEqual([{ count: 0 }]);
});
