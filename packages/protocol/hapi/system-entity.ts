// The accounts and files that every network has under the same numbers, each in its own shard and realm. Their ids are
// made only here.
import { decodeEntityId, encodeEntityId } from './entity-id.ts';

/** Shard and realm of all entities of a network. */
export type SystemRealm = { shard: bigint; realm: bigint };

export const systemEntityNums = {
  /** Holds unreleased hbar. */
  treasury: 2n,
  /** Receives the fees of the network. */
  feeCollection: 98n,
  /** Pays staking rewards. */
  stakingRewards: 800n,
  /** Pays rewards to nodes, out of a part of the fees. */
  nodeRewards: 801n,
  /** The address book for clients. */
  addressBook: 101n,
  /** The address book with the keys that nodes sign the stream with. */
  nodeDetails: 102n,
  feeSchedules: 111n,
  exchangeRates: 112n,
  /** Fees that depend on transactions alone (HIP-1261). */
  simpleFees: 113n,
} as const satisfies Record<string, bigint>;

export type SystemEntity = keyof typeof systemEntityNums;

/** Number of the contract under which hooks run (HIP-1195). */
const hookContractNum = 365n;

/** `contractId`: packed. */
export function isHookContract(contractId: bigint): boolean {
  return decodeEntityId(contractId).num === hookContractNum;
}

/** Packed id. */
export function systemEntityId(entity: SystemEntity, realm: SystemRealm): bigint {
  return inRealm(systemEntityNums[entity], realm);
}

/** Packed id of the entity of that number. */
export function inRealm(num: bigint, { shard, realm }: SystemRealm): bigint {
  return encodeEntityId(shard, realm, num);
}

/** Shard and realm of this packed id. */
export function realmOf(id: bigint): SystemRealm {
  const { shard, realm } = decodeEntityId(id);
  return { shard, realm };
}

/** Of all public networks; the default. */
export const usualRealm: SystemRealm = { shard: 0n, realm: 0n };

export function isSameRealm(one: SystemRealm, other: SystemRealm): boolean {
  return one.shard === other.shard && one.realm === other.realm;
}

export function describeRealm({ shard, realm }: SystemRealm): string {
  return `shard ${shard}, realm ${realm}`;
}
