// Rows of the past stored once: a reader of a table finds the same rows, before, between two slices and after.
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rowsOf } from '../../schema/compact-form.ts';
import { grantReader } from '../../schema/migration/grant-reader.ts';
import { migrate } from '../../schema/migration/migrate.ts';
import { packedVersions } from '../../schema/packed-transfers.ts';
import { type OpenedLedger, openLedger } from '../../test-support/ledgers/ledgers.ts';
import { dumpDatabase, summarizeDump } from '../../test-support/postgres/dump-database.ts';
import { createBlockWriter } from '../write/block-writer.ts';
import { restoreRows } from '../write/restore-rows.ts';
import { compactRows, makeCompact, newestCompactable } from './compact-rows.ts';

const everything = 2n ** 62n;

describe('a ledger of two months', () => {
  let ledger: OpenedLedger;
  let client: pg.Client;
  let before: Record<string, string>;
  beforeAll(async () => {
    ledger = await openLedger('months');
    client = await connect(ledger.connectionString);
    before = await summarize(ledger.connectionString);
  });
  afterAll(async () => {
    await client?.end();
    await ledger?.close();
  });

  it('has the same rows when it gets the form, and moves none', async () => {
    await grantReader(ledger.connectionString, 'reads_compact');
    await makeCompact(ledger.connectionString);
    await makeCompact(ledger.connectionString);
    expect(await summarize(ledger.connectionString)).toEqual(before);
    expect(await count(client, 'entity_moments')).toBe(0);
  });

  it('has them after each slice, whole blocks at a time', async () => {
    const shares: number[] = [];
    const stop = new AbortController();
    const options = { connectionString: ledger.connectionString, before: everything, transactionsAtOnce: 500 };
    const first = await compactRows({ ...options, signal: stop.signal, onProgress: () => stop.abort() });
    expect(first.transactions).toBeGreaterThan(400);
    expect(first.transactions).toBeLessThanOrEqual(500);
    expect(await summarize(ledger.connectionString)).toEqual(before);
    const rest = await compactRows({ ...options, onProgress: ({ done }) => void shares.push(done) });
    expect(shares.length).toBeGreaterThan(3);
    expect(shares).toEqual(shares.toSorted());
    expect(shares.at(-1)).toBe(1);
    expect(first.transactions + rest.transactions).toBe(await count(client, 'transaction'));
    expect(first.kept + rest.kept).toBe(0);
    expect(await summarize(ledger.connectionString)).toEqual(before);
    for (const table of Object.values(rowsOf)) expect(await count(client, table)).toBe(0);
    expect(await compactRows(options)).toEqual({ transactions: 0, kept: 0, freeBytes: 0 });
  });

  it('lists the moments of an entity in order, and each once', async () => {
    const { rows } = await client.query<{ wrong: string }>(
      `select count(*) as wrong from (
  select at, lag(at) over (partition by entity_id order by first_timestamp, place) as earlier, first_timestamp
  from entity_moments cross join lateral unnest(moments) with ordinality m (at, place)
) listed where at <= earlier or at < first_timestamp`,
    );
    expect(Number(rows[0]!.wrong)).toBe(0);
  });

  it('may be read by who could read the tables', async () => {
    await client.query('set role reads_compact');
    for (const table of Object.keys(rowsOf)) expect(await count(client, table)).toBeGreaterThan(0);
    expect(await count(client, 'entity_moments')).toBeGreaterThan(0);
    await client.query('reset role');
  });

  it('takes rows of a time out of the form, and has the same', async () => {
    const { rows } = await client.query<{ from: string; to: string }>(
      'select consensus_start::text as from, consensus_end::text as to from record_file order by consensus_end offset 20 limit 1',
    );
    const span = { from: BigInt(rows[0]!.from), to: BigInt(rows[0]!.to) };
    await client.query('begin');
    await restoreRows(client, span);
    await client.query('commit');
    const marked = await client.query(
      `select from transaction where get_byte(packed_transfers, 0) = ${packedVersions.beside}`,
    );
    const within = await client.query('select from transaction where consensus_timestamp between $1 and $2', [
      span.from,
      span.to,
    ]);
    expect(marked.rowCount).toBe(within.rowCount);
    const now = await summarize(ledger.connectionString);
    for (const table of Object.keys(rowsOf)) {
      expect(now[table]).toBe(before[table]);
      expect(await count(client, rowsOf[table as keyof typeof rowsOf])).toBeGreaterThan(0);
    }
    const listed = await client.query(
      'select from entity_moments cross join lateral unnest(moments) m (at) where at between $1 and $2',
      [span.from, span.to],
    );
    expect(listed.rowCount).toBe(0);
  });

  it('stays as it is when the program begins again', async () => {
    const said: string[] = [];
    await migrate({ connectionString: ledger.connectionString, log: (sentence) => void said.push(sentence) });
    expect(said).toEqual([]);
  });
});

