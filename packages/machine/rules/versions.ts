// The ledger's versions of the machine, and since which block of mainnet each was in force.
import { type ForkName, forkOf } from './forks.ts';
import type { AddressRules, Rules } from './rules.ts';

type Version = {
  name: string;
  fromBlock: bigint;
  fork: ForkName;
  addresses?: Partial<AddressRules>;
  facades?: Rules['facades'];
};

const ledgerAddresses: AddressRules = {
  lastSystemAccount: 750n,
  lastNonUser: 1000n,
  missingHalts: false,
  createsLazily: true,
  longZeroNeedsAccount: true,
  checksDestruction: true,
  emptyHasHash: true,
  blockHashWindow: 256n,
  warmsCoinbase: false,
};

const versions: readonly Version[] = [
  { name: '0.30', fromBlock: 0n, fork: 'london', addresses: { missingHalts: true, createsLazily: false } },
  { name: '0.34', fromBlock: 44_029_066n, fork: 'paris', addresses: { missingHalts: true } },
  { name: '0.38', fromBlock: 49_117_794n, fork: 'shanghai', addresses: { missingHalts: true } },
  { name: '0.46', fromBlock: 60_258_042n, fork: 'shanghai' },
  { name: '0.50', fromBlock: 65_435_845n, fork: 'cancun' },
  { name: '0.51', fromBlock: 66_602_102n, fork: 'cancun' },
  { name: '0.65', fromBlock: 85_011_472n, fork: 'cancun' },
  { name: '0.66', fromBlock: 85_659_065n, fork: 'cancun' },
  { name: '0.67', fromBlock: 87_129_575n, fork: 'prague', facades: 'delegations' },
];

const compiled: readonly Rules[] = versions.map(({ name, fork, addresses, facades = 'proxies' }) => ({
  name,
  fork: forkOf(fork),
  addresses: { ...ledgerAddresses, ...addresses },
  facades,
  coinbase: 98n,
  baseFee: 0n,
  blobBaseFee: 1n,
  initCodeLength: 49_152,
  refundQuotient: null,
}));

export const versionNames: readonly string[] = versions.map(({ name }) => name);
export const newestRules: Rules = compiled.at(-1)!;

export function rulesOf(name: string): Rules {
  const rules = compiled.find((version) => version.name === name);
  if (!rules) throw new RangeError(`There is no version ${name} of the machine, but ${versionNames.join(', ')}`);
  return rules;
}

/** Of a block of mainnet; other networks have always had the newest version. */
export function rulesAtMainnetBlock(block: bigint): Rules {
  const place = versions.findLastIndex(({ fromBlock }) => fromBlock <= block);
  return compiled[Math.max(place, 0)]!;
}
