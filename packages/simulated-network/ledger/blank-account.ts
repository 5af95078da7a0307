// An account with the defaults of its creation.
import type { Account } from './ledger.ts';

/** Serialized Key of a hollow account: an empty key list. */
export const emptyKeyList: Uint8Array = Uint8Array.of(0x32, 0x00);

export function blankAccount(id: bigint, now: bigint): Account {
  return {
    id,
    isContract: false,
    balance: 0n,
    key: emptyKeyList,
    alias: null,
    evmAddress: null,
    ethereumNonce: 0n,
    deleted: false,
    maxAutomaticAssociations: 0,
    usedAutomaticAssociations: 0,
    receiverSigRequired: false,
    stakedNodeId: null,
    stakedAccountId: null,
    declineReward: false,
    rewardedUntil: now,
    code: null,
    expiration: null,
  };
}
