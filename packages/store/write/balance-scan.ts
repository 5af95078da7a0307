// A snapshot of all balances after a block (docs/reference/rest-behaviour.md, Balances). The first snapshot of a month
// holds every balance, later ones only those that changed since. The treasury is in all of them and written last, so
// that its newest row shows which snapshot to read.
import type pg from 'pg';
import { decodeEntityId } from '../../protocol/hapi/entity-id.ts';
import { inventedTreasuryMemo } from '../../schema/invented-treasury.ts';
import type { BulkOperation, WritableChanges } from './block-changes.ts';
import type { IdRange, Scan, ScanKind } from './scan.ts';

type Snapshot = Extract<BulkOperation, { operation: 'takeBalanceSnapshot' }>;

export const balanceScan: ScanKind<Snapshot> = {
  phases: [
    { table: 'entity', column: 'id', fill: (client, scan, range) => insertAccounts(client, scan, { range }) },
    {
      table: 'token_account',
      column: 'account_id',
      async fill(client, scan, range) {
        await insertTokens(client, scan, { range });
        return 0;
      },
    },
  ],
  async begin(client, { timestamp, treasuryId, previousTimestamp, whole, name }, { beganLater }) {
    const { shard, realm, num } = decodeEntityId(treasuryId);
    const treasury = [timestamp, treasuryId, shard, realm, num, beganLater ? null : 0n];
    await client.query({ name: 'ensure-treasury', text: ensureTreasury, values: treasury });
    const values = [timestamp, treasuryId, previousTimestamp, whole, name];
    await client.query({ name: 'begin-balance-scan', text: beginScan, values });
  },
  async keep(client, scan, part) {
    const { accounts, holdings } = findChanged(part);
    if (holdings.length > 0) await insertTokens(client, scan, { holdings });
    return accounts.length > 0 ? insertAccounts(client, scan, { accounts }) : 0;
  },
  async end(client, scan) {
    const values = [scan.consensus_timestamp, scan.account_id, scan.balance];
    await client.query({ name: 'snapshot-treasury', text: insertTreasury, values });
    const file = [scan.consensus_timestamp, BigInt(scan.row_count) + 1n, scan.name];
    await client.query({ name: 'snapshot-file', text: insertFile, values: file });
  },
};

/** A ledger that is mirrored from its middle may not have it. */
const ensureTreasury = `insert into entity
  (id, shard, realm, num, type, memo, balance, balance_timestamp, timestamp_range)
values ($2, $3, $4, $5, 'ACCOUNT', '${inventedTreasuryMemo}', $6, $1, int8range($1, null))
on conflict (id) do nothing`;

const beginScan = `insert into ledger_scan
  (kind, consensus_timestamp, account_id, previous_timestamp, is_whole, name, balance)
select 'takeBalanceSnapshot', $1, $2, $3, $4, $5, coalesce(balance, 0) from entity where id = $2`;

const insertTreasury = 'insert into account_balance (consensus_timestamp, account_id, balance) values ($1, $2, $3)';

const insertFile =
  'insert into account_balance_file (consensus_timestamp, count, name, synthetic) values ($1, $2, $3, true)';

/** As of the snapshot ($1): rows that later blocks changed were copied before. */
const unchanged = 'coalesce(balance_timestamp, 0) <= $1 and lower(timestamp_range) <= $1';

/** $2: of the snapshot before. $3: whether this one holds every balance. */
const accountsOf = (place: string): string => `insert into account_balance (account_id, balance, consensus_timestamp)
select id, balance, $1::int8 from entity
where ${place} and id <> $4 and balance is not null and ${unchanged}
  and (balance_timestamp > $2 or ($3 and deleted is not true))
order by id on conflict do nothing`;

const tokensOf = (
  place: string,
): string => `insert into token_balance (account_id, balance, consensus_timestamp, token_id)
select account_id, balance, $1::int8, token_id from token_account
where ${place} and ${unchanged} and (balance_timestamp > $2 or ($3 and associated))
order by account_id, token_id on conflict do nothing`;

const accountsOfRange = accountsOf('id > $5 and id <= $6');
const accountsOfChange = accountsOf('id = any($5)');
const tokensOfRange = tokensOf('account_id > $4 and account_id <= $5');
const tokensOfChange = tokensOf('(account_id, token_id) in (select * from unnest($4::int8[], $5::int8[]))');

type Accounts = { range: IdRange } | { accounts: readonly bigint[] };
type Holding = { accountId: bigint; tokenId: bigint };
type Holdings = { range: IdRange } | { holdings: readonly Holding[] };

async function insertAccounts(client: pg.Client, scan: Scan, which: Accounts): Promise<number> {
  const values = [...momentsOf(scan), scan.account_id];
  const { rowCount } = await client.query(
    'range' in which
      ? { name: 'snapshot-accounts', text: accountsOfRange, values: [...values, which.range.from, which.range.to] }
      : { name: 'keep-snapshot-accounts', text: accountsOfChange, values: [...values, which.accounts] },
  );
  return rowCount ?? 0;
}

async function insertTokens(client: pg.Client, scan: Scan, which: Holdings): Promise<void> {
  if ('range' in which) {
    const values = [...momentsOf(scan), which.range.from, which.range.to];
    await client.query({ name: 'snapshot-tokens', text: tokensOfRange, values });
  } else {
    const accounts = which.holdings.map(({ accountId }) => accountId);
    const values = [...momentsOf(scan), accounts, which.holdings.map(({ tokenId }) => tokenId)];
    await client.query({ name: 'keep-snapshot-tokens', text: tokensOfChange, values });
  }
}

const momentsOf = (scan: Scan) => [scan.consensus_timestamp, scan.previous_timestamp ?? 0, scan.is_whole];

/** The accounts and holdings whose rows a part of a block changes, created ones included. */
function findChanged(part: WritableChanges['parts'][number]): { accounts: bigint[]; holdings: Holding[] } {
  if ('encoded' in part) return { accounts: [], holdings: [] };
  if ('operation' in part) {
    if (part.operation !== 'moveNfts') return { accounts: [], holdings: [] };
    const { tokenId, fromAccountId, toAccountId } = part;
    return { accounts: [], holdings: [fromAccountId, toAccountId].map((accountId) => ({ accountId, tokenId })) };
  }
  return {
    accounts: (part.entity ?? []).map(({ id }) => id!),
    holdings: (part.token_account ?? []).map((row) => ({ accountId: row.account_id!, tokenId: row.token_id! })),
  };
}
