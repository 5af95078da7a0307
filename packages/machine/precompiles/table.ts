import { type ForkName, forkNames, hasFork } from '../rules/forks.ts';
import { blake2f } from './blake2f.ts';
import { bls12Functions } from './bls12.ts';
import { bn254Functions } from './bn254.ts';
import { ecrecover } from './ecrecover.ts';
import { hashes } from './hashes.ts';
import { kzg } from './kzg.ts';
import { modexp } from './modexp.ts';
import type { PrecompileEntry } from './precompile.ts';

const all = [ecrecover, hashes, modexp, bn254Functions, blake2f, kzg, bls12Functions].flat();

const tables = new Map<ForkName, ReadonlyMap<bigint, PrecompileEntry>>(
  forkNames.map((fork) => [
    fork,
    new Map(all.filter(({ since = 'london' }) => hasFork(fork, since)).map((entry) => [BigInt(entry.address), entry])),
  ]),
);

/** By address. */
export function precompilesOf(fork: ForkName): ReadonlyMap<bigint, PrecompileEntry> {
  return tables.get(fork)!;
}
