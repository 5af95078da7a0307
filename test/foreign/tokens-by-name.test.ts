// The order of names over a database that this program did not make: it has no index of them, so a page puts only the
// newest tokens in order, and says so.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { withClient } from '../../packages/postgres/wire/connect-client.ts';
import { type Database, openDatabase } from '../../packages/postgres/wire/database.ts';
import { fillSchemaGaps, findSchemaGaps } from '../../packages/schema/migration/schema-gaps.ts';
import { maxUnindexedNames } from '../../packages/store/read/select-token-totals.ts';
import { openServer } from '../../packages/test-support/http/open-server.ts';
import { openLedger } from '../../packages/test-support/ledgers/ledgers.ts';
import type { ScratchDatabase } from '../../packages/test-support/postgres/scratch-database.ts';
import { toHieroLayout } from '../support/tables/hiero-layout.ts';

let scratch: ScratchDatabase;
let db: Database;
let app: ReturnType<typeof openServer>;
const manyMore = 60_000;

beforeAll(async () => {
  scratch = await openLedger('small');
  await withClient(scratch.connectionString, 'test', async (client) => {
    await toHieroLayout(client, 'v1');
    // Behind all others by name, and of them the oldest is before all by name.
    await client.query(`insert into token (token_id, created_timestamp, decimals, freeze_status, initial_supply, kyc_status,
      name, symbol, timestamp_range, treasury_account_id, pause_status, supply_type, type)
      select 5000000 + i, 1, 2, 0, 1000, 0, case i when 1 then 'AAA' else 'zzz ' || lpad(i::text, 9, '0') end, 'T',
        int8range(1, null), 2, 'NOT_APPLICABLE', 'INFINITE', 'FUNGIBLE_COMMON' from generate_series(1, ${manyMore}) i`);
    await client.query('analyze token');
  });
  db = openDatabase(scratch);
  const { connectionString } = scratch;
  app = openServer(fillSchemaGaps(db, await findSchemaGaps(connectionString)), 'spec');
});
afterAll(async () => {
  await app?.close();
  await db?.close();
  await scratch?.close();
});

const get = async (path: string): Promise<string> => {
  const { statusCode, body } = await app.inject({ url: path, headers: { accept: 'text/html' } });
  expect([path, statusCode]).toEqual([path, 200]);
  return body;
};
const idsOf = (body: string) =>
  [...body.matchAll(/<td[^>]*><a href="\/demo\/token\/0\.0\.(\d+)"/g)].map(([, id]) => Number(id));

it('is that of the newest tokens, page by page, and the page says so', async () => {
  const first = await get('/demo/tokens/by-name?limit=100');
  expect(first).toContain('only the 10,000 newest tokens are put in order');
  const oldestOfNewest = 5_000_000 + manyMore - maxUnindexedNames + 1;
  expect(idsOf(first)).toEqual(Array.from({ length: 100 }, (_, place) => oldestOfNewest + place));
  const [, next] = /href="([^"]+)" rel="next"/.exec(first)!;
  expect(idsOf(await get(next!.replaceAll('&#38;', '&')))[0]).toBe(oldestOfNewest + 100);
});

it('reads no more of the table than that', async () => {
  const blocksRead = async (work: () => Promise<unknown>): Promise<number> =>
    withClient(scratch.connectionString, 'test', async (client) => {
      const read = async () => {
        await client.query('select pg_stat_force_next_flush()');
        const { rows } = await client.query<{ rows: string }>(
          `select seq_tup_read + coalesce(idx_tup_fetch, 0) as rows from pg_stat_user_tables where relname = 'token'`,
        );
        return Number(rows[0]!.rows);
      };
      const before = await read();
      await work();
      // What other sessions did is told a second later at the latest.
      await new Promise((resolve) => setTimeout(resolve, 1_500));
      return (await read()) - before;
    });
  const rows = await blocksRead(() => get('/demo/tokens/by-name'));
  expect(rows).toBeLessThan(2 * maxUnindexedNames);
});

it('says of other orders that nothing is counted', async () => {
  for (const order of ['holders', 'transfers']) {
    expect(await get(`/demo/tokens/by-${order}`)).toContain('This database has no such numbers.');
  }
});
