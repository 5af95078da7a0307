// What became of the matches of an export: how many, and the reasons of those that were not stored.
import type { ExportedMatch } from '../exports/terms/match-export.ts';

export type ImportSummary = {
  /** Matches of the asked chains in the export. */
  listed: number;
  /** Of contracts that are not on the chain as this mirror knows it. */
  unknown: number;
  /** Whose code is not known here: tokens, deleted ones, or without sidecar files. */
  withoutCode: number;
  /** At least as good a match is stored. */
  already: number;
  /** Checked by an earlier import, with the same result again. */
  checkedBefore: number;
  /** Would be checked; of a dry run. */
  checkable: number;
  stored: { perfect: number; partial: number };
  /** Stored, but as less than the export says. */
  lower: Findings;
  /** The sources do not give the code on the chain, or do not compile. */
  notMatched: Findings;
  /** No check could be made. */
  failed: Findings;
  /** The export has no whole claim of them. */
  unreadable: Findings;
  /** Version → matches. */
  missingCompilers: Map<string, number>;
  /** Not reached: the run was ended, or limited. */
  left: number;
};

export type Findings = { count: number; first: Finding[] };
type Finding = { chainId: string; address: string; reason: string };

export function createImportSummary(): ImportSummary {
  const findings = (): Findings => ({ count: 0, first: [] });
  return {
    listed: 0,
    unknown: 0,
    withoutCode: 0,
    already: 0,
    checkedBefore: 0,
    checkable: 0,
    stored: { perfect: 0, partial: 0 },
    lower: findings(),
    notMatched: findings(),
    failed: findings(),
    unreadable: findings(),
    missingCompilers: new Map(),
    left: 0,
  };
}

/** Further ones are only counted. */
const maxShown = 1000;
const maxReasonLength = 500;

export function addFinding(findings: Findings, { chainId, address }: ExportedMatch, reason: string): void {
  findings.count += 1;
  if (findings.first.length >= maxShown) return;
  const short = reason.length > maxReasonLength ? `${reason.slice(0, maxReasonLength)} …` : reason;
  findings.first.push({ chainId, address, reason: short });
}
