// Who may sign, with which key, and with how much of the network's stake. A file counts as the network's if the stake
// behind it is at least the required ratio, by default one third, in exact integers.
import type { KeyObject } from 'node:crypto';
import {
  type AddressBook,
  type AddressBookNode,
  hasPublicKey,
  toPublicKey,
} from '../../../packages/protocol/hapi/address-book.ts';
import type { StreamFileGroup, StreamNode } from '../../../packages/sources/stream-source.ts';
import { type ConsensusRatio, oneThird, requiredStake } from './consensus-ratio.ts';

export type Signer = {
  nodeId: bigint;
  accountId: bigint;
  stake: bigint;
  publicKey(): KeyObject;
};

export type Signers = {
  /** null for nodes that are not in the address book, or have no readable key there. */
  find(node: StreamNode): Signer | null;
  /** Nodes in the address book that have a readable key. */
  count: number;
  totalStake: bigint;
  requiredStake: bigint;
  /** Whether signature files of enough stake exist; whether they are valid shows when they are read. */
  isEnough(group: StreamFileGroup): boolean;
};

/**
 * `stakes` by node id; each node weighs 1 without stakes (null), or if no node has any, as on development networks.
 * Nodes without a readable key are left out with their stake: no node can sign for them.
 */
export function createSigners(
  addressBook: AddressBook,
  stakes: ReadonlyMap<bigint, bigint> | null,
  ratio: ConsensusRatio = oneThird,
): Signers {
  const nodes = addressBook.nodes.filter(hasPublicKey);
  const staked = stakes !== null && addressBook.nodes.some(({ nodeId }) => (stakes.get(nodeId) ?? 0n) > 0n);
  const signers = nodes.map((node) => createSigner(node, staked ? (stakes.get(node.nodeId) ?? 0n) : 1n));
  const byAccountId = new Map(signers.map((signer) => [signer.accountId, signer]));
  const byNodeId = new Map(signers.map((signer) => [signer.nodeId, signer]));
  const totalStake = signers.reduce((sum, signer) => sum + signer.stake, 0n);
  // Where no node can sign, nothing is signed.
  const required = totalStake === 0n ? 1n : requiredStake(totalStake, ratio);

  function find(node: StreamNode): Signer | null {
    const signer = node.accountId === null ? byNodeId.get(node.nodeId ?? -1n) : byAccountId.get(node.accountId);
    return signer ?? null;
  }

  return {
    find,
    count: signers.length,
    totalStake,
    requiredStake: required,
    isEnough(group) {
      const present = group.copies.filter((copy) => copy.signatureName !== null).map((copy) => find(copy.node));
      return sumStake(present) >= required;
    },
  };
}

/** Stake of these signers, each counted once. */
export function sumStake(signers: Iterable<Signer | null>): bigint {
  let sum = 0n;
  for (const signer of new Set(signers)) sum += signer?.stake ?? 0n;
  return sum;
}

function createSigner(node: AddressBookNode, stake: bigint): Signer {
  let key: KeyObject | null = null;
  return {
    nodeId: node.nodeId,
    accountId: node.accountId,
    stake,
    publicKey() {
      key ??= toPublicKey(node);
      return key;
    },
  };
}
