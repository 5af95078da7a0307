// A database that another program fills may hold limits of custom fees that are none.

import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Database, openDatabase, type UnreadableValue } from '../../../packages/postgres/wire/database.ts';
import { proto } from '../../../packages/protocol/hapi/hapi.ts';
import { openServer } from '../../../packages/test-support/http/open-server.ts';
import { type StoredRows, storeRows } from '../../../packages/test-support/rows/store-rows.ts';

const at = 1_700_000_000_000_000_000n;
const good = Buffer.from(proto.CustomFeeLimit.encode({ fees: [{ amount: 7 }] } as object).finish());
// Cut short in a field.
const bad = good.subarray(0, good.length - 1);

const told: UnreadableValue[] = [];
let stored: StoredRows;
let db: Database;

beforeAll(async () => {
  const entity = { shard: 0n, realm: 0n, type: 'ACCOUNT', memo: '', timestamp_range: '[1,)' };
  stored = await storeRows([
    { table: 'entity', row: { ...entity, id: 1001n, num: 1001n } },
    {
      table: 'transaction',
      row: {
        ...{ consensus_timestamp: at, valid_start_ns: at - 1n, payer_account_id: 1001n, type: 14n, result: 22n },
        max_custom_fees: [bad, good],
      },
    },
  ]);
  const { connectionString } = stored;
  db = openDatabase({ connectionString, onUnreadable: (value) => told.push(value) });
});
afterAll(async () => {
  await db?.close();
  await stored?.close();
});
beforeEach(() => {
  told.length = 0;
});

it.each(['transactions', 'transactions/0.0.1001-1699999999-999999999', 'accounts/0.0.1001'])(
  '%s is answered without them, and they are reported',
  async (path) => {
    const answer = await openServer(db, 'spec').inject(`/api/v1/${path}`);
    expect([answer.statusCode, answer.json().transactions[0].max_custom_fees]).toEqual([
      200,
      [{ account_id: null, amount: 7, denominating_token_id: null }],
    ]);
    expect(told).toEqual([
      {
        column: 'transaction.max_custom_fees',
        row: 'consensus_timestamp = 1700000000000000000',
        error: expect.any(Error),
      },
    ]);
  },
);
