// Writes a snapshot of all balances as they stand after a block, as part of that block
// (docs/reference/rest-behaviour.md, Balances). The first snapshot of a month holds every balance, later ones only
// those that changed since; the treasury is in all of them, so that its newest row tells which snapshot to read.
import type pg from 'pg';
import { decodeEntityId } from '../../protocol/hapi/entity-id.ts';
import { inventedTreasuryMemo } from '../schema/invented-treasury.ts';
import type { BulkOperation } from './block-changes.ts';

type Snapshot = Extract<BulkOperation, { operation: 'takeBalanceSnapshot' }>;

export async function writeBalanceSnapshot(client: pg.Client, snapshot: Snapshot, beganLater: boolean): Promise<void> {
  const { timestamp, treasuryId, previousTimestamp, whole, name } = snapshot;
  const { shard, realm, num } = decodeEntityId(treasuryId);
  const treasury = [timestamp, treasuryId, shard, realm, num, beganLater ? null : 0n];
  await client.query({ name: 'ensure-treasury', text: ensureTreasury, values: treasury });
  const values = [timestamp, previousTimestamp ?? 0n, whole];
  const accounts = await client.query({
    name: 'snapshot-accounts',
    text: snapshotAccounts,
    values: [...values, treasuryId],
  });
  await client.query({ name: 'snapshot-tokens', text: snapshotTokens, values });
  await client.query({
    name: 'snapshot-file',
    text: `insert into account_balance_file (consensus_timestamp, count, name, synthetic) values ($1, $2, $3, true)`,
    values: [timestamp, accounts.rowCount ?? 0, name],
  });
}

/** A ledger that is mirrored from its middle does not know it. */
const ensureTreasury = `insert into entity
  (id, shard, realm, num, type, memo, balance, balance_timestamp, timestamp_range)
values ($2, $3, $4, $5, 'ACCOUNT', '${inventedTreasuryMemo}', $6, $1, int8range($1, null))
on conflict (id) do nothing`;

const snapshotAccounts = `insert into account_balance (account_id, balance, consensus_timestamp)
select id, coalesce(balance, 0), $1::int8 from entity
where id = $4 or (balance is not null and (balance_timestamp > $2 or ($3 and deleted is not true)))
order by id`;

const snapshotTokens = `insert into token_balance (account_id, balance, consensus_timestamp, token_id)
select account_id, balance, $1::int8, token_id from token_account
where balance_timestamp > $2 or ($3 and associated)
order by account_id, token_id`;
