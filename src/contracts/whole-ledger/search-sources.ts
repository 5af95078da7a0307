// The search for the sources of all contracts of the mirrored ledger, put together.

import type { Database } from '../../../packages/postgres/wire/database.ts';
import type { SystemRealm } from '../../../packages/protocol/hapi/system-entity.ts';
import type { NetworkIdentity } from '../../../packages/protocol/network-identity.ts';
import type { VerificationArchive } from '../../../packages/verification/archive/verification-archive.ts';
import type { Verifier } from '../../../packages/verification/create-verifier.ts';
import { takeMatchingLease } from '../../../packages/verification/store/take-matching-lease.ts';
import type { OnchainSource } from '../../../packages/verification/terms/onchain-contract.ts';
import { type RunningWork, runInBackground } from '../background/run-in-background.ts';
import { createCheckCandidate } from './check-candidate.ts';
import { createCompareShapes } from './compare-shapes.ts';
import { createCompareSimilar } from './compare-similar.ts';
import { countMatches, type MatchCounts } from './count-matches.ts';
import { createEvaluateContracts } from './evaluate-contracts.ts';
import { createFindSources } from './find-sources.ts';
import { createMatchContracts, type MatchContracts } from './match-contracts.ts';

type Options = {
  db: Database;
  network: Pick<NetworkIdentity, 'chainId'>;
  /** Of the ledger. */
  onchain: OnchainSource;
  system: SystemRealm;
  archive: VerificationArchive;
  verifier: Pick<Verifier, 'compare' | 'verify' | 'load'>;
  log: (sentence: string, error: Error) => void;
};

export function createSearch(options: Options): MatchContracts {
  const { db, network } = options;
  const compareShapes = createCompareShapes({
    db,
    compareSimilar: createCompareSimilar(options),
    checkCandidate: createCheckCandidate(options),
  });
  const findSources = createFindSources({ db, network, compareShapes });
  return createMatchContracts({ db, evaluate: createEvaluateContracts({ ...options, findSources }) });
}

type RunOptions = Options & {
  connectionString: string;
  isBusy(): boolean;
  turn(): number;
  /** The newest counts, whenever they may have changed. */
  onCounts(counts: MatchCounts): void;
};

export function searchSources({ connectionString, isBusy, turn, onCounts, ...options }: RunOptions): RunningWork {
  const { db, verifier, log } = options;
  return runInBackground({
    what: 'the search for sources of contracts',
    takeLease: () => takeMatchingLease(connectionString),
    step: createSearch(options).step,
    // Checks that a client waits for come first.
    isBusy: () => isBusy() || verifier.load().running + verifier.load().waiting > 0,
    turn,
    onProgress: async () => onCounts(await countMatches(db)),
    log,
  });
}
