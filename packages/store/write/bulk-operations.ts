// Changes of many rows at once that only the database can enumerate. Each changed NFT gets a history version.
import type pg from 'pg';
import { quoteNames } from '../../schema/sql-names.ts';
import { tables } from '../../schema/tables.ts';
import type { BulkOperation } from './block-changes.ts';
import { completeBlockHistory } from './complete-block-history.ts';
import type { ScanOperation } from './scan.ts';

/** Operations that belong to the block's transaction; others are scans (scans/ledger-scans.ts). */
export async function runBulkOperation(
  client: pg.Client,
  operation: Exclude<BulkOperation, ScanOperation>,
): Promise<void> {
  if (operation.operation === 'rememberRealm') {
    const { shard, realm } = operation.system;
    await client.query({ name: 'remember-realm', text: rememberRealm, values: [shard, realm] });
  } else if (operation.operation === 'settleBlockRoot') {
    const { timestamp, hash, isNewer } = operation;
    await client.query({ name: 'set-block-root', text: setBlockRoot, values: [timestamp, hash] });
    if (isNewer) await client.query({ name: 'drop-root-forms', text: dropRootForms, values: [timestamp] });
  } else if (operation.operation === 'coverEarlierBlocks') {
    const { kind, rests_on, weight, total_weight, rotations, attestation, key_named_by } = operation.cover;
    const values = [operation.timestamp, kind, rests_on, weight, total_weight, rotations, attestation, key_named_by];
    await client.query({ name: 'cover-earlier-blocks', text: coverEarlier, values });
  } else if (operation.operation === 'completeBlockHistory') {
    await completeBlockHistory(client, operation.blocks);
  } else if (operation.operation === 'moveNfts') {
    const { tokenId, fromAccountId, toAccountId, timestamp } = operation;
    await client.query({ name: 'move-nfts', text: moveNfts, values: [tokenId, fromAccountId, timestamp, toAccountId] });
  } else {
    const { tokenId, accountId, timestamp } = operation;
    await client.query({ name: 'delete-nfts', text: deleteNfts, values: [tokenId, accountId, timestamp] });
  }
}

/**
 * Adds deleted NFTs to the transfers of the dissociation's transaction. Its row comes after the operation: run this
 * when all rows of the block are stored.
 */
export async function describeDeletedNfts(client: pg.Client, operation: BulkOperation): Promise<void> {
  if (operation.operation !== 'deleteNftsOfAccount') return;
  const { tokenId, accountId, timestamp } = operation;
  await client.query({ name: 'describe-deleted-nfts', text: describeDeleted, values: [tokenId, accountId, timestamp] });
}

const nftColumns = Object.keys(tables.nft.columns);
const endedColumns = nftColumns.map((column) =>
  column === 'timestamp_range' ? 'int8range(lower(timestamp_range), $3)' : column,
);

const rememberRealm = `insert into mirrored_network (id, shard, realm) values (1, $1, $2)
on conflict (id) do update set shard = coalesce(mirrored_network.shard, excluded.shard),
  realm = coalesce(mirrored_network.realm, excluded.realm)`;

const setBlockRoot = 'update record_file set hash = $2 where consensus_end = $1';
const dropRootForms = 'delete from block_root_forms where consensus_end = $1';

const livingNftsOfAccount = 'token_id = $1 and account_id = $2 and deleted is not true';

const coverEarlier = `update block_verification
set kind = $2, rests_on = $3, weight = $4, total_weight = $5, rotations = $6, attestation = $7,
  key_named_by = $8
where consensus_end < $1 and (rests_on is null or attestation = 'unproved' and $7 <> 'unproved')`;

const keepHistory = `kept as (
  insert into nft_history (${quoteNames(nftColumns)}) select ${endedColumns.join(', ')} from nft
  where ${livingNftsOfAccount} and lower(timestamp_range) <> $3)`;

const moveNfts = `with ${keepHistory},
moved as (
  update nft set account_id = $4, spender = null, delegating_spender = null, timestamp_range = int8range($3, null)
  where ${livingNftsOfAccount} returning 1)
update token_account set balance_timestamp = $3,
  balance = balance + (select count(*) from moved) * case account_id when $4 then 1 else -1 end
where token_id = $1 and account_id in ($2, $4) and $2 <> $4`;

const deleteNfts = `with ${keepHistory}
update nft set account_id = null, deleted = true, spender = null, delegating_spender = null,
  timestamp_range = int8range($3, null)
where ${livingNftsOfAccount}`;

const describeDeleted = `update transaction set nft_transfer = (
  select jsonb_agg(jsonb_build_object('is_approval', false, 'receiver_account_id', null, 'sender_account_id', $2::int8,
    'serial_number', n.serial_number, 'token_id', n.token_id) order by n.serial_number)
  from nft n join nft_history h on h.token_id = n.token_id and h.serial_number = n.serial_number
    and upper(h.timestamp_range) = $3 and h.account_id = $2
  where n.token_id = $1 and n.deleted and lower(n.timestamp_range) = $3)
where consensus_timestamp = $3`;
