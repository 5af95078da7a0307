// What a transaction moved, told apart by its reason: what was sent, the fee of the network, staking rewards. The ledger lists
// only what each account gained or lost in total.

import type { LedgerTransaction } from '../../../ledger/transactions/transaction.ts';
import type { SystemRealm } from '../../../protocol/hapi/system-entity.ts';
import { systemEntityId } from '../../../protocol/hapi/system-entity.ts';
import { feeAccounts } from './fee-accounts.ts';

/** `accountId`: null = nobody: what was made or destroyed. */
export type Mover = { accountId: bigint | null; amount: bigint };
export type Serials = { from: bigint | null; to: bigint | null; serialNumbers: bigint[] };

export type Movement = {
  givers: Mover[];
  receivers: Mover[];
} & (
  | { kind: 'hbar' | 'reward' | 'fee' }
  | { kind: 'token'; tokenId: bigint }
  /** `amount` of a mover: of NFTs. */
  | { kind: 'nft'; tokenId: bigint; serials: Serials[] }
);

export type Moved = {
  /** In this order: hbar, tokens, NFTs, rewards, the fee. */
  movements: Movement[];
  /** Whether the fee could be told from other hbar; otherwise it is in the movement of hbar. */
  isFeeKnown: boolean;
};

type Source = Pick<
  LedgerTransaction,
  | 'chargedTxFee'
  | 'nftTransfers'
  | 'nodeAccountId'
  | 'payerAccountId'
  | 'stakingRewardTransfers'
  | 'tokenTransfers'
  | 'transfers'
>;

export function toMovements(transaction: Source, system: SystemRealm): Moved {
  const hbar = new Map<bigint, bigint>();
  for (const { accountId, amount } of transaction.transfers) add(hbar, accountId, amount);
  const reward = takeRewards(hbar, transaction, system);
  const fee = takeFee(hbar, transaction, system);
  const found: Movement[] = [
    { kind: 'hbar', ...toSides(hbar) },
    ...ofTokens(transaction),
    ...ofNfts(transaction),
    ...(reward ? [{ kind: 'reward' as const, ...toSides(reward) }] : []),
    ...(fee ? [{ kind: 'fee' as const, ...toSides(fee) }] : []),
  ];
  const movements = found.filter(({ givers, receivers }) => givers.length + receivers.length > 0);
  return { movements, isFeeKnown: fee !== null || !transaction.chargedTxFee };
}

function add(amounts: Map<bigint, bigint>, accountId: bigint, amount: bigint): void {
  amounts.set(accountId, (amounts.get(accountId) ?? 0n) + amount);
}

/** Rewards come out of one account. `hbar` loses them. */
function takeRewards(hbar: Map<bigint, bigint>, { stakingRewardTransfers }: Source, system: SystemRealm) {
  if (stakingRewardTransfers.length === 0) return null;
  const reward = new Map<bigint, bigint>();
  for (const { accountId, amount } of stakingRewardTransfers) {
    add(reward, accountId, amount);
    add(reward, systemEntityId('stakingRewards', system), -amount);
  }
  for (const [accountId, amount] of reward) add(hbar, accountId, -amount);
  return reward;
}

/**
 * The fee, if the accounts that fees go to have received exactly that much, and the payer has paid it. null otherwise: somebody
 * has sent them hbar as well, or shares the fee, as the sender of an Ethereum transaction does. `hbar` loses it.
 */
function takeFee(hbar: Map<bigint, bigint>, transaction: Source, system: SystemRealm): Map<bigint, bigint> | null {
  const { chargedTxFee, nodeAccountId, payerAccountId } = transaction;
  if (!chargedTxFee || chargedTxFee < 0n) return null;
  const collectors = new Set(feeAccounts(system).keys());
  if (nodeAccountId !== null) collectors.add(nodeAccountId);
  collectors.delete(payerAccountId);
  const fee = new Map([...hbar].filter(([accountId, amount]) => collectors.has(accountId) && amount > 0n));
  const collected = [...fee.values()].reduce((sum, amount) => sum + amount, 0n);
  const left = (hbar.get(payerAccountId) ?? 0n) + chargedTxFee;
  const isPayersOwn = left <= 0n || (hbar.get(payerAccountId) ?? 0n) > 0n;
  if (collected !== chargedTxFee || !isPayersOwn) return null;
  add(fee, payerAccountId, -chargedTxFee);
  for (const [accountId, amount] of fee) add(hbar, accountId, -amount);
  return fee;
}

function ofTokens({ tokenTransfers }: Source): Movement[] {
  const byToken = Map.groupBy(tokenTransfers, ({ tokenId }) => tokenId);
  return [...byToken].map(([tokenId, transfers]) => {
    const amounts = new Map<bigint, bigint>();
    for (const { accountId, amount } of transfers) add(amounts, accountId, amount);
    return { kind: 'token', tokenId, ...toSides(amounts) };
  });
}

function ofNfts({ nftTransfers }: Source): Movement[] {
  const byToken = Map.groupBy(nftTransfers, ({ tokenId }) => tokenId);
  return [...byToken].map(([tokenId, transfers]) => {
    const pairs = Map.groupBy(transfers, ({ senderAccountId: from, receiverAccountId: to }) => `${from} ${to}`);
    const serials = [...pairs.values()].map((pair) => ({
      from: pair[0]!.senderAccountId,
      to: pair[0]!.receiverAccountId,
      serialNumbers: pair.map(({ serialNumber }) => serialNumber),
    }));
    const count = (side: 'from' | 'to'): Mover[] => {
      const sides = Map.groupBy(serials, (pair) => pair[side]);
      return [...sides].map(([accountId, pairsOfSide]) => ({
        accountId,
        amount: BigInt(pairsOfSide.reduce((sum, { serialNumbers }) => sum + serialNumbers.length, 0)),
      }));
    };
    return { kind: 'nft', tokenId, serials, givers: count('from'), receivers: count('to') };
  });
}

/** What comes from nobody was made, what goes to nobody was destroyed. */
function toSides(amounts: ReadonlyMap<bigint, bigint>): { givers: Mover[]; receivers: Mover[] } {
  const movers = [...amounts].map(([accountId, amount]): Mover => ({ accountId, amount }));
  const sum = movers.reduce((total, { amount }) => total + amount, 0n);
  if (sum !== 0n) movers.push({ accountId: null, amount: -sum });
  return {
    givers: movers.filter(({ amount }) => amount < 0n).map((mover) => ({ ...mover, amount: -mover.amount })),
    receivers: movers.filter(({ amount }) => amount > 0n),
  };
}
