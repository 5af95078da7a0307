// A staking period: the day after the end of the one before.
import type { Kind } from '../../api/values/kind.ts';
import { timestamp } from '../../api/values/kinds.ts';
import { members, value } from '../../api/values/members.ts';

const day = 86_400_000_000_000n;

/** From the last nanosecond before it. */
export const stakingPeriod: Kind<bigint> = members({
  from: value(timestamp, (before: bigint) => before + 1n),
  to: value(timestamp, (before: bigint) => before + 1n + day),
});
