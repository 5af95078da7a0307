import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../postgres/wire/database.ts';
import { createScratchDatabase, type ScratchDatabase } from '../../test-support/postgres/scratch-database.ts';
import { nestedRows } from './nested-rows.ts';
import { columns, everyColumn, expression, type Selection, selectAll, selectQuery } from './statement/columns.ts';

let scratch: ScratchDatabase;
let db: Database;

beforeAll(async () => {
  scratch = await createScratchDatabase();
  const client = new pg.Client({ connectionString: scratch.connectionString });
  await client.connect();
  for (const table of ['contract_action', 'assessed_custom_fee', 'transaction']) {
    await client.query(`create table ${table}_p0 partition of ${table} for values from (0) to (1000)`);
  }
  await client.query(`insert into contract_action (consensus_timestamp, index, call_depth, caller, caller_type, gas, gas_used,
      input, payer_account_id, recipient_address, result_data, result_data_type, value)
    values (1, 0, 2147483647, 9223372036854775807, 'ACCOUNT', -9223372036854775808, 0, '\\x', 2, '\\x00ff', null, 11, 5),
      (1, 1, -1, null, null, 7, 8, null, 2, null, '\\xaa', 12, 0)`);
  await client.query(`insert into assessed_custom_fee (amount, collector_account_id, consensus_timestamp, effective_payer_account_ids,
      payer_account_id) values (9007199254740993, 4, 1, '{9007199254740993,5}', 2), (1, 4, 1, null, 2), (2, 4, 1, '{}', 2)`);
  await client.query(`insert into transaction (consensus_timestamp, payer_account_id, result, type, valid_start_ns, scheduled,
      nft_transfer, memo) values (1, 2, 22, 14, 0, true, '[{"serial_number": 9007199254740993}]', 'é'::bytea)`);
  await client.end();
  db = openDatabase({ connectionString: scratch.connectionString, maxConnections: 1 });
});

afterAll(async () => {
  await db?.close();
  await scratch?.close();
});

const tables: [string, Selection<unknown>][] = [
  ['contract_action', everyColumn('contract_action')],
  ['assessed_custom_fee', everyColumn('assessed_custom_fee')],
  ['transaction', everyColumn('transaction')],
];

it.each(tables)('are what a query for them gives: %s', async (table, select) => {
  const from = `from ${table} where consensus_timestamp = 1`;
  const alone = await db.query(selectQuery({ name: `alone-${table}`, select, from }));
  expect(alone.length).toBeGreaterThan(0);
  const nested = nestedRows('rows', select, from);
  const query = selectQuery({
    name: `nested-${table}`,
    select: selectAll(expression('one', 'int8', '1::int8'), nested.select),
  });
  // The first answer comes as text, the next in binary.
  for (let time = 0; time < 2; time++) {
    const [row] = await db.query(query);
    expect(nested.read(row!.rows)).toEqual(alone);
  }
});

it('are read where a column has a domain, as in the database of another mirror node', async () => {
  const client = new pg.Client({ connectionString: scratch.connectionString });
  await client.connect();
  await client.query('create domain moment as int8');
  await client.end();
  const fees = columns('assessed_custom_fee', ['amount', 'consensus_timestamp']);
  const moments = 'select amount, consensus_timestamp::moment as consensus_timestamp from assessed_custom_fee';
  const nested = nestedRows('rows', fees, `from (${moments} where amount = 2) f`);
  const [row] = await db.query(selectQuery({ name: 'domains', select: nested.select }));
  expect(nested.read(row!.rows)).toEqual([{ amount: 2n, consensusTimestamp: 1n }]);
});

it('may be none', async () => {
  const nested = nestedRows('rows', everyColumn('contract_log'), 'from contract_log');
  const [row] = await db.query(selectQuery({ name: 'none', select: nested.select }));
  expect(nested.read(row!.rows)).toEqual([]);
});
