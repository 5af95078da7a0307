// The search for the sources of all contracts of the mirrored ledger, put together.

import type { Database } from '../../../packages/postgres/wire/database.ts';
import type { SystemRealm } from '../../../packages/protocol/hapi/system-entity.ts';
import type { VerificationArchive } from '../../../packages/verification/archive/verification-archive.ts';
import type { Verifier } from '../../../packages/verification/create-verifier.ts';
import { takeMatchingLease } from '../../../packages/verification/store/take-matching-lease.ts';
import type { OnchainSource } from '../../../packages/verification/terms/onchain-contract.ts';
import type { Implementations } from '../abi/implementations.ts';
import { createCheckCandidate } from './check-candidate.ts';
import { createCompareShapes } from './compare-shapes.ts';
import { createCompareSimilar } from './compare-similar.ts';
import { countMatches, type MatchCounts } from './count-matches.ts';
import { createEvaluateContracts } from './evaluate-contracts.ts';
import { createFindSources } from './find-sources.ts';
import { createMatchContracts, type MatchContracts } from './match-contracts.ts';
import { type RunningMatching, runMatching } from './run-matching.ts';

type Options = {
  db: Database;
  chainId: bigint;
  /** Of the ledger. */
  onchain: OnchainSource;
  system: SystemRealm;
  archive: VerificationArchive;
  verifier: Pick<Verifier, 'compare' | 'verify' | 'load'>;
  implementations: Implementations;
  log: (sentence: string, error: Error) => void;
};

export function createSearch(options: Options): MatchContracts {
  const { db, chainId } = options;
  const compareShapes = createCompareShapes({
    db,
    compareSimilar: createCompareSimilar(options),
    checkCandidate: createCheckCandidate(options),
  });
  const findSources = createFindSources({ db, chainId, compareShapes });
  return createMatchContracts({ db, evaluate: createEvaluateContracts({ ...options, findSources }) });
}

type RunOptions = Options & {
  connectionString: string;
  isBusy(): boolean;
  turn(): number;
  /** The newest counts, whenever they may have changed. */
  onCounts(counts: MatchCounts): void;
};

export function searchSources({ connectionString, isBusy, turn, onCounts, ...options }: RunOptions): RunningMatching {
  const { db, verifier, log } = options;
  return runMatching({
    takeLease: () => takeMatchingLease(connectionString),
    matching: createSearch(options),
    // Checks that a client waits for come first.
    isBusy: () => isBusy() || verifier.load().running + verifier.load().waiting > 0,
    turn,
    onProgress: async () => onCounts(await countMatches(db)),
    log,
  });
}
