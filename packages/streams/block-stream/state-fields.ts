// The fields of state values that results are made of, and how many fields each kind of value has.
import { wireBytes, wireVarint } from '../../protocol/wire-fields.ts';
import type { ValueKind } from './block-messages.ts';

export type StateField = { number: number; wireType: typeof wireBytes | typeof wireVarint };

export const stateFields = {
  token: {
    totalSupply: { number: 5, wireType: wireVarint },
    lastSerial: { number: 14, wireType: wireVarint },
  },
  topic: {
    sequenceNumber: { number: 2, wireType: wireVarint },
    runningHash: { number: 7, wireType: wireBytes },
  },
  account: {
    alias: { number: 2, wireType: wireBytes },
    ethereumNonce: { number: 23, wireType: wireVarint },
  },
  bytecode: { code: { number: 1, wireType: wireBytes } },
  slotValue: { value: { number: 1, wireType: wireBytes } },
  /** A message with the amount; absent for an NFT. */
  accountPendingAirdrop: { pendingAirdropValue: { number: 1, wireType: wireBytes } },
} as const satisfies Partial<Record<ValueKind, Record<string, StateField>>>;

/**
 * Numbers of the fields run from 1 to this, as of HAPI 0.79. What nodes exchange for the network's signature has other
 * fields with each version of its library: the numbers of those values are not checked.
 */
export const fieldCounts: Readonly<Partial<Record<ValueKind, number>>> = {
  account: 39,
  accountId: 4,
  accountPendingAirdrop: 3,
  bytecode: 1,
  evmHookState: 9,
  file: 7,
  nft: 7,
  node: 13,
  registeredNode: 4,
  roster: 1,
  schedule: 15,
  scheduledCounts: 2,
  scheduleId: 3,
  scheduleList: 1,
  slotValue: 3,
  stakingNodeInfo: 12,
  token: 28,
  tokenRelation: 8,
  topic: 13,
};

/** Fields of one value of which at most one may be set. */
export const alternativeFields: Readonly<Partial<Record<ValueKind, readonly number[]>>> = {
  /** staked_account_id, staked_node_id */
  account: [10, 11],
};
