// Every question is answered from a distributed database as from an ordinary one, and none of its statements has a form
// that a cluster refuses. On a stand-in for Citus: the statements of a distributed database are run on one machine.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { anyRange } from '../../packages/kit/range.ts';
import { type Database, openDatabase } from '../../packages/postgres/wire/database.ts';
import { usualRealm } from '../../packages/protocol/hapi/system-entity.ts';
import { typeNumber } from '../../packages/protocol/hapi/transaction-types.ts';
import { migrate } from '../../packages/schema/migration/migrate.ts';
import { asDistributed, asDistributedWhereItIs } from '../../packages/store/read/distributed/as-distributed.ts';
import { selectTokenBalancesAt } from '../../packages/store/read/select-balances.ts';
import { selectContracts } from '../../packages/store/read/select-contract.ts';
import { selectContractCreation } from '../../packages/store/read/select-contract-creation.ts';
import { selectHolding } from '../../packages/store/read/state/select-holding.ts';
import { ledgers } from '../../packages/test-support/ledgers/ledgers.ts';
import { recordQueries } from '../../packages/test-support/postgres/record-queries.ts';
import { createScratchDatabase, type ScratchDatabase } from '../../packages/test-support/postgres/scratch-database.ts';
import { type SimulatedStream, writeSimulatedStream } from '../../packages/test-support/streams/simulated-stream.ts';
import { createCodes, creationCode } from '../../src/ledger/contracts/creation-code.ts';
import { createLedger } from '../../src/ledger/create-ledger.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { transactionKind } from '../../src/resources/transactions/transaction-members.ts';
import { readLedgerWords } from '../fuzz/ledger-words.ts';
import { madeQuestions } from '../plans/made-questions.ts';
import { everyTransaction } from '../plans/transaction-questions.ts';
import { serveHere } from '../support/program/serve-here.ts';
import { addCitusStandIn } from '../support/servers/citus-stand-in.ts';
import { judgeStatement } from './judge-statement.ts';

let stream: SimulatedStream;
let scratch: ScratchDatabase;
let db: Database;
/** With separate statement names. */
let other: Database;

beforeAll(async () => {
  stream = await writeSimulatedStream(ledgers.small);
  scratch = await createScratchDatabase();
  await addCitusStandIn(scratch.connectionString);
  await migrate({ ...scratch, distributed: true });
  await stream.importInto(scratch.connectionString);
  const client = new pg.Client(scratch);
  await client.connect();
  // As rows are that the Hiero mirror node wrote.
  await client.query('update transaction set packed_transfers = null where consensus_timestamp % 2 = 0');
  await client.query('analyze');
  await client.end();
  db = openDatabase({ connectionString: scratch.connectionString, maxConnections: 4 });
  other = openDatabase({ connectionString: scratch.connectionString, maxConnections: 4 });
});
afterAll(async () => {
  await db?.close();
  await other?.close();
  await scratch?.close();
  stream?.close();
});

test('a database is known to be distributed', async () => {
  expect((await asDistributedWhereItIs(db)).isDistributed).toBe(true);
  await asDistributed(db).snapshot(async (own) => expect(own.isDistributed).toBe(true));
  const plain = await createScratchDatabase();
  const ofOne = openDatabase(plain);
  expect((await asDistributedWhereItIs(ofOne)).isDistributed).toBe(false);
  await ofOne.close();
  await plain.close();
});

test('made-up requests to every endpoint are answered alike, by statements that a cluster takes', {
  timeout: 300_000,
}, async () => {
  const faults = new Map<string, string>();
  const texts = new Set<string>();
  const recording = recordQueries(asDistributed(other), ({ name, shape, text }) => {
    // PostgreSQL cuts longer ones.
    expect(Buffer.byteLength(`${name}:${shape}`)).toBeLessThanOrEqual(63);
    if (texts.has(text)) return;
    texts.add(text);
    const found = judgeStatement(text);
    if (found.length > 0) faults.set(name, `${found.join('; ')}\n${text}`);
  });
  const over = (own: Database): Ledger =>
    createLedger({ db: own, clock: () => 1_800_000_000_000_000_000n, system: usualRealm });
  const refused = new Set<string>();
  const judging = recordQueries(db, ({ name, text }) => {
    if (judgeStatement(text).length > 0) refused.add(name);
  });
  const [plain, distributed] = [over(judging), over(recording)];
  let answered = 0;
  const different: string[] = [];
  for (const [question, ask] of madeQuestions(await readLedgerWords(db), { ofEach: 12 })) {
    const [expected, actual] = await Promise.all([ask(plain), ask(distributed)]);
    if (JSON.stringify(toTexts(actual)) !== JSON.stringify(toTexts(expected))) different.push(question);
    if ((expected as { body?: unknown }).body !== undefined) answered += 1;
  }
  // Accounts that the texts of statements name.
  for (const id of [98n, 800n]) {
    const query = { ...everyTransaction, accounts: { ...anyRange, equals: [id] } };
    const [expected, actual] = [await plain.transactions.list(query), await distributed.transactions.list(query)];
    expect(actual.items.map(transactionKind.write)).toEqual(expected.items.map(transactionKind.write));
    expect(actual.next).toEqual(expected.next);
  }
  for (const { created_timestamp: created } of await db.query<{ created_timestamp: bigint }>({
    name: 'created',
    text: `select created_timestamp from entity where type = 'CONTRACT'`,
  })) {
    expect(await selectContractCreation(recording, created)).toEqual(await selectContractCreation(db, created));
  }
  for (const before of [0n, 2n ** 62n]) await selectHolding(recording, { accountId: 2n, tokenId: 1001n, before });
  for (const id of [2n, 98n, 1001n, 1002n]) {
    const [expected, actual] = [plain.accounts, distributed.accounts];
    expect(await actual.balanceHistory(id)).toEqual(await expected.balanceHistory(id));
    expect(await actual.balanceAt(id, 0n)).toEqual(await expected.balanceAt(id, 0n));
    expect(await actual.kindOf(id)).toEqual(await expected.kindOf(id));
  }
  expect(await distributed.examples()).toEqual(await plain.examples());
  expect(different).toEqual([]);
  // As they are asked on one machine most lists would be refused.
  expect([...refused]).toEqual(
    expect.arrayContaining(['select-transactions', 'select-schedules', 'select-contract-results']),
  );
  expect(answered).toBeGreaterThan(200);
  expect(texts.size).toBeGreaterThan(100);
  expect([...faults].map(([name, fault]) => `${name}: ${fault}`).join('\n\n')).toBe('');
});

