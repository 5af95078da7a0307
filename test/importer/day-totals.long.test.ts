// The table of days is what plain SQL says of the rows: however the blocks were committed, after a kill, from an
// earlier schema, after a second import and through an export.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { withClient } from '../../packages/postgres/wire/connect-client.ts';
import { migrations } from '../../packages/schema/migration/migrations.ts';
import { createBlockWriter } from '../../packages/store/write/block-writer.ts';
import { dayNs } from '../../packages/store/write/day-counts.ts';
import { createDayTotals } from '../../packages/store/write/day-totals.ts';
import { openWriterSession } from '../../packages/store/write/writer-session.ts';
import { ledgers, openLedger } from '../../packages/test-support/ledgers/ledgers.ts';
import { createScratchDatabase, type ScratchDatabase } from '../../packages/test-support/postgres/scratch-database.ts';
import { writeSimulatedStream } from '../../packages/test-support/streams/simulated-stream.ts';
import { loadFrom, writeExport } from '../support/transfer/move-ledger.ts';

let scratch: ScratchDatabase;
beforeEach(async () => {
  scratch = await createScratchDatabase();
});
afterEach(() => scratch.close());

type Rows = Record<string, unknown>[];
type Days = { days: Rows; types: Rows; payers: Rows };

const ask = async (client: pg.Client, text: string): Promise<Rows> => (await client.query(text)).rows;

function onDatabase<T>(work: (client: pg.Client) => Promise<T>, { connectionString } = scratch): Promise<T> {
  return withClient(connectionString, 'test', work);
}

const stored = (database = scratch): Promise<Days> =>
  onDatabase(
    async (client) => ({
      days: (await ask(client, 'select * from ledger_day order by day')).map(({ gas_price: _, ...day }) => day),
      types: await ask(client, 'select * from ledger_day_type order by day, type'),
      payers: await ask(client, 'select * from ledger_day_payer order by day, payer_account_id'),
    }),
    database,
  );

/** From the rows, a question a column and not as the import counts them. */
const judged = (database = scratch): Promise<Days> => onDatabase(judge, database);

async function judge(client: pg.Client): Promise<Days> {
  const day = (column: string): string =>
    `(to_timestamp(${column} / 1e9) at time zone 'UTC')::date - date '1970-01-01'`;
  const byDay = async (from: string, column: string, value: string, where = 'true') => {
    const text = `select ${day(column)} as day, (${value})::text as value from ${from} where ${where} group by 1`;
    return new Map((await ask(client, text)).map((row) => [row.day, row.value]));
  };
  const of = (value: string, where?: string) => byDay('transaction', 'consensus_timestamp', value, where);
  const made = (type: string) =>
    byDay(
      `(select distinct on (id) * from (select * from entity union all select * from entity_history) e
        order by id, lower(timestamp_range)) first_version`,
      'created_timestamp',
      'count(*)',
      `type = '${type}' and created_timestamp >= (select min(consensus_start) from record_file)`,
    );
  const byClient = 'nonce = 0 and scheduled is not true and parent_consensus_timestamp is null';
  const columns = {
    blocks: await byDay('record_file', 'consensus_end', 'count(*)'),
    gas_used: await byDay('record_file', 'consensus_end', 'sum(case when gas_used > 0 then gas_used else 0 end)'),
    transactions: await of('count(*)'),
    failed: await of('count(*)', 'result <> 22 and result <> 104 and result <> 220'),
    fees: await of('sum(charged_tx_fee)'),
    active_accounts: await of('count(distinct payer_account_id)'),
    sent: await of('count(*)', byClient),
    consensus_ms: await of('sum(div((consensus_timestamp - valid_start_ns)::numeric, 1000000))', byClient),
    new_accounts: await made('ACCOUNT'),
    new_contracts: await made('CONTRACT'),
    new_tokens: await made('TOKEN'),
    new_topics: await made('TOPIC'),
  };
  const all = [...new Set(Object.values(columns).flatMap((values) => [...values.keys()]))] as number[];
  const days = all
    .sort((a, b) => a - b)
    .map((at) => ({
      day: at,
      ...Object.fromEntries(Object.entries(columns).map(([name, values]) => [name, values.get(at) ?? '0'])),
    }));
  const types = await ask(
    client,
    `select ${day('consensus_timestamp')} as day, type, count(*)::text as transactions, sum(charged_tx_fee)::text as fees
from transaction group by 1, 2 order by 1, 2`,
  );
  const payers = await ask(
    client,
    `select distinct ${day('consensus_timestamp')} as day, payer_account_id from transaction
where consensus_timestamp / 86400000000000 = (select max(consensus_end) / 86400000000000 from record_file) order by 1, 2`,
  );
  return { days, types, payers };
}

