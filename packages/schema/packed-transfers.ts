// The rows of a transaction in crypto_transfer, token_transfer and staking_reward_transfer, as one value of the column
// transaction.packed_transfers: a page of an account's transactions is then read with one index probe a row instead of
// three (half of PostgreSQL's time, measured). The tables remain authoritative; this is a copy of them.
// Format: version, three counts (2 bytes each), then the rows of each in the order in which answers list them; numbers
// are big-endian, ids and amounts 8 bytes, is_approval 1.

import { compareBigints } from '../kit/compare-bigints.ts';

type StoredTransfer = { accountId: bigint; amount: bigint; isApproval: boolean };
type StoredTokenTransfer = { tokenId: bigint; accountId: bigint; amount: bigint; isApproval: boolean };
type StoredReward = { accountId: bigint; amount: bigint };

export type TransfersOfTransaction = {
  /** By account, then amount. */
  transfers: StoredTransfer[];
  /** By token, then account. */
  tokenTransfers: StoredTokenTransfer[];
  /** By account. */
  stakingRewardTransfers: StoredReward[];
};

/**
 * The first byte. `alone`: before the border of a database in the compact form the tables have no rows of this
 * transaction. `beside`: they have them wherever it is.
 */
export const packedVersions = { alone: 1, beside: 2 } as const;

const headBytes = 7;
const transferBytes = 17;
const tokenTransferBytes = 25;
const rewardBytes = 16;

/** null if there are more than the counts can hold: then the tables are read. Sorts its argument. */
export function packTransfers(rows: TransfersOfTransaction): Buffer | null {
  const { transfers, tokenTransfers, stakingRewardTransfers: rewards } = rows;
  sortTransfers(rows);
  if (Math.max(transfers.length, tokenTransfers.length, rewards.length) > 0xffff) return null;
  const rowBytes =
    transfers.length * transferBytes + tokenTransfers.length * tokenTransferBytes + rewards.length * rewardBytes;
  const packed = Buffer.allocUnsafe(headBytes + rowBytes);
  const view = new DataView(packed.buffer, packed.byteOffset, packed.length);
  view.setUint8(0, packedVersions.alone);
  view.setUint16(1, transfers.length);
  view.setUint16(3, tokenTransfers.length);
  view.setUint16(5, rewards.length);
  let position = headBytes;
  for (const { accountId, amount, isApproval } of transfers) {
    view.setBigInt64(position, accountId);
    view.setBigInt64(position + 8, amount);
    view.setUint8(position + 16, isApproval ? 1 : 0);
    position += transferBytes;
  }
  for (const { tokenId, accountId, amount, isApproval } of tokenTransfers) {
    view.setBigInt64(position, tokenId);
    view.setBigInt64(position + 8, accountId);
    view.setBigInt64(position + 16, amount);
    view.setUint8(position + 24, isApproval ? 1 : 0);
    position += tokenTransferBytes;
  }
  for (const { accountId, amount } of rewards) {
    view.setBigInt64(position, accountId);
    view.setBigInt64(position + 8, amount);
    position += rewardBytes;
  }
  return packed;
}

/** Sorts the lists in place, in the order of answers. */
export function sortTransfers({ transfers, tokenTransfers, stakingRewardTransfers }: TransfersOfTransaction): void {
  sort(transfers, byAccountAndAmount);
  sort(tokenTransfers, byTokenAndAccount);
  sort(stakingRewardTransfers, byAccountAndAmount);
}

/**
 * Sorts in place, stable. A transaction has a few rows: insertion sort needs no memory, while the engine's sort made a
 * twentieth of all allocations of an import.
 */
function sort<T>(rows: T[], compareRows: (one: T, other: T) => number): void {
  if (rows.length > maxByInsertion) {
    rows.sort(compareRows);
    return;
  }
  for (let end = 1; end < rows.length; end++) {
    const row = rows[end]!;
    let place = end;
    for (; place > 0 && compareRows(rows[place - 1]!, row) > 0; place--) rows[place] = rows[place - 1]!;
    rows[place] = row;
  }
}

const maxByInsertion = 16;

/** Throws an Error if the bytes are of another version or length. */
export function unpackTransfers(packed: Buffer): TransfersOfTransaction {
  const view = new DataView(packed.buffer, packed.byteOffset, packed.length);
  if (packed.length < headBytes || !isKnownVersion(packed[0]!)) throw unreadable(packed);
  const [transferCount, tokenCount, rewardCount] = [view.getUint16(1), view.getUint16(3), view.getUint16(5)];
  const rowBytes = transferCount * transferBytes + tokenCount * tokenTransferBytes + rewardCount * rewardBytes;
  if (packed.length !== headBytes + rowBytes) throw unreadable(packed);
  let position = headBytes;
  const transfers: StoredTransfer[] = [];
  for (let left = transferCount; left > 0; left--, position += transferBytes) {
    transfers.push({
      accountId: view.getBigInt64(position),
      amount: view.getBigInt64(position + 8),
      isApproval: view.getUint8(position + 16) === 1,
    });
  }
  const tokenTransfers: StoredTokenTransfer[] = [];
  for (let left = tokenCount; left > 0; left--, position += tokenTransferBytes) {
    tokenTransfers.push({
      tokenId: view.getBigInt64(position),
      accountId: view.getBigInt64(position + 8),
      amount: view.getBigInt64(position + 16),
      isApproval: view.getUint8(position + 24) === 1,
    });
  }
  const stakingRewardTransfers: StoredReward[] = [];
  for (let left = rewardCount; left > 0; left--, position += rewardBytes) {
    stakingRewardTransfers.push({ accountId: view.getBigInt64(position), amount: view.getBigInt64(position + 8) });
  }
  return { transfers, tokenTransfers, stakingRewardTransfers };
}

function isKnownVersion(version: number): boolean {
  return version === packedVersions.alone || version === packedVersions.beside;
}

function unreadable(packed: Buffer): Error {
  return new Error(
    `The column packed_transfers of a transaction holds ${packed.length} bytes that this program cannot read ` +
      `(version ${packed[0] ?? 'missing'}, expected ${packedVersions.alone} or ${packedVersions.beside}); set it to null, the tables of transfers then say the same.`,
  );
}

function byAccountAndAmount(one: StoredReward, other: StoredReward): number {
  return compareBigints(one.accountId, other.accountId) || compareBigints(one.amount, other.amount);
}

function byTokenAndAccount(one: StoredTokenTransfer, other: StoredTokenTransfer): number {
  return compareBigints(one.tokenId, other.tokenId) || compareBigints(one.accountId, other.accountId);
}
