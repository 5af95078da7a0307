// The check itself: a claim is compiled and compared with what a chain has. How many run at once, how long each may
// take and what waits is decided inside; who asks and where claims come from is not known here.
import type { OnchainContract } from './onchain-contract.ts';
import type { SourceClaim } from './source-claim.ts';
import type { VerificationOutcome } from './verification-outcome.ts';

export type Verifier = {
  /** Throws a VerificationError when no check could be made. */
  verify(onchain: OnchainContract, claim: SourceClaim): Promise<VerificationOutcome>;
  /** Throws the VerificationError (400) of a claim that no compiler should see. */
  assertClaim(claim: SourceClaim): void;
  /** The answer for addresses that no source code is needed for (nothing there, tokens, system contracts), else null. */
  answerWithoutSources(onchain: OnchainContract): VerificationOutcome | null;
  /** Long versions of the available compilers, e.g. `0.8.19+commit.7dd6d404`. */
  listCompilers(): Promise<string[]>;
  /** Ends what runs and refuses what waits (`too_many_jobs`). */
  close(): Promise<void>;
};