test.each(['busy', 'months', 'contracts'] as const)('%s', async (name) => {
  const { stream: _, ...ledger } = await openLedger(name);
  try {
    const expected = await judged(ledger);
    expect(await stored(ledger)).toEqual(expected);
    expect(expected.days.length).toBe(name === 'months' ? 31 : 1);
  } finally {
    await ledger.close();
  }
});

/** Some days, of one or two blocks each. */
const days = { ...ledgers.small, blockTime: 50_000_000_000_000n };

test('a commit that is rolled back leaves no trace, and the rest goes in a block at a time', async () => {
  const stream = await writeSimulatedStream(days);
  const half = { kind: 'block', number: 5n } as const;
  await stream.importInto(scratch.connectionString, { until: half });
  const before = await stored();
  // Fails after the days were counted, at the commit.
  await onDatabase((client) =>
    client.query(`create function refuse() returns trigger language plpgsql as $$ begin raise 'no'; end $$;
create constraint trigger refuse after insert on record_file initially deferred for each row execute function refuse()`),
  );
  await expect(stream.importInto(scratch.connectionString)).rejects.toThrow('no');
  expect(await stored()).toEqual(before);
  await onDatabase((client) => client.query('drop trigger refuse on record_file'));
  await stream.importInto(scratch.connectionString, { commitTransactions: 0 });
  const after = await stored();
  expect(after).toEqual(await judged());
  expect(after.days.length).toBeGreaterThan(before.days.length);
  stream.close();
});

const dayTables = ['ledger_day', 'ledger_day_type', 'ledger_day_payer', 'ledger_day_fill'];

/** As the version before left it. */
async function forgetDays(): Promise<void> {
  const { statements } = migrations.find(({ name }) => name === 'days')!;
  await onDatabase(async (client) => {
    for (const table of dayTables) await client.query(`drop table ${table}`);
    for (const statement of statements) await client.query(statement);
  });
}

const toFill = async (): Promise<number> =>
  (await onDatabase((client) => ask(client, 'select from ledger_day_fill'))).length;

test('an earlier schema is filled while the import goes on, whenever it is killed', async () => {
  const stream = await writeSimulatedStream(days);
  await stream.importInto(scratch.connectionString, { until: { kind: 'block', number: 9n } });
  await forgetDays();
  const all = (await judged()).days.length;
  expect(await toFill()).toBe(all);
  // In parts of ten transactions, each by a session that ends in the middle of a day.
  const options = { connectionString: scratch.connectionString, otherWriterMs: 1000, rowsOfRange: 10 };
  for (let part = 0; part < 8; part++) {
    const session = await openWriterSession(options);
    expect((await session.advanceScans()).hasMore).toBe(true);
    await session.client.end();
  }
  expect(await toFill()).toBeLessThan(all);
  await stream.importInto(scratch.connectionString);
  expect(await toFill()).toBe(0);
  expect(await stored()).toEqual(await judged());
});

test('the newest day is filled while blocks are added to it', async () => {
  const stream = await writeSimulatedStream(ledgers.busy);
  await stream.importInto(scratch.connectionString, { until: { kind: 'block', number: 20n } });
  await forgetDays();
  const session = await openWriterSession({ ...scratch, otherWriterMs: 1000, rowsOfRange: 10 });
  await session.advanceScans();
  await session.client.end();
  expect(await toFill()).toBe(1);
  await stream.importInto(scratch.connectionString);
  expect(await stored()).toEqual(await judged());
});

