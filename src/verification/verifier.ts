// The check itself: a claim is compiled and compared with what a chain has. How many run at once, how long each may
// take and what waits is decided inside; who asks and where claims come from is not known here.
import type { QueueLoad } from './compilers/job-queue.ts';
import type { OnchainContract } from './onchain-contract.ts';
import type { SourceClaim } from './source-claim.ts';
import type { VerificationOutcome } from './verification-outcome.ts';

export type Verifier = {
  /**
   * Throws a VerificationError when no check could be made. `client`: whose share of the queue it takes; none = the
   * service's own check.
   */
  verify(onchain: OnchainContract, claim: SourceClaim, client?: string): Promise<VerificationOutcome>;
  /** Throws the VerificationError (400) of a claim that no compiler should see, and that of a compiler that is not here (503). */
  assertClaim(claim: SourceClaim): Promise<void>;
  /** The answer for addresses that no source code is needed for (nothing there, tokens, system contracts), else null. */
  answerWithoutSources(onchain: OnchainContract): VerificationOutcome | null;
  /** Long versions of the available compilers, e.g. `0.8.19+commit.7dd6d404`. */
  listCompilers(): Promise<string[]>;
  load(): QueueLoad;
  /** Ends what runs and refuses what waits (`too_many_jobs`). */
  close(): Promise<void>;
};
