// What a version of the machine does: Ethereum's rules of a hard fork, and what the ledger changes of them, as data.
import type { Fork } from './forks.ts';

/** How the ledger differs from Ethereum where addresses are concerned. */
export type AddressRules = {
  /** Long-zero addresses up to this number are system accounts; null: there are none. */
  lastSystemAccount: bigint | null;
  /** Long-zero addresses up to this number have no code that EXTCODE… shows. */
  lastNonUser: bigint | null;
  /** Calls, BALANCE and EXTCODE… of missing accounts halt. */
  missingHalts: boolean;
  /** A call with value to an address without an account creates one, unless the address is long-zero. */
  createsLazily: boolean;
  /** A call with value to a long-zero address without an account fails. */
  longZeroNeedsAccount: boolean;
  /**
   * The beneficiary of SELFDESTRUCT must be an account or a contract outside of the system, and the contract must hold
   * no tokens.
   */
  checksDestruction: boolean;
  /** EXTCODEHASH of an account without code is the hash of nothing, also of an account that has nothing at all. */
  emptyHasHash: boolean;
  /**
   * BLOCKHASH knows so many blocks before the current one, which consensus nodes keep in their state; not the current
   * one.
   */
  blockHashWindow: bigint;
  /** COINBASE is warm from the beginning (EIP-3651). */
  warmsCoinbase: boolean;
};

export type Rules = {
  readonly name: string;
  readonly fork: Fork;
  readonly addresses: AddressRules;
  /** What runs at the address of a token or schedule: a proxy's code, or a delegation. */
  readonly facades: 'proxies' | 'delegations';
  readonly coinbase: bigint;
  readonly baseFee: bigint;
  readonly blobBaseFee: bigint;
  readonly initCodeLength: number;
  /** Part of the gas used that refunds may give back: a fifth since EIP-3529; null: all. */
  readonly refundQuotient: number | null;
};
