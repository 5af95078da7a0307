// What the machine asks about the ledger. Answers come at once, from memory: `undefined` says that the caller has to
// fetch the fact. The machine notes it, goes on as if there was nothing, so that it finds more of what it will need,
// and its result is then the list of what to fetch before it runs again.

import type { FactKey, FactOf } from './ledger-facts.ts';

export type AccountKind = 'account' | 'contract' | 'token' | 'schedule';

export type AccountFacts = {
  /** Number of the entity. */
  readonly num: bigint;
  /** The EVM address, or the long-zero one where there is no other. */
  readonly address: bigint;
  readonly kind: AccountKind;
  /** tinybar */
  readonly balance: bigint;
  readonly nonce: bigint;
  /** Of a contract, or the delegation of an account. The same object for the same code, so that it is analysed once. */
  readonly code: Uint8Array;
  readonly needsReceiverSignature?: boolean;
};

export type StateReader = {
  /** By either of its addresses. null: there is no such entity, or it is deleted. */
  account(address: bigint): AccountFacts | null | undefined;
  /** 0n where nothing was written. */
  slot(account: AccountFacts, slot: bigint): bigint | undefined;
  /** The first 32 bytes. null: not stored. */
  blockHash(number: bigint): bigint | null | undefined;
  /** What system contracts ask: a token, a relation … */
  fact<Key extends FactKey>(key: Key): FactOf<Key> | undefined;
};

export type MissingFact =
  | { kind: 'account'; address: bigint }
  | { kind: 'slot'; account: AccountFacts; slot: bigint }
  | { kind: 'blockHash'; number: bigint }
  /** Of a system contract. */
  | { kind: 'fact'; key: FactKey };