describe('rows that say more than is packed', () => {
  let ledger: OpenedLedger;
  let client: pg.Client;
  beforeAll(async () => {
    ledger = await openLedger('small');
    client = await connect(ledger.connectionString);
  });
  afterAll(async () => {
    await client?.end();
    await ledger?.close();
  });

  it('stay in their tables, others of the transaction, too', async () => {
    const at = (offset: number): string =>
      `(select consensus_timestamp from crypto_transfer order by consensus_timestamp, entity_id offset ${offset} limit 1)`;
    await client.query(`update crypto_transfer set errata = 'DELETE' where consensus_timestamp = ${at(5)}`);
    await client.query(`update crypto_transfer set is_approval = null where consensus_timestamp = ${at(60)}`);
    await client.query(`update crypto_transfer set amount = amount + 1 where consensus_timestamp = ${at(100)}`);
    await client.query(`delete from crypto_transfer where consensus_timestamp = ${at(150)}`);
    await client.query(`update crypto_transfer set payer_account_id = 3 where consensus_timestamp = ${at(200)}`);
    const before = await summarize(ledger.connectionString);
    await makeCompact(ledger.connectionString);
    const { kept } = await compactRows({ connectionString: ledger.connectionString, before: everything });
    expect(kept).toBe(5);
    const { transaction: marked, ...now } = await summarize(ledger.connectionString);
    expect(marked).not.toBe(before.transaction);
    expect(now).toEqual({ ...before, transaction: undefined });
    for (const table of Object.values(rowsOf)) expect(await count(client, table)).toBeLessThan(100);
  });
});

it('packs what an earlier version left unpacked, as the import packs it', async () => {
  const ledger = await openLedger('small');
  const client = await connect(ledger.connectionString);
  const before = await summarize(ledger.connectionString);
  await client.query('update transaction set packed_transfers = null');
  await makeCompact(ledger.connectionString);
  const { kept } = await compactRows({ connectionString: ledger.connectionString, before: everything });
  expect(kept).toBe(0);
  expect(await summarize(ledger.connectionString)).toEqual(before);
  await client.end();
  await ledger.close();
});

describe('is refused', () => {
  it('while a mirror writes', async () => {
    const ledger = await openLedger('small');
    const { connectionString } = ledger;
    const writer = await createBlockWriter({ connectionString });
    await expect(makeCompact(connectionString)).rejects.toThrow(/A mirror is writing/);
    await writer.close();
    await ledger.close();
  }, 60_000);
});

it('leaves out the last day', async () => {
  const ledger = await openLedger('months');
  const client = await connect(ledger.connectionString);
  const { rows } = await client.query<{ end: string }>('select max(consensus_end)::text as end from record_file');
  expect(await newestCompactable(ledger.connectionString)).toBe(BigInt(rows[0]!.end) - 86_400_000_000_000n);
  await client.end();
  await ledger.close();
});

async function connect(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  return client;
}

async function summarize(connectionString: string): Promise<Record<string, string>> {
  return summarizeDump(await dumpDatabase(connectionString));
}

async function count(client: pg.Client, table: string): Promise<number> {
  const { rows } = await client.query<{ count: number }>(`select count(*)::int4 as count from ${table}`);
  return rows[0]!.count;
}
