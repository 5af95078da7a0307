// An account as the transaction sees it: what the ledger knows and what the transaction has changed.
import { type Code, codeOf, noCode } from '../base/code.ts';
import type { AccountFacts } from './state-reader.ts';

export type SlotState = {
  readonly slot: bigint;
  /** Before the transaction. */
  readonly original: bigint;
  value: bigint;
  isWarm: boolean;
};

export type AccountState = {
  /** null: nothing is there, or was not before this transaction. */
  facts: AccountFacts | null;
  address: bigint;
  /** Number of the entity; 0n while there is none. */
  num: bigint;
  exists: boolean;
  balance: bigint;
  nonce: bigint;
  code: Code;
  /** Its code was created by this transaction. */
  isCreated: boolean;
  isDestroyed: boolean;
  /** By the key of the slot (map-key.ts). */
  readonly slots: Map<bigint, SlotState>;
  transient: Map<bigint, bigint> | undefined;
};

export function accountOf(facts: AccountFacts): AccountState {
  return {
    facts,
    address: facts.address,
    num: facts.num,
    exists: true,
    balance: facts.balance,
    nonce: facts.nonce,
    code: codeOf(facts.code),
    isCreated: false,
    isDestroyed: false,
    slots: new Map(),
    transient: undefined,
  };
}

export function missingAccountAt(address: bigint): AccountState {
  return {
    facts: null,
    address,
    num: 0n,
    exists: false,
    balance: 0n,
    nonce: 0n,
    code: noCode,
    isCreated: false,
    isDestroyed: false,
    slots: new Map(),
    transient: undefined,
  };
}
