// Lists of changed balances, of hbar or of one token.
import type { Context } from '../functions/function.ts';
import { notSupported } from '../functions/unsupported.ts';

/** A changed balance; whether it takes from an allowance. */
export type Adjustment = readonly [address: bigint, amount: bigint, isApproval?: boolean];

/** The one that gives, and those that take; throws NotSupported where several give, or the sum is not 0. */
export function splitAdjustments(
  adjustments: readonly Adjustment[],
  context: Context,
): { giver: Adjustment; takers: readonly Adjustment[]; sum: bigint } {
  const givers = adjustments.filter(([, amount]) => amount < 0n);
  const takers = adjustments.filter(([, amount]) => amount > 0n);
  const sum = takers.reduce((total, [, amount]) => total + amount, 0n);
  const [giver] = givers;
  // Several givers share what is given as the ledger's order of balances says.
  const isPlain = giver !== undefined && givers.length === 1 && giver[1] === -sum;
  const isUnique = new Set(adjustments.map(([address]) => address)).size === adjustments.length;
  if (!isPlain || !isUnique) throw notSupported(context);
  return { giver, takers, sum };
}
