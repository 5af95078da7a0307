// One match of an export, checked as any other claim: what matches here is stored, whatever the export says of it.
import type { Database } from '../../postgres/wire/database.ts';
import { codeHashOf, type VerificationArchive } from '../archive/verification-archive.ts';
import type { Verifier } from '../create-verifier.ts';
import { type ExportedMatch, rankOfMatch } from '../exports/terms/match-export.ts';
import type { OnchainContract, OnchainSource } from '../terms/onchain-contract.ts';
import type { SourceClaim } from '../terms/source-claim.ts';
import { VerificationError } from '../terms/verification-error.ts';
import type { VerificationOutcome } from '../terms/verification-outcome.ts';
import { addFinding, type ImportSummary } from './import-summary.ts';
import { findImportedCheck, importedCheckId, keepImportedCheck } from './imported-check.ts';

export type MatchCheckOptions = {
  db: Database;
  verifier: Verifier;
  archive: VerificationArchive;
  /** Of the match's chain. */
  source: OnchainSource;
  /** Nothing is compiled and nothing stored. */
  isDryRun: boolean;
  /** Also what an earlier import has refused. */
  isAgain: boolean;
  summary: ImportSummary;
  /** Called before a check that compiles; false = no more are wanted. */
  begin: () => boolean;
};

/** Counts the match in the summary. Throws what the database throws. */
export async function checkMatch(match: ExportedMatch, claim: SourceClaim, options: MatchCheckOptions): Promise<void> {
  const { db, archive, verifier, source, summary } = options;
  const found = await source.read(match.address);
  if (isSettledWithout(found, verifier, summary)) return;
  if (await isStored(found, match, archive)) {
    summary.already += 1;
    return;
  }
  const onchain = await source.withCreation(found, match.transactionHash ?? undefined);
  const id = importedCheckId(onchain, claim);
  if (!options.isAgain) {
    const before = await findImportedCheck(db, id);
    const isThere = before === 'matched' && (await isStored(onchain, leastMatch, archive));
    if (before === 'refused' || isThere) {
      summary.checkedBefore += 1;
      return;
    }
  }
  if (!options.begin()) {
    summary.left += 1;
    return;
  }
  if (options.isDryRun) {
    await verifier.assertClaim(claim);
    summary.checkable += 1;
    return;
  }
  const startedAt = new Date();
  const kept = { id, onchain, startedAt };
  try {
    const outcome = await verifier.verify(onchain, claim);
    const compilationMs = outcome.compilation?.durationMs ?? null;
    if (outcome.code === 'match') {
      await keepMatch(match, onchain, outcome, options);
      await keepImportedCheck(db, {
        ...kept,
        compilationMs,
        refusal: null,
        outcome: await outcomeOf(onchain, archive),
      });
    } else {
      addFinding(summary.notMatched, match, outcome.message);
      await keepImportedCheck(db, { ...kept, compilationMs, refusal: outcome, outcome: null });
    }
  } catch (error) {
    // The claim itself is at fault; other errors say nothing about it.
    if (!(error instanceof VerificationError) || error.status !== 400) throw error;
    addFinding(summary.notMatched, match, error.message);
    await keepImportedCheck(db, { ...kept, compilationMs: null, refusal: error, outcome: null });
  }
}

/** Counts contracts that are not there, or have no code to compare with. */
export function isSettledWithout(onchain: OnchainContract, verifier: Verifier, summary: ImportSummary): boolean {
  const answer = verifier.answerWithoutSources(onchain);
  if (answer === null) return false;
  if (answer.code === 'contract_not_deployed') summary.unknown += 1;
  else summary.withoutCode += 1;
  return true;
}

/** Whether a match of the code that is on the chain now is stored that is at least as good. */
export async function isStored(
  onchain: OnchainContract,
  match: Pick<ExportedMatch, 'runtime' | 'creation'>,
  archive: VerificationArchive,
): Promise<boolean> {
  const stored = await archive.findContract(onchain.chainId, onchain.address);
  if (stored === null) return false;
  const codeHash = codeHashOf(onchain);
  const isOfSameCode = codeHash === null ? true : stored.onchainRuntimeCodeHash?.equals(codeHash) === true;
  const rank = rankOfMatch({ runtime: stored.runtimeMatch, creation: stored.creationMatch });
  return isOfSameCode && rank >= rankOfMatch(match);
}

const leastMatch = { runtime: 'partial', creation: null } as const;

async function keepMatch(
  match: ExportedMatch,
  onchain: OnchainContract,
  outcome: VerificationOutcome,
  { archive, summary }: MatchCheckOptions,
): Promise<void> {
  const { runtime, creation, status, message } = outcome;
  await archive.keepContract(onchain, outcome, 'import');
  const reached = { runtime: runtime.match, creation: creation.match };
  // The archive logs what it cannot store.
  if (!(await isStored(onchain, reached, archive))) throw new Error('A match could not be stored; the log says why.');
  summary.stored[status === 'perfect' ? 'perfect' : 'partial'] += 1;
  const isPerfect = match.runtime === 'perfect' || match.creation === 'perfect';
  if (isPerfect && status !== 'perfect') addFinding(summary.lower, match, message);
}

async function outcomeOf({ chainId, address }: OnchainContract, archive: VerificationArchive): Promise<object> {
  const stored = await archive.findContract(chainId, address);
  return {
    creationMatch: stored?.creationMatch ?? null,
    runtimeMatch: stored?.runtimeMatch ?? null,
    verifiedAt: stored?.verifiedAt.toISOString() ?? null,
    matchId: stored?.id.toString() ?? null,
  };
}
