// How much of the stake must have signed a file before it counts as the network's: an exact share of the whole.

export type ConsensusRatio = { numerator: bigint; denominator: bigint };

/** The network's own rule: at least one honest node among the signers. */
export const oneThird: ConsensusRatio = { numerator: 1n, denominator: 3n };

/** The least stake that is at least this share of the whole. */
export function requiredStake(totalStake: bigint, { numerator, denominator }: ConsensusRatio): bigint {
  return (totalStake * numerator + denominator - 1n) / denominator;
}

/** `1/3`, `0.5` or `1` → ratio; null if invalid, or not above 0 and at most 1. */
export function parseConsensusRatio(text: string): ConsensusRatio | null {
  const fraction = /^(\d{1,9})\/(\d{1,9})$/.exec(text);
  const decimal = /^(\d)(?:\.(\d{1,40}))?$/.exec(text);
  const digits = decimal?.[2] ?? '';
  const numerator = BigInt(fraction?.[1] ?? (decimal ? decimal[1] + digits : 0));
  const denominator = BigInt(fraction?.[2] ?? 10n ** BigInt(digits.length));
  return numerator > 0n && numerator <= denominator ? { numerator, denominator } : null;
}
