// The accounts and files that every network has under the same numbers, each in its own shard and realm. Their ids are made
// here and nowhere else.
import { decodeEntityId, encodeEntityId } from './entity-id.ts';

/** Shard and realm of all entities of a network. */
export type SystemRealm = { shard: bigint; realm: bigint };

export const systemEntityNums = {
  /** Holds what hbar is not released. */
  treasury: 2n,
  /** Gets the fees of the network. */
  feeCollection: 98n,
  /** Pays the rewards of staking. */
  stakingRewards: 800n,
  /** The address book that clients are given. */
  addressBook: 101n,
  /** The address book with the keys that nodes sign the stream with. */
  nodeDetails: 102n,
  feeSchedules: 111n,
  exchangeRates: 112n,
  /** Fees that transactions alone decide (HIP-1261). */
  simpleFees: 113n,
} as const satisfies Record<string, bigint>;

export type SystemEntity = keyof typeof systemEntityNums;

/** Packed id. */
export function systemEntityId(entity: SystemEntity, realm: SystemRealm): bigint {
  return inRealm(systemEntityNums[entity], realm);
}

/** Packed id of the entity of that number. */
export function inRealm(num: bigint, { shard, realm }: SystemRealm): bigint {
  return encodeEntityId(shard, realm, num);
}

/** Where the entity of this packed id is. */
export function realmOf(id: bigint): SystemRealm {
  const { shard, realm } = decodeEntityId(id);
  return { shard, realm };
}

/** Of all public networks; where nothing says otherwise. */
export const usualRealm: SystemRealm = { shard: 0n, realm: 0n };

export function isSameRealm(one: SystemRealm, other: SystemRealm): boolean {
  return one.shard === other.shard && one.realm === other.realm;
}

export function describeRealm({ shard, realm }: SystemRealm): string {
  return `shard ${shard}, realm ${realm}`;
}
