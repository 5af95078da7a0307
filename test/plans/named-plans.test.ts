// What is asked by the name of a transaction reads the few rows of that name: beside an empty partition too, without
// statistics, and though the payer pays for half of all transactions.
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anyRange } from '../../packages/kit/range.ts';
import { type Database, openDatabase } from '../../packages/postgres/wire/database.ts';
import { usualRealm } from '../../packages/protocol/hapi/system-entity.ts';
import { createScratchDatabase, type ScratchDatabase } from '../../packages/test-support/postgres/scratch-database.ts';
import {
  fillLedger,
  firstTimestamp,
  hotAccount,
  hotContract,
  lastTimestamp,
} from '../../packages/test-support/rows/fill-ledger.ts';
import { createLedger } from '../../src/ledger/create-ledger.ts';
import type { PlanKind } from './explain-query.ts';
import { judgePlans } from './judge-plans.ts';
import type { PlanQuestion } from './plan-question.ts';

/** The hot account paid for a thousand transactions between the bounds of an id. */
const mostRows = 30;
const year = 31_536_000_000_000_000n;
/** Of a network of some years. */
const freshPartitions = 6n;
/** Every other transaction has a result, by the hash of its number; half of these are paid by the hot account. */
const place = 20_000n;
const consensusTimestamp = firstTimestamp + place * 1_000_000_000n;
const id = { payerAccountId: hotAccount, validStart: consensusTimestamp - 1n };
const any = { nonce: null, scheduled: null };
const page = { order: 'desc', limit: 25 } as const;

let scratch: ScratchDatabase;
let db: Database;
let single: Database;
let client: pg.Client;
let hash: Buffer;

beforeAll(async () => {
  scratch = await createScratchDatabase();
  await fillLedger(scratch.connectionString);
  client = new pg.Client({ connectionString: scratch.connectionString });
  await client.connect();
  const { rows: partitioned } = await client.query<{ name: string }>(
    `select relname as name from pg_class where relkind = 'p' and relnamespace = current_schema()::regnamespace`,
  );
  for (const { name } of partitioned) {
    for (let i = 1n; i < freshPartitions; i++) {
      const [from, to] = [lastTimestamp + i * year, lastTimestamp + (i + 1n) * year];
      await client.query(`create table ${name}_fresh${i} partition of ${name} for values from (${from}) to (${to})`);
    }
  }
  const found = await client.query<{ hash: Buffer }>(
    `select transaction_hash as hash from contract_result where consensus_timestamp = ${consensusTimestamp}`,
  );
  hash = found.rows[0]!.hash;
  await client.query(`insert into contract_transaction_hash (consensus_timestamp, hash, entity_id, payer_account_id, transaction_result)
    select consensus_timestamp, transaction_hash, contract_id, payer_account_id, transaction_result from contract_result r
    where not exists (select from contract_transaction_hash h where h.hash = r.transaction_hash)`);
  await client.query(`insert into contract_transaction (consensus_timestamp, entity_id, contract_ids, payer_account_id)
    values (${consensusTimestamp}, ${hotContract}, '{}', ${hotAccount}) on conflict do nothing`);
  // At first an idle connection is taken, so that it stays one.
  single = openDatabase({ connectionString: scratch.connectionString, maxConnections: 2 });
  db = openDatabase({ connectionString: scratch.connectionString, maxConnections: 2 });
});

afterAll(async () => {
  await client?.end();
  await db?.close();
  await single?.close();
  await scratch?.close();
});

const questions: PlanQuestion[] = [
  ['a transaction by id', (ledger) => ledger.transactions.findById(id, any)],
  ['a transaction by Ethereum hash', (ledger) => ledger.transactions.findByHash(hash, any)],
  ['a result by id', (ledger) => ledger.contractResults.find({ kind: 'id', ...id, nonce: 0n }, { synthetic: true })],
  ['a result by hash', (ledger) => ledger.contractResults.find({ kind: 'hash', hash }, { synthetic: true })],
  [
    'a result by time',
    (ledger) => ledger.contractResults.findAt(consensusTimestamp, { contractId: null, synthetic: true }),
  ],
  [
    'a result of a contract by time',
    (ledger) => ledger.contractResults.findAt(consensusTimestamp, { contractId: hotContract, synthetic: true }),
  ],
  [
    'calls by id',
    (ledger) =>
      ledger.contractResults.listActions({
        ...page,
        execution: { kind: 'id', ...id, nonce: 0n },
        index: anyRange,
        members: ['input'],
      }),
  ],
  [
    'logs by hash',
    (ledger) =>
      ledger.contractLogs.list({
        ...page,
        contractId: null,
        timestamp: anyRange,
        index: anyRange,
        topics: [],
        transactionHash: hash,
      }),
  ],
];

it.each(questions)('%s is found', async (_name, ask) => {
  const found = await ask(createLedger({ db, clock: () => lastTimestamp, system: usualRealm }));
  expect(found).not.toBeNull();
  expect(found).not.toEqual([]);
});

describe.each(['with statistics', 'without statistics'])('%s', (which) => {
  beforeAll(async () => {
    if (which === 'with statistics') return;
    await client.query('delete from pg_statistic');
    // A plan that was made before is not made again by itself.
    await client.query('discard plans');
  });

  it.each<PlanKind>(['force_custom_plan', 'force_generic_plan'])('reads few rows: %s', async (kind) => {
    for (const [name, ask] of questions) {
      const faults = await judgePlans(ask, { db, client, kind, now: lastTimestamp, mostRows });
      expect({ name, faults }).toEqual({ name, faults: [] });
    }
  });
});

it('is planned once: no plan for its values looks so much cheaper that each request is planned', async () => {
  const asking = createLedger({ db: single, clock: () => lastTimestamp, system: usualRealm });
  for (const [, ask] of questions) for (let time = 0; time < 12; time++) await ask(asking);
  const planned = await single.query<{ text: string; custom: bigint }>({
    name: 'plans',
    text: `select left(statement, 60) as text, custom_plans as custom from pg_prepared_statements
      where generic_plans + custom_plans >= 12`,
  });
  expect(planned.length).toBeGreaterThanOrEqual(questions.length);
  expect(planned.filter(({ custom }) => custom > 5n)).toEqual([]);
});
