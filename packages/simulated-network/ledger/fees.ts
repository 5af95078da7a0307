// Receivers of a fee: node, network (0.0.98), staking rewards (0.0.800), node rewards (0.0.801), in real proportions.

export const feeCollector = 98n;
export const stakingRewards = 800n;
export const nodeRewards = 801n;

/** The shares of a fee; their sum is the fee. */
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
