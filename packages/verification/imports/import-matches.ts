// Imports the matches of an export: chooses those that this mirror can check and has not, then reads and checks one
// after the other. It can be ended at any moment: what is stored stays, and a later run continues with the rest.
import type { Database } from '../../postgres/wire/database.ts';
import type { VerificationArchive } from '../archive/verification-archive.ts';
import type { Verifier } from '../create-verifier.ts';
import type { ExportedClaim, ExportedMatch, MatchExport } from '../exports/terms/match-export.ts';
import type { OnchainSource } from '../terms/onchain-contract.ts';
import { VerificationError } from '../terms/verification-error.ts';
import { checkMatch, isSettledWithout, isStored } from './check-match.ts';
import { addFinding, createImportSummary, type ImportSummary } from './import-summary.ts';

export type ImportMatchesOptions = {
  db: Database;
  verifier: Verifier;
  archive: VerificationArchive;
  /** By chain id: the chains whose matches are imported. `isRemote`: it may be away while the database is there. */
  chains: ReadonlyMap<string, { source: OnchainSource; isRemote: boolean }>;
  matches: MatchExport;
  isDryRun: boolean;
  /** Also what an earlier import has refused. */
  isAgain: boolean;
  /** Of matches that are checked; null = all. */
  limit: number | null;
  /** Checks at a time. */
  concurrent: number;
  signal: AbortSignal;
  onProgress: (progress: ImportMatchesProgress) => void;
};

/** `total`: chosen matches, of which `done` need nothing more; null while they are chosen. */
export type ImportMatchesProgress = { summary: ImportSummary; done: number; total: number | null; looked: number };

/** Throws what the database throws; an abort is no error. */
export async function importMatches(options: ImportMatchesOptions): Promise<ImportSummary> {
  const summary = createImportSummary();
  try {
    const chosen = await choose(options, summary);
    await checkAll(chosen, options, summary);
  } catch (error) {
    if (!options.signal.aborted) throw error;
  }
  return summary;
}

async function choose(options: ImportMatchesOptions, summary: ImportSummary): Promise<ExportedMatch[]> {
  const { matches, chains, verifier, archive, signal, onProgress } = options;
  const listed = await matches.list(new Set(chains.keys()), signal);
  summary.listed = listed.length;
  summary.left = listed.length;
  const chosen: ExportedMatch[] = [];
  for (const [looked, match] of listed.entries()) {
    signal.throwIfAborted();
    onProgress({ summary, done: 0, total: null, looked });
    try {
      const onchain = await chains.get(match.chainId)!.source.read(match.address);
      if (isSettledWithout(onchain, verifier, summary)) summary.left -= 1;
      else if (await isStored(onchain, match, archive)) {
        summary.already += 1;
        summary.left -= 1;
      } else chosen.push(match);
    } catch (error) {
      if (!(error instanceof VerificationError) || !chains.get(match.chainId)!.isRemote) throw error;
      addFinding(summary.failed, match, error.message);
      summary.left -= 1;
    }
  }
  return chosen;
}

/**
 * Claims of one contract are checked one after the other, the best first, so that the result does not depend on time.
 */
async function checkAll(
  chosen: readonly ExportedMatch[],
  options: ImportMatchesOptions,
  summary: ImportSummary,
): Promise<void> {
  const { matches, signal, concurrent, limit, onProgress } = options;
  const running = new Map<string, Promise<void>>();
  const total = chosen.length;
  let done = 0;
  let begun = 0;
  let failure: unknown = null;
  const isOver = (): boolean => failure !== null || signal.aborted || (limit !== null && begun >= limit);
  const begin = (): boolean => {
    if (isOver()) return false;
    begun += 1;
    return true;
  };
  const tell = (): void => onProgress({ summary, done, total, looked: summary.listed });

  for await (const exported of matches.claims(chosen, signal)) {
    const { chainId, address } = exported.match;
    const contract = `${chainId} ${address}`;
    while (running.size >= concurrent || running.has(contract)) await Promise.race(running.values());
    if (isOver()) break;
    const work = checkOne(exported, begin, options, summary)
      .then(() => {
        done += 1;
        tell();
      })
      .catch((error: unknown) => {
        failure ??= error;
      })
      .finally(() => running.delete(contract));
    running.set(contract, work);
  }
  await Promise.all(running.values());
  if (failure !== null) throw failure;
}

async function checkOne(
  exported: ExportedClaim,
  begin: () => boolean,
  options: ImportMatchesOptions,
  summary: ImportSummary,
): Promise<void> {
  const { match, claim } = exported;
  const { chains, signal } = options;
  const { source, isRemote } = chains.get(match.chainId)!;
  summary.left -= 1;
  if (claim === undefined) return addFinding(summary.unreadable, match, exported.problem);
  try {
    await checkMatch(match, claim, { ...options, source, summary, begin });
  } catch (error) {
    if (signal.aborted) {
      summary.left += 1;
      return;
    }
    if (!(error instanceof VerificationError)) throw error;
    if (error.code === 'compiler_not_available') {
      const { missing = claim.compilerVersion } = (error.details ?? {}) as { missing?: string };
      summary.missingCompilers.set(missing, (summary.missingCompilers.get(missing) ?? 0) + 1);
    } else if (error.code === 'cannot_fetch_bytecode' && !isRemote) throw error;
    else addFinding(summary.failed, match, error.message);
  }
}
