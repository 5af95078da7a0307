// Pages of transactions, compared with a scan of the tables.

import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anyRange } from '../../../packages/kit/range.ts';
import { type Database, openDatabase } from '../../../packages/postgres/wire/database.ts';
import { usualRealm } from '../../../packages/protocol/hapi/system-entity.ts';
import {
  createScratchDatabase,
  type ScratchDatabase,
} from '../../../packages/test-support/postgres/scratch-database.ts';
import {
  fillLedger,
  firstTimestamp,
  hotAccount,
  lastTimestamp,
  quietAccount,
} from '../../../packages/test-support/rows/fill-ledger.ts';
import { createLedger } from '../create-ledger.ts';
import type { Ledger } from '../ledger.ts';

let scratch: ScratchDatabase;
let db: Database;
let client: pg.Client;
let ledger: Ledger;

beforeAll(async () => {
  scratch = await createScratchDatabase();
  await fillLedger(scratch.connectionString);
  db = openDatabase({ connectionString: scratch.connectionString, maxConnections: 3 });
  client = new pg.Client({ connectionString: scratch.connectionString });
  await client.connect();
  ledger = createLedger({ db, clock: () => lastTimestamp, system: usualRealm });
});

afterAll(async () => {
  await client?.end();
  await db?.close();
  await scratch?.close();
});

async function readThrough(account: bigint, types: string, range: string, order: string, limit: number) {
  const { rows } = await client.query(
    `select t.consensus_timestamp::text as at from transaction t
     where (t.payer_account_id = $1
         or exists (select from entity_transaction e where e.entity_id = $1 and e.consensus_timestamp = t.consensus_timestamp)
         or exists (select from crypto_transfer c where c.entity_id = $1 and c.consensus_timestamp = t.consensus_timestamp)
         or exists (select from token_transfer k where k.account_id = $1 and k.consensus_timestamp = t.consensus_timestamp))
       and ${types} and ${range}
     order by t.consensus_timestamp ${order} limit ${limit}`,
    [account],
  );
  return rows.map((row) => BigInt(row.at));
}

const middle = (firstTimestamp + lastTimestamp) / 2n;
const rare = { numbers: [40], except: false };

describe('transactions of an account', () => {
  it.each([
    ['a quiet account', quietAccount, null, 'true', anyRange, 'true', 'desc', 25],
    ['an account that receives', 1205n, null, 'true', anyRange, 'true', 'asc', 3],
    ['a busy account', hotAccount, null, 'true', anyRange, 'true', 'desc', 100],
    [
      'the fee collector',
      98n,
      null,
      'true',
      { ...anyRange, to: middle },
      `t.consensus_timestamp <= ${middle}`,
      'desc',
      7,
    ],
    ['a common type', hotAccount, { numbers: [14], except: false }, 't.type = 14', anyRange, 'true', 'desc', 25],
    ['a rare type of a busy account', 3n, rare, 't.type = 40', anyRange, 'true', 'desc', 25],
    ['a rare type, more than there are', 3n, rare, 't.type = 40', anyRange, 'true', 'asc', 100],
    ['all but the common type', 3n, { numbers: [14], except: true }, 't.type <> 14', anyRange, 'true', 'asc', 25],
    [
      'a rare type since',
      98n,
      rare,
      't.type = 40',
      { ...anyRange, from: middle },
      `t.consensus_timestamp >= ${middle}`,
      'asc',
      10,
    ],
    ['two types', 3n, { numbers: [40, 14], except: false }, 't.type in (14, 40)', anyRange, 'true', 'desc', 50],
    [
      'a type that was never used',
      hotAccount,
      { numbers: [77], except: false },
      't.type = 77',
      anyRange,
      'true',
      'desc',
      25,
    ],
    ['a rare type, busy account without any', hotAccount, rare, 't.type = 40', anyRange, 'true', 'desc', 25],
  ] as const)('%s', async (_name, accountId, types, typeSql, timestamp, rangeSql, order, limit) => {
    const page = await ledger.accounts.listTransactions({
      accountId,
      types: types && { ...types, numbers: [...types.numbers] },
      timestamp,
      order,
      limit,
    });
    const expected = await readThrough(accountId, typeSql, rangeSql, order, limit);
    expect(page.items.map((transaction) => transaction.consensusTimestamp)).toEqual(expected);
  });

  it('have their transfers in order, once each', async () => {
    const { items } = await ledger.accounts.listTransactions({
      accountId: hotAccount,
      types: null,
      timestamp: { ...anyRange, equals: [firstTimestamp] },
      order: 'desc',
      limit: 25,
    });
    const [transaction] = items;
    expect(transaction!.transfers).toEqual([
      { accountId: 3n, amount: 1n, isApproval: false },
      { accountId: 98n, amount: 1n, isApproval: false },
      { accountId: 1001n, amount: -3n, isApproval: false },
      { accountId: 1200n, amount: 1n, isApproval: false },
    ]);
    expect(transaction!.tokenTransfers.map((transfer) => transfer.accountId)).toEqual([1001n, 1200n]);
  });

  it('are none for two exact times', async () => {
    const timestamp = { ...anyRange, equals: [firstTimestamp, firstTimestamp + 2_000_000_000n] };
    const query = { accountId: hotAccount, types: null, timestamp, order: 'desc', limit: 25 } as const;
    expect(await ledger.accounts.listTransactions(query)).toEqual({ items: [], next: null });
  });

  it('are of the same moment as the account, even if a block is committed in between', async () => {
    const block = lastTimestamp - 1_000_000_000n;
    let isCommitted = false;
    const accountRead = Promise.withResolvers<void>();
    const interrupted: Database = {
      ...db,
      query: async (query) => {
        if (query.name === 'select-transactions' && !isCommitted) {
          isCommitted = true;
          await accountRead.promise;
          await client.query(`begin;
            insert into transaction (consensus_timestamp, payer_account_id, nonce, type, result, valid_start_ns)
              values (${block + 5n}, ${hotAccount}, 0, 14, 22, 0);
            insert into record_file (consensus_start, consensus_end, count, digest_algorithm, file_hash, hash, index,
              load_start, load_end, name, prev_hash, version) values (${block + 5n}, ${block + 5n}, 1, 0, '', '', 99999, 0, 0, '', '', 6);
            commit`);
        }
        const rows = await db.query(query);
        accountRead.resolve();
        return rows;
      },
    };
    const ask = (asked: Ledger) =>
      asked.accounts.findWithTransactions(
        { id: hotAccount, timestamp: null, tokenBalanceLimit: 5 },
        { accountId: hotAccount, types: null, timestamp: anyRange, order: 'desc', limit: 3 },
      );
    const during = await ask(createLedger({ db: interrupted, clock: () => lastTimestamp, system: usualRealm }));
    expect(isCommitted).toBe(true);
    expect(during!.transactions.items[0]!.consensusTimestamp).toBeLessThanOrEqual(block);
    expect(during!.transactions.items).toHaveLength(3);
    const after = await ask(ledger);
    expect(after!.transactions.items[0]!.consensusTimestamp).toBe(block + 5n);
  });
});
