// Transactions by payer and time, with their transfers, in a distributed database: the payer selects the machine.

import type { Database } from '../../postgres/wire/database.ts';
import { unpackTransfers } from '../../schema/packed-transfers.ts';
import { findOf } from './distributed/look-up.ts';
import { parseExactJson } from './parse-exact-json.ts';
import { columnsOfTransaction, type TransactionRow } from './select-transaction-page.ts';
import { columns, type RowOf, selectQuery } from './statement/columns.ts';

/** `payer_account_id`: null if unknown. */
export type TransactionKey = { consensusTimestamp: bigint; payerAccountId: bigint | null };

type Stored = RowOf<typeof columnsOfTransaction>;

export async function selectTransactionRows(
  db: Database,
  keys: readonly TransactionKey[],
  options: { order: 'asc' | 'desc'; rewardAccountId: bigint },
): Promise<TransactionRow[]> {
  if (keys.length === 0) return [];
  const payers = new Set(keys.map(({ payerAccountId }) => payerAccountId));
  const isEachKnown = !payers.has(null);
  const times = keys.map(({ consensusTimestamp }) => consensusTimestamp);
  const query = selectQuery({
    name: 'select-transaction-rows',
    shape: `${options.order}${isEachKnown ? 'p' : ''}`,
    select: columnsOfTransaction,
    from: `from transaction
where consensus_timestamp = any($1::int8[])${isEachKnown ? ' and payer_account_id = any($2::int8[])' : ''}
order by consensus_timestamp ${options.order}`,
    values: isEachKnown ? [times, [...payers]] : [times],
  });
  return withTransfers(db, await db.query(query), options.rewardAccountId);
}

/** The packed transfers, else the rows of the tables of transfers. */
export async function withTransfers(
  db: Database,
  rows: readonly Stored[],
  rewardAccountId: bigint,
): Promise<TransactionRow[]> {
  const unpacked = rows.filter((row) => row.packedTransfers === null);
  const keys = [
    ['payer_account_id', (row: Stored) => row.payerAccountId],
    ['consensus_timestamp', (row: Stored) => row.consensusTimestamp],
  ] as const;
  const [hbarOf, tokensOf] = await Promise.all([
    findOf(db, unpacked, {
      name: 'find-hbar-transfers',
      table: 'crypto_transfer',
      select: hbarTransfer,
      keys,
      order: ' order by entity_id, amount',
    }),
    findOf(db, unpacked, {
      name: 'find-token-transfers',
      table: 'token_transfer',
      select: tokenTransfer,
      keys,
      order: ' order by token_id, account_id',
    }),
  ]);
  const rewarded = unpacked.filter((row) => hbarOf(row).some(({ accountId }) => accountId === rewardAccountId));
  const rewardsOf = await findOf(db, rewarded, {
    name: 'find-rewards',
    table: 'staking_reward_transfer',
    select: reward,
    keys: [keys[1]],
    order: ' order by account_id',
  });
  return rows.map((row) => {
    const transfers =
      row.packedTransfers === null
        ? {
            transfers: hbarOf(row).map(toTransfer),
            tokenTransfers: tokensOf(row).map(toTransfer),
            stakingRewardTransfers: rewardsOf(row),
          }
        : unpackTransfers(row.packedTransfers);
    return Object.assign(row, transfers, { nftTransfer: parseExactJson(row.nftTransfer) });
  });
}

function toTransfer<Row extends { isApproval: boolean | null }>(row: Row): Row & { isApproval: boolean } {
  return { ...row, isApproval: row.isApproval === true };
}

const hbarTransfer = columns('crypto_transfer', {
  accountId: 'entity_id',
  amount: 'amount',
  isApproval: 'is_approval',
});
const tokenTransfer = columns('token_transfer', {
  tokenId: 'token_id',
  accountId: 'account_id',
  amount: 'amount',
  isApproval: 'is_approval',
});
const reward = columns('staking_reward_transfer', { accountId: 'account_id', amount: 'amount' });