test('days are counted alike where rows lie on several machines, and get a price of gas once they are over', async () => {
  const { stream: _, ...ledger } = await openLedger('months');
  try {
    const expected = await judged(ledger);
    await onDatabase(async (client) => {
      await client.query('insert into ledger_day_fill (day) select day from ledger_day');
      const asked: bigint[] = [];
      const priceOfGas = async (at: bigint) => {
        asked.push(at);
        return asked.length % 2 === 0 ? 71n : null;
      };
      const totals = createDayTotals({ rowsOfPart: 30, isSpread: true, priceOfGas });
      while ((await totals.fill(client)).hasMore);
      expect(totals.isFilling()).toBe(false);
      expect(asked.length).toBe(30);
      expect(new Set(asked.map((at) => (at + 1n) % dayNs))).toEqual(new Set([0n]));
      expect(await ask(client, 'select count(*)::int, gas_price from ledger_day group by 2 order by 2')).toEqual([
        { count: 15, gas_price: '0' },
        { count: 15, gas_price: '71' },
        { count: 1, gas_price: null },
      ]);
    }, ledger);
    expect(await stored(ledger)).toEqual(expected);
  } finally {
    await ledger.close();
  }
});

test('an export brings them along, and one without them is counted', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'days-'));
  const { stream: _, ...ledger } = await openLedger('months');
  const loaded = [await createScratchDatabase(), await createScratchDatabase()] as const;
  try {
    const expected = await judged(ledger);
    await writeExport(ledger.connectionString, join(folder, 'whole'));
    await loadFrom(join(folder, 'whole'), loaded[0].connectionString);
    expect(await stored(loaded[0])).toEqual(expected);

    await onDatabase((client) => client.query(dayTables.map((table) => `delete from ${table}`).join('; ')), ledger);
    await writeExport(ledger.connectionString, join(folder, 'without'));
    await loadFrom(join(folder, 'without'), loaded[1].connectionString);
    const writer = await createBlockWriter(loaded[1]);
    while (await writer.advanceScans());
    await writer.close();
    expect(await stored(loaded[1])).toEqual(expected);
  } finally {
    for (const one of [...loaded, ledger]) await one.close();
    rmSync(folder, { recursive: true, force: true });
  }
});

test('no number that a ledger may say stops the import', async () => {
  const writer = await createBlockWriter(scratch);
  const largest = 2n ** 63n - 1n;
  // 2255: years after it have no partition.
  const far = 9_000_000_000_000_000_000n;
  const transaction = (consensus: bigint, valid: bigint) => ({
    consensus_timestamp: consensus,
    payer_account_id: 2n,
    charged_tx_fee: largest,
    result: 22,
    type: 14,
    valid_start_ns: valid,
    transaction_hash: Buffer.from([1]),
  });
  const file = (from: bigint, to: bigint) => ({
    consensus_start: from,
    consensus_end: to,
    index: from,
    count: 1n,
    name: `${from}`,
    hash: `${from}`,
    file_hash: `${from}`,
    prev_hash: '',
    node_id: 0n,
    version: 6,
    gas_used: largest,
    digest_algorithm: 0,
    load_start: 0n,
    load_end: 0n,
  });
  const rows = [
    { transaction: [transaction(10n, -largest - 1n), transaction(20n, largest)], record_file: [file(10n, 20n)] },
    { transaction: [transaction(30n, 5n)], record_file: [file(30n, 40n)] },
    { transaction: [transaction(far, 0n)], record_file: [file(50n, far)] },
  ];
  for (const changes of rows) await writer.writeBlock({ parts: [changes as never] });
  await writer.close();
  const { days } = await stored();
  expect(days).toMatchObject([
    {
      day: 0,
      blocks: '2',
      gas_used: `${largest}`,
      transactions: '3',
      fees: `${largest}`,
      sent: '1',
      consensus_ms: '0',
    },
    { day: 104_166, blocks: '1', transactions: '1' },
  ]);
});