test('what created contracts is one question of all of them, from records as from files', async () => {
  const ids = (
    await db.query<{ id: bigint }>({ name: 'contracts', text: `select id from entity where type = 'CONTRACT'` })
  ).map(({ id }) => id);
  await moveCodeToFile(ids[0]!);
  const expected = new Map<bigint, Buffer>();
  const origins = new Set<string>();
  for (const id of ids) {
    const [row] = await selectContracts(db, { kind: 'id', id });
    origins.add(row!.initcode?.length ? 'record' : row!.fileContent?.length ? 'file' : 'none');
    expected.set(id, creationCode(row!));
  }
  expect([...origins]).toEqual(expect.arrayContaining(['record', 'file']));
  const asked: string[] = [];
  const one = createCodes(recordQueries(db, ({ name }) => asked.push(name)));
  // Neither a contract: an account, and what nobody made.
  const found = await one.creationCodes([...ids, ids[0]!, 2n, 2n ** 62n]);
  expect(asked).toEqual(['select-creation-codes']);
  expect(new Map([...found].sort(byId))).toEqual(new Map([...expected].sort(byId)));
  expect(await one.creationCodes([])).toEqual(new Map());
  expect(asked).toHaveLength(1);
  const faults: string[] = [];
  const recording = recordQueries(asDistributed(other), ({ text }) => faults.push(...judgeStatement(text)));
  const distributed = await createCodes(recording).creationCodes(ids);
  expect(new Map([...distributed].sort(byId))).toEqual(new Map([...expected].sort(byId)));
  expect(faults).toEqual([]);
});

test('what docs/guides/scale.md says to fail has a form that a cluster refuses', async () => {
  const found: string[] = [];
  const recording = recordQueries(asDistributed(other), ({ text }) => found.push(...judgeStatement(text)));
  await selectTokenBalancesAt(recording, {
    ...{ tokenId: 1001n, account: anyRange, balance: anyRange, order: 'asc', limit: 1 },
    ...{ snapshot: { from: 0n, at: 1n }, publicKey: { operator: 'ne', text: 'ab' } },
  });
  expect(found).toContain('recursive over distributed tables');
});

test('serve finds out that the database is distributed', async () => {
  const dataFolder = mkdtempSync(join(tmpdir(), 'distributed-serve-'));
  const server = await serveHere(scratch.connectionString, ['--status-service', 'off', '--data-dir', dataFolder]);
  try {
    const answer = await fetch(`${server.url}/api/v1/accounts/0.0.2`);
    const { transactions } = (await answer.json()) as { transactions: unknown[] };
    expect(transactions).toHaveLength(25);
    const metrics = await (await fetch(`${server.url}/metrics`)).text();
    expect(metrics).toContain('query="select-crypto-transfer-keys"');
  } finally {
    await server.close();
    rmSync(dataFolder, { recursive: true });
  }
});

/** A contract as one that was created from a file, in two parts, of which a later one is no longer of its code. */
async function moveCodeToFile(id: bigint): Promise<void> {
  const client = new pg.Client(scratch);
  await client.connect();
  await client.query(
    `insert into file_data (entity_id, consensus_timestamp, transaction_type, file_data)
select 9999, e.created_timestamp + part.later, part.kind, part.content
from entity e join contract c on c.id = e.id, lateral (select encode(c.initcode, 'hex') as hex) code, lateral (values
  (-2, $2::int2, substr(hex, 1, 11)::bytea), (-1, $3::int2, substr(hex, 12)::bytea), (1, $2::int2, 'ff'::bytea)
) part (later, kind, content)
where e.id = $1`,
    [id, typeNumber.fileCreate, typeNumber.fileAppend],
  );
  await client.query('update contract set initcode = null, file_id = 9999 where id = $1', [id]);
  await client.end();
}

const byId = ([one]: [bigint, unknown], [other]: [bigint, unknown]): number => (one < other ? -1 : 1);

function toTexts(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (_key, one) => (typeof one === 'bigint' ? `${one}` : one)) ?? 'null');
}
