// Contracts compared with the compilations that have something of their shape: with what was stored of it, or compiled
// again.

import type { Database } from '../../../packages/postgres/wire/database.ts';
import { type ShapeRow, selectShapes } from '../../../packages/verification/store/compilation-index.ts';
import type { MatchKind } from '../../../packages/verification/store/contract-matches.ts';
import type { VerifiedContractRow } from '../../../packages/verification/store/select-verified-contracts.ts';
import { toHex } from '../../../packages/verification/terms/hex.ts';
import type { CheckCandidate } from './check-candidate.ts';
import type { CompareSimilar } from './compare-similar.ts';

/** A contract whose sources are looked for. */
export type Subject = {
  contractId: bigint;
  /** The EVM address if it has one, else the long-zero address; and the other. */
  address: Buffer;
  otherAddresses: Buffer[];
  /** null = unknown. */
  codeHash: Buffer | null;
  shapeHash: Buffer | null;
  /** Of a minimal proxy; 0x and 40 hex digits. */
  target: string | null;
};

export type FoundSources = { kind: MatchKind; row: VerifiedContractRow };

/** What matches is stored, and answered. The subjects have code. */
export type CompareShapes = (subjects: readonly Subject[]) => Promise<Map<Subject, FoundSources>>;

/** Of contracts with one shape; further ones hardly ever differ in anything but their metadata. */
const maxCandidates = 4;
/**
 * After so many contracts in a row that did not match a candidate, it is left out until the process is started again.
 */
const maxMisses = 20;

type Options = { db: Database; compareSimilar: CompareSimilar; checkCandidate: CheckCandidate };

export function createCompareShapes({ db, compareSimilar, checkCandidate }: Options): CompareShapes {
  const misses = new Map<string, number>();

  /** Stops at the first match: what was compiled for that one can be compared with others. */
  async function compile(candidate: ShapeRow, subjects: readonly Subject[], found: Map<Subject, FoundSources>) {
    const key = `${candidate.compilationId} ${candidate.name}`;
    for (const subject of subjects) {
      const missed = misses.get(key) ?? 0;
      if (missed >= maxMisses) return;
      const row = await checkCandidate(toHex(subject.address), candidate);
      misses.set(key, row ? 0 : missed + 1);
      if (!row) continue;
      found.set(subject, { kind: candidate.isTarget ? 'similar' : 'compiled_along', row });
      // Those that must be compiled each time are.
      if (!candidate.isTarget) return;
    }
  }

  async function compareShape(shape: Buffer, subjects: readonly Subject[], found: Map<Subject, FoundSources>) {
    const left = () => subjects.filter((subject) => !found.has(subject));
    for (const candidate of await selectShapes(db, [shape], maxCandidates)) {
      if (left().length === 0) return;
      if (!candidate.isTarget) {
        await compile(candidate, left(), found);
        const made = await selectShapes(db, [shape], 1);
        for (const target of made.filter(({ isTarget }) => isTarget)) await similar(target, left(), found);
      } else if (!(await similar(candidate, left(), found))) await compile(candidate, left(), found);
    }
  }

  /** Whether they could be compared. */
  async function similar(candidate: ShapeRow, subjects: readonly Subject[], found: Map<Subject, FoundSources>) {
    if (subjects.length === 0) return true;
    const rows = await compareSimilar(
      candidate.compilationId,
      subjects.map(({ address }) => toHex(address)),
    );
    if (rows === 'unknown') return false;
    for (const [at, row] of rows.entries()) if (row) found.set(subjects[at]!, { kind: 'similar', row });
    return true;
  }

  return async (subjects) => {
    const found = new Map<Subject, FoundSources>();
    const byShape = Map.groupBy(subjects, ({ shapeHash }) => shapeHash!.toString('hex'));
    for (const [shape, ofShape] of byShape) await compareShape(Buffer.from(shape, 'hex'), ofShape, found);
    return found;
  };
}
