// A contract compared with a compilation that it may come from: the stored sources are compiled again, with the
// contract as the target. What matches is stored as any other match.

import type { Database } from '../../../packages/postgres/wire/database.ts';
import type { VerificationArchive } from '../../../packages/verification/archive/verification-archive.ts';
import type { Verifier } from '../../../packages/verification/create-verifier.ts';
import type { ShapeRow } from '../../../packages/verification/store/compilation-index.ts';
import {
  type CompilationSourcesRow,
  selectCompilationSources,
} from '../../../packages/verification/store/select-compilation-sources.ts';
import type { VerifiedContractRow } from '../../../packages/verification/store/select-verified-contracts.ts';
import type { OnchainSource } from '../../../packages/verification/terms/onchain-contract.ts';
import type { CompilerSettings, SourceClaim } from '../../../packages/verification/terms/source-claim.ts';
import {
  VerificationError,
  type VerificationErrorCode,
} from '../../../packages/verification/terms/verification-error.ts';

export type CheckCandidate = (address: string, candidate: ShapeRow) => Promise<VerifiedContractRow | null>;

type Options = {
  db: Database;
  onchain: OnchainSource;
  verifier: Pick<Verifier, 'verify'>;
  archive: VerificationArchive;
  log: (sentence: string, error: Error) => void;
};

/** null = it does not match. Throws where the check should be tried again. */
export function createCheckCandidate({ db, onchain, verifier, archive, log }: Options): CheckCandidate {
  return async (address, { compilationId, name, isTarget }) => {
    const sources = await selectCompilationSources(db, compilationId);
    if (sources === null) return null;
    const contract = await onchain.read(address);
    try {
      const outcome = await verifier.verify(contract, toClaim(sources, name));
      if (outcome.code !== 'match') return null;
      await archive.keepContract(contract, outcome, isTarget ? 'similar' : 'compiled_along');
    } catch (error) {
      if (isForLater(error)) throw error;
      log(`${address} could not be compared with ${name}`, error as Error);
      return null;
    }
    const stored = await archive.findContract(contract.chainId, contract.address);
    if (stored === null) throw new Error(`The match of ${address} could not be stored`);
    return stored;
  };
}

/** Whether the same check may succeed at another time; others would hold up the search for ever. */
export function isForLater(error: unknown): boolean {
  return !(error instanceof VerificationError) || passing.has(error.code);
}

const passing = new Set<VerificationErrorCode>(['too_many_jobs', 'cannot_fetch_bytecode', 'store_not_available']);

/** `name`: `path:Name`. */
function toClaim(sources: CompilationSourcesRow, name: string): SourceClaim {
  const colon = name.lastIndexOf(':');
  const { version, language, compilerSettings, sourcePaths, sourceContents } = sources;
  return {
    language: language as SourceClaim['language'],
    compilerVersion: version,
    input: {
      language,
      settings: JSON.parse(compilerSettings) as CompilerSettings,
      sources: Object.fromEntries(
        sourcePaths.map((path, place) => [path, { content: sourceContents[place]!.toString('utf8') }]),
      ),
    } as SourceClaim['input'],
    target: { path: name.slice(0, colon), name: name.slice(colon + 1) },
  };
}
