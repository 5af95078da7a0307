// What one account got and gave in a transaction.
import type { LedgerTransaction } from '../../ledger/transactions/transaction.ts';

type TokenMovement = { tokenId: bigint; amount: bigint };

/** Serial numbers; -1 stands for all NFTs of the token that the other side had. */
export type NftMovement = { tokenId: bigint; got: bigint[]; gave: bigint[] };

export type AccountMovements = {
  /** Tinybar; with the fee, if the account paid it. */
  hbar: bigint;
  /** Tinybar; the part of it that is a reward of staking. */
  reward: bigint;
  /** By token, without those that came and went alike. */
  tokens: TokenMovement[];
  nfts: NftMovement[];
};

export function movementsOf(transaction: LedgerTransaction, accountId: bigint): AccountMovements {
  const { transfers, tokenTransfers, nftTransfers, stakingRewardTransfers } = transaction;
  let hbar = 0n;
  for (const transfer of transfers) if (transfer.accountId === accountId) hbar += transfer.amount;
  let reward = 0n;
  for (const paid of stakingRewardTransfers) if (paid.accountId === accountId) reward += paid.amount;
  const tokens = new Map<bigint, bigint>();
  for (const transfer of tokenTransfers) {
    if (transfer.accountId !== accountId) continue;
    tokens.set(transfer.tokenId, (tokens.get(transfer.tokenId) ?? 0n) + transfer.amount);
  }
  const nfts = new Map<bigint, NftMovement>();
  for (const { tokenId, serialNumber, receiverAccountId, senderAccountId } of nftTransfers) {
    if (receiverAccountId === senderAccountId) continue;
    const side = receiverAccountId === accountId ? 'got' : senderAccountId === accountId ? 'gave' : null;
    if (side === null) continue;
    const movement = nfts.get(tokenId) ?? { tokenId, got: [], gave: [] };
    movement[side].push(serialNumber);
    nfts.set(tokenId, movement);
  }
  return {
    hbar,
    reward,
    tokens: [...tokens].filter(([, amount]) => amount !== 0n).map(([tokenId, amount]) => ({ tokenId, amount })),
    nfts: [...nfts.values()],
  };
}

/** Of all tokens that were moved. */
export function tokenIdsOf({ tokens, nfts }: AccountMovements): bigint[] {
  return [...tokens, ...nfts].map(({ tokenId }) => tokenId);
}
