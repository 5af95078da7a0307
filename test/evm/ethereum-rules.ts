// Ethereum's rules of a hard fork, without what ledgers change of them.
import { type ForkName, forkOf } from '../../packages/machine/rules/forks.ts';
import type { Rules } from '../../packages/machine/rules/rules.ts';

export const judgedCoinbase = 98n;

/** Part of the gas used that refunds may give back at most (EIP-3529). */
const refundQuotient = 5;

export function ethereumRules(fork: ForkName): Rules {
  return {
    name: fork,
    fork: forkOf(fork),
    addresses: {
      lastSystemAccount: null,
      lastNonUser: null,
      missingHalts: false,
      createsLazily: true,
      longZeroNeedsAccount: false,
      checksDestruction: false,
      emptyHasHash: false,
      blockHashWindow: 256n,
      warmsCoinbase: true,
    },
    facades: 'proxies',
    coinbase: judgedCoinbase,
    baseFee: 0n,
    blobBaseFee: 1n,
    initCodeLength: 49_152,
    refundQuotient,
  };
}

/** The ledger's fee of an account that a value makes is nothing, as in Ethereum. */
export const ethereumFacts = [[{ kind: 'exchangeRate' }, { hbar: 0n, cent: 1n }]] as const;

/** For programs that no network would run: they end by their gas. */
export const wideLimits = { steps: 10 ** 12, memory: 2 ** 31, reads: 10 ** 7 } as const;
