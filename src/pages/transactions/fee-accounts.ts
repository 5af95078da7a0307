// The accounts that fees of the network go to: since HIP-1259 the fee collection account, which shares them out once a
// day; before, each of the others with every transaction.
import { inRealm, type SystemRealm } from '../../../packages/protocol/hapi/system-entity.ts';

const names: Readonly<Record<string, string>> = {
  98: 'network fees',
  800: 'staking rewards',
  801: 'node rewards',
  802: 'fee collection',
};

const kept = new WeakMap<SystemRealm, ReadonlyMap<bigint, string>>();

/** What the network uses each account for, by packed id. */
export function feeAccounts(system: SystemRealm): ReadonlyMap<bigint, string> {
  const known = kept.get(system);
  if (known) return known;
  const named = new Map(Object.entries(names).map(([num, name]) => [inRealm(BigInt(num), system), name]));
  kept.set(system, named);
  return named;
}
