// An export of contract matches that another verifier made: which matches it has, and what each was compiled from.
// Nothing of it is trusted: it says only what is worth a check.
import type { SourceClaim } from '../../terms/source-claim.ts';

export type MatchExport = {
  /** For people: what was found, and where. */
  description: string;
  /**
   * Matches on these chains, in an order that depends on their content alone: by chain and address, of each contract
   * the best first. What cannot be read is reported and left out.
   */
  list(chains: ReadonlySet<string>, signal: AbortSignal): Promise<ExportedMatch[]>;
  /** What the chosen ones were compiled from, in the given order. Memory does not grow with their number. */
  claims(chosen: readonly ExportedMatch[], signal: AbortSignal): AsyncGenerator<ExportedClaim>;
  /** Removes temporary files. */
  close(): Promise<void>;
};

export type MatchLevel = 'perfect' | 'partial' | null;

export type ExportedMatch = {
  /** Decimal. */
  chainId: string;
  /** 0x and 40 lower-case hex digits. */
  address: string;
  /** As claimed. */
  runtime: MatchLevel;
  creation: MatchLevel;
  /** Of the transaction that created it; null = not said. */
  transactionHash: string | null;
  /** Where the export has what it was compiled from: the id of a compilation, or a folder. */
  key: string;
};

/** `problem`: why there is no claim, as a sentence that names the place. */
export type ExportedClaim = { match: ExportedMatch } & (
  | { claim: SourceClaim; problem?: undefined }
  | { claim?: undefined; problem: string }
);

export type ExportReading = {
  /** Damage: a sentence that names the file. The rest is read. */
  onProblem: (sentence: string) => void;
  /** What is being read, as a few words. */
  onStep: (step: string) => void;
  limits: ExportLimits;
};

export type ExportLimits = {
  /** Of the sources and settings of one contract. */
  inputBytes: number;
  /** For decoding one part of a file. */
  stepMs: number;
};

/** By chain and address, of each contract the best first. */
export function compareMatches(a: ExportedMatch, b: ExportedMatch): number {
  if (a.chainId !== b.chainId) return BigInt(a.chainId) < BigInt(b.chainId) ? -1 : 1;
  if (a.address !== b.address) return a.address < b.address ? -1 : 1;
  return rankOfMatch(b) - rankOfMatch(a) || compareTexts(a.key, b.key);
}

/** The better side counts first, then both together; 0 = no match. */
export function rankOfMatch({ runtime, creation }: { runtime: MatchLevel; creation: MatchLevel }): number {
  const [a, b] = [levels[runtime ?? 'none'], levels[creation ?? 'none']];
  return Math.max(a, b) * 10 + a + b;
}

const levels = { perfect: 2, partial: 1, none: 0 };

function compareTexts(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
