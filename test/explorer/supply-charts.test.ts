// The chart of a token's supply, beside what its transfers add up to: the chart is made of versions, which transfers know
// nothing of.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../packages/postgres/wire/database.ts';
import { formatEntityId } from '../../packages/protocol/hapi/entity-id.ts';
import { openServer } from '../../packages/test-support/http/open-server.ts';
import { readPage } from '../../packages/test-support/http/read-page.ts';
import { type OpenedLedger, openLedger } from '../../packages/test-support/ledgers/ledgers.ts';
import { formatPlainFraction } from '../../src/pages/parts/amounts.ts';

let ledger: OpenedLedger;
let db: Database;
let app: ReturnType<typeof openServer>;
beforeAll(async () => {
  ledger = await openLedger('busy');
  db = openDatabase(ledger);
  app = openServer(db, 'spec');
});
afterAll(async () => {
  await app?.close();
  await db?.close();
  await ledger?.close();
});

type Change = { tokenId: bigint; decimals: bigint; at: bigint; supply: string };

/**
 * What units there were before each version but the first, and at the end. Serial numbers are units of one. What a block
 * did before its first version of the token is in that version already, as in a Hiero mirror node.
 */
const changes = `with version as (
  select token_id, lower(timestamp_range) as since from token
  union select token_id, lower(timestamp_range) from token_history
), point as (
  select v.token_id, case when exists (
    select from version e where e.token_id = v.token_id and e.since < v.since and e.since >= b.consensus_start
  ) then v.since else b.consensus_start end - 1 as at
  from version v join token t using (token_id) join record_file b on v.since between b.consensus_start and b.consensus_end
  where v.since > t.created_timestamp
  union all select token_id, (select max(consensus_end) from record_file) from token
)
select p.token_id, t.decimals, p.at, case when t.type = 'FUNGIBLE_COMMON'
  then (select coalesce(sum(amount), 0) from token_transfer m where m.token_id = p.token_id and m.consensus_timestamp <= p.at)
  else (select count(*) from nft n where n.token_id = p.token_id and n.created_timestamp <= p.at
    and not (n.deleted and lower(n.timestamp_range) <= p.at)) end::text as supply
from point p join token t using (token_id) order by p.token_id, p.at`;

it('has the points that transfers add up to', async () => {
  const rows = await db.query<Change>({ name: 'of-the-test', reads: true, shape: changes, text: changes });
  let changed = 0;
  for (const [tokenId, points] of Map.groupBy(rows, (row) => row.tokenId)) {
    const { body } = await app.inject(`/demo/token/${formatEntityId(tokenId)}`);
    const drawn = readPage(body).tables.get('Supply over time')!;
    const expected = points.map(({ supply, decimals }) => formatPlainFraction(BigInt(supply), Number(decimals)));
    // Newest first; what was there at the beginning is a point before the others.
    const shown = drawn.map((row) => row.Supply!.replaceAll(',', '')).toReversed();
    expect([tokenId, shown.slice(-expected.length)]).toEqual([tokenId, expected]);
    expect(shown.length - expected.length).toBe(1);
    if (new Set(expected).size > 1) changed += 1;
  }
  expect(changed).toBeGreaterThan(2);
});
