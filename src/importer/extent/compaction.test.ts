import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../../packages/postgres/wire/database.ts';
import { makeCompact } from '../../../packages/store/compact/compact-rows.ts';
import { type OpenedLedger, openLedger } from '../../../packages/test-support/ledgers/ledgers.ts';
import { createCompaction } from './compaction.ts';

const hourNs = 3_600_000_000_000n;

let ledger: OpenedLedger;
let db: Database;
let newest: bigint;
beforeAll(async () => {
  ledger = await openLedger('months');
  db = openDatabase({ connectionString: ledger.connectionString, maxConnections: 1 });
  newest = BigInt(await ask<bigint>('select max(consensus_end) as value from record_file'));
});
afterAll(async () => {
  await db?.close();
  await ledger?.close();
});

async function ask<Value>(text: string): Promise<Value> {
  const [row] = await db.query<{ value: Value }>({ name: 'value', shape: text, text });
  return row!.value;
}

type Outcome = { transactions: number; errors: string[] };

/** What a compaction did of these blocks. */
async function offer(ends: readonly bigint[], now: bigint, signal = new AbortController().signal): Promise<Outcome> {
  const outcome: Outcome = { transactions: 0, errors: [] };
  const compaction = createCompaction({
    ...{ connectionString: ledger.connectionString, signal, clock: () => now },
    onCompacted: ({ transactions }) => {
      outcome.transactions += transactions;
    },
    onFailed: ({ message }) => void outcome.errors.push(message),
  });
  for (const consensusEnd of ends) {
    compaction.onBlock({ consensusEnd });
    await compaction.close();
  }
  return outcome;
}

it('says what failed, and goes on', async () => {
  const { transactions, errors } = await offer([newest], newest);
  expect([transactions, errors]).toEqual([0, [expect.stringMatching(/does not exist/)]]);
});

it('moves what is older than a day, at the head of the stream and once an hour', async () => {
  await makeCompact(ledger.connectionString);
  expect(await offer([newest], newest + 2n * hourNs)).toEqual({ transactions: 0, errors: [] });
  expect(await offer([newest], newest, AbortSignal.abort())).toEqual({ transactions: 0, errors: [] });
  const old = await ask<bigint>(
    `select sum(count)::int8 as value from record_file where consensus_end < ${newest - 24n * hourNs}`,
  );
  expect(await offer([newest], newest)).toEqual({ transactions: Number(old), errors: [] });
  expect(await ask<boolean>('select exists (select from crypto_transfer_rows) as value')).toBe(true);
  expect(await offer([newest, newest + 1n, newest + hourNs], newest)).toEqual({ transactions: 0, errors: [] });
});
