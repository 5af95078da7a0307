// What transactions cost and who gets it. Prices are rounded ones of the public price list; their use here is that every
// transaction moves fees the way real ones do: node, network (0.0.98), staking rewards (0.0.800), node rewards (0.0.801).
import type { BodyKind } from './execution.ts';

export const feeCollector = 98n;
export const stakingRewards = 800n;
export const nodeRewards = 801n;

/** hbar per cent: 30,000 hbar = 285,576 cents. */
export const exchangeRate = { hbarEquiv: 30_000, centEquiv: 285_576 };
/** Thousandths of a tinycent, as the fee schedule has it. */
export const gasPriceInSchedule = 852_000n;
/** 89 */
export const gasPriceTinybar =
  (gasPriceInSchedule * BigInt(exchangeRate.hbarEquiv)) / (BigInt(exchangeRate.centEquiv) * 1000n);

/** Thousandths of a cent (= 100,000 tinycent each); kinds not listed cost the default. */
const priceInThousandthCents: Partial<Record<BodyKind, bigint>> = {
  cryptoTransfer: 10n,
  consensusSubmitMessage: 80n,
  cryptoCreateAccount: 5000n,
  tokenCreation: 100_000n,
  contractCreateInstance: 10_000n,
  contractCall: 0n,
  ethereumTransaction: 10n,
  tokenMint: 2000n,
  fileCreate: 5000n,
  fileAppend: 5000n,
  fileUpdate: 5000n,
  scheduleCreate: 1000n,
  consensusCreateTopic: 1000n,
  tokenAirdrop: 10_000n,
};
const defaultPrice = 100n;

/** The fee in tinybar, gas not included. */
export function feeOf(kind: BodyKind): bigint {
  const thousandthCents = priceInThousandthCents[kind] ?? defaultPrice;
  return (thousandthCents * 100_000n * BigInt(exchangeRate.hbarEquiv)) / BigInt(exchangeRate.centEquiv);
}

/** How a fee is shared. The shares sum to the fee exactly. */
export function feeShares(fee: bigint, nodeAccount: bigint | null): { account: bigint; amount: bigint }[] {
  const node = nodeAccount === null ? 0n : fee / 20n;
  const rewards = fee / 10n;
  return [
    { account: nodeAccount ?? feeCollector, amount: node },
    { account: feeCollector, amount: fee - node - 2n * rewards },
    { account: stakingRewards, amount: rewards },
    { account: nodeRewards, amount: rewards },
  ].filter(({ amount }) => amount > 0n);
}
