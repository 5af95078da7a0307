// Contracts compared with what was compiled for another one: many in one process, as nothing is compiled.

import type { Database } from '../../../packages/postgres/wire/database.ts';
import type { VerificationArchive } from '../../../packages/verification/archive/verification-archive.ts';
import type { StoredCompilation } from '../../../packages/verification/compilers/check-protocol.ts';
import type { Verifier } from '../../../packages/verification/create-verifier.ts';
import { selectStoredCompilation } from '../../../packages/verification/store/select-stored-compilation.ts';
import type { VerifiedContractRow } from '../../../packages/verification/store/select-verified-contracts.ts';
import { toHex } from '../../../packages/verification/terms/hex.ts';
import type { OnchainSource } from '../../../packages/verification/terms/onchain-contract.ts';
import type { CodeArtifacts } from '../../../packages/verification/terms/verification-outcome.ts';
import { isForLater } from './check-candidate.ts';

/** In the order of the addresses; null = it does not match. */
export type CompareSimilar = (
  compilationId: bigint,
  addresses: readonly string[],
) => Promise<'unknown' | (VerifiedContractRow | null)[]>;

type Options = {
  db: Database;
  onchain: OnchainSource;
  verifier: Pick<Verifier, 'compare'>;
  archive: VerificationArchive;
  log: (sentence: string, error: Error) => void;
};

/** `unknown`: this compilation has to be compiled again to be compared. */
export function createCompareSimilar({ db, onchain, verifier, archive, log }: Options): CompareSimilar {
  return async (compilationId, addresses) => {
    const stored = await readCompilation(db, compilationId);
    if (stored === null) return 'unknown';
    const contracts = await Promise.all(addresses.map((address) => onchain.read(address)));
    const found: (VerifiedContractRow | null)[] = contracts.map(() => null);
    const comparable = contracts.flatMap(({ runtimeCode, creationCodes }, place) =>
      runtimeCode
        ? [{ place, codes: { runtimeCode: toHex(runtimeCode), creationCodes: creationCodes.map(toHex) } }]
        : [],
    );
    const matches = await verifier
      .compare(
        stored,
        comparable.map(({ codes }) => codes),
      )
      .catch((error: Error) => {
        if (isForLater(error)) throw error;
        log(`${addresses.length} contracts could not be compared with compilation ${compilationId}`, error);
        return [];
      });
    for (const [at, { place }] of comparable.entries()) {
      const match = matches[at];
      if (!match) continue;
      const contract = contracts[place]!;
      await archive.keepSimilar(contract, compilationId, match);
      found[place] = await archive.findContract(contract.chainId, contract.address);
    }
    return found;
  };
}

async function readCompilation(db: Database, id: bigint): Promise<StoredCompilation | null> {
  const row = await selectStoredCompilation(db, id);
  if (!row?.runtimeCode || !row.creationCode || row.language === 'Vyper') return null;
  const runtime = JSON.parse(row.runtimeArtifacts) as CodeArtifacts;
  const creation = JSON.parse(row.creationArtifacts) as CodeArtifacts;
  // The addresses of libraries are found by placeholders, which are not stored.
  if (hasLinks(runtime) || hasLinks(creation)) return null;
  return {
    runtimeCode: toHex(row.runtimeCode),
    creationCode: toHex(row.creationCode),
    immutableReferences: runtime.immutableReferences ?? {},
    runtimeAuxdata: runtime.cborAuxdata,
    creationAuxdata: creation.cborAuxdata,
    abi: row.abi === null ? null : (JSON.parse(row.abi) as unknown[]),
  };
}

function hasLinks({ linkReferences }: CodeArtifacts): boolean {
  return Object.keys((linkReferences ?? {}) as object).length > 0;
}
