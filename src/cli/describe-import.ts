// The last line of an import, and its exit code.

import { formatSecond } from '../../packages/protocol/hapi/timestamp.ts';
import { formatStartPoint, type StartPoint } from '../importer/extent/stream-point.ts';
import type { ImportSummary } from '../importer/import-stream.ts';

/** @param emptyFrom where the database, still empty, is to begin; null if it is filled, or begins with anything */
export function describeImport(
  { blocks, transactions, problems, defects, reachedEnd }: ImportSummary,
  emptyFrom: StartPoint | null = null,
): { text: string; exitCode: 0 | 1 } {
  const left = problems > 0 ? `; ${countText(problems, 'problem')}` : '';
  const nothingYet =
    emptyFrom &&
    ` The source has nothing from ${formatStart(emptyFrom)} on yet, where --from says that the database begins.`;
  const why = reachedEnd ? ' It ended where --until says.' : (blocks === 0 && nothingYet) || '';
  const text = `Imported ${countText(blocks, 'block')} with ${countText(transactions, 'transaction')}${left}.${why}`;
  if (defects === 0) return { text, exitCode: 0 };
  const parts = `${countText(defects, 'part')} of transactions ${defects === 1 ? 'was' : 'were'}`;
  return {
    text: `${text}\n${parts} left out by a defect of this program, not of the data; the log names each.`,
    exitCode: 1,
  };
}

function formatStart(point: StartPoint): string {
  return point.kind === 'timestamp' ? formatSecond(point.timestamp) : formatStartPoint(point);
}

/** A count with its noun: `1 block`, `2,161 blocks`. */
export function countText(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;
}
