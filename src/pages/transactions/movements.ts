// What a transaction moved, separated by its reason: what was sent, the fee of the network, staking rewards. The
// ledger lists only what each account gained or lost in total.

import type { SystemRealm } from '../../../packages/protocol/hapi/system-entity.ts';
import { systemEntityId } from '../../../packages/protocol/hapi/system-entity.ts';
import type { LedgerTransaction } from '../../ledger/transactions/transaction.ts';
import { feeAccounts } from './fee-accounts.ts';

/** `accountId`: null = no account: what was made or destroyed. */
export type Mover = { accountId: bigint | null; amount: bigint };
type Serials = { from: bigint | null; to: bigint | null; serialNumbers: bigint[] };

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
  /** Whether the fee could be separated from other hbar; otherwise it is in the movement of hbar. */
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

/** `senderAccountId`: of an Ethereum transaction, whose gas the sender pays; null or absent = no account shares the fee. */
export function toMovements(transaction: Source & { senderAccountId?: bigint | null }, system: SystemRealm): Moved {
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

type Charged = Parameters<typeof toMovements>[0];

/**
 * The fee, if the accounts that fees go to have received exactly that much, and payer and sender have paid it. null
 * otherwise: an account has sent them hbar as well. `hbar` loses it.
 */
function takeFee(hbar: Map<bigint, bigint>, transaction: Charged, system: SystemRealm): Map<bigint, bigint> | null {
  const { chargedTxFee, nodeAccountId, payerAccountId } = transaction;
  if (!chargedTxFee || chargedTxFee < 0n) return null;
  const collectors = feeAccounts(system);
  const fee = new Map<bigint, bigint>();
  let collected = 0n;
  for (const [accountId, amount] of hbar) {
    const isCollector = accountId === nodeAccountId || collectors.has(accountId);
    if (!isCollector || accountId === payerAccountId || amount <= 0n) continue;
    fee.set(accountId, amount);
    collected += amount;
  }
  const shares = collected === chargedTxFee ? sharesOf(hbar, transaction, chargedTxFee) : null;
  if (shares === null) return null;
  for (const [accountId, amount] of shares) add(fee, accountId, -amount);
  for (const [accountId, amount] of fee) add(hbar, accountId, -amount);
  return fee;
}

/** Who paid how much of it; null = that cannot be determined. */
function sharesOf(
  hbar: Map<bigint, bigint>,
  { payerAccountId, senderAccountId = null }: Charged,
  chargedTxFee: bigint,
) {
  const ofPayer = hbar.get(payerAccountId) ?? 0n;
  const left = ofPayer + chargedTxFee;
  // Who got more than the fee got it from others.
  if (left <= 0n || ofPayer > 0n) return [[payerAccountId, chargedTxFee] as const];
  if (senderAccountId === null || (hbar.get(senderAccountId) ?? 0n) > -left) return null;
  return [[payerAccountId, -ofPayer] as const, [senderAccountId, left] as const];
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

/** What comes from no account was made, what goes to no account was destroyed. */
function toSides(amounts: ReadonlyMap<bigint, bigint>): { givers: Mover[]; receivers: Mover[] } {
  const givers: Mover[] = [];
  const receivers: Mover[] = [];
  let sum = 0n;
  for (const [accountId, amount] of amounts) {
    sum += amount;
    if (amount < 0n) givers.push({ accountId, amount: -amount });
    else if (amount > 0n) receivers.push({ accountId, amount });
  }
  if (sum > 0n) givers.push({ accountId: null, amount: sum });
  else if (sum < 0n) receivers.push({ accountId: null, amount: -sum });
  return { givers, receivers };
}
