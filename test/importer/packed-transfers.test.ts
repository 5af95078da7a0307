// Each transaction carries a copy of its transfers. Pages read from the copies say what pages read from the tables say.

import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openDatabase } from '../../packages/postgres/wire/database.ts';
import { openAnswers } from '../../packages/test-support/http/answers.ts';
import { type OpenedLedger, openLedger } from '../../packages/test-support/ledgers/ledgers.ts';

let scratch: OpenedLedger;
beforeAll(async () => {
  scratch = await openLedger('busy');
});
afterAll(() => scratch?.close());

it('pages of transactions are the same without the copies', async () => {
  const client = new pg.Client({ connectionString: scratch.connectionString });
  await client.connect();
  try {
    const counts = await client.query(
      `select (select count(*)::int from transaction where packed_transfers is null) as unpacked,
         (select count(*)::int from transaction) as transactions, (select count(*)::int from crypto_transfer) as transfers,
         (select count(*)::int from token_transfer) as token_transfers,
         (select count(*)::int from staking_reward_transfer) as rewards`,
    );
    const { unpacked, transactions, transfers, token_transfers, rewards } = counts.rows[0];
    expect(unpacked).toBe(0);
    expect(Math.min(transactions, transfers)).toBeGreaterThan(500);
    expect(Math.min(token_transfers, rewards)).toBeGreaterThan(10);

    const accounts = await client.query(
      `select id from entity where type in ('ACCOUNT', 'CONTRACT') union select account_id from staking_reward_transfer
       order by 1`,
    );
    const ask = async (): Promise<string[]> => {
      const db = openDatabase({ connectionString: scratch.connectionString });
      const answers = openAnswers(db);
      const texts: string[] = [];
      for (const { id } of accounts.rows) {
        for (const query of ['', '?order=asc&limit=100', '?transactiontype=cryptotransfer']) {
          texts.push((await answers.get('spec', `/api/v1/accounts/0.0.${id}${query}`)).text);
        }
      }
      await answers.close();
      await db.close();
      return texts;
    };
    const packed = await ask();
    expect(packed.filter((text) => text.includes('"staking_reward_transfers":[{')).length).toBeGreaterThan(0);
    await client.query('update transaction set packed_transfers = null');
    expect(await ask()).toEqual(packed);
    // One that is packed stands beside one that is not, as after an update of an older database.
    await client.query(`update transaction set packed_transfers = '\\x01000000000000' where consensus_timestamp = (
      select t.consensus_timestamp from transaction t where not exists (
        select from crypto_transfer c where c.consensus_timestamp = t.consensus_timestamp) and not exists (
        select from token_transfer c where c.consensus_timestamp = t.consensus_timestamp) limit 1)`);
    expect(await ask()).toEqual(packed);
  } finally {
    await client.end();
  }
});
