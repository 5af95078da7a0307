// How an import that came to its end is told, and the exit code that it has.
import type { ImportSummary } from '../importer/import-stream.ts';
import { countText } from './count-text.ts';

export function describeImport({ blocks, transactions, problems, defects, reachedEnd }: ImportSummary): {
  text: string;
  exitCode: 0 | 1;
} {
  const left = problems > 0 ? `; ${countText(problems, 'problem')}` : '';
  const text = `Imported ${countText(blocks, 'block')} with ${countText(transactions, 'transaction')}${left}.${reachedEnd ? ' It ended where --until says.' : ''}`;
  if (defects === 0) return { text, exitCode: 0 };
  const parts = `${countText(defects, 'part')} of transactions ${defects === 1 ? 'was' : 'were'}`;
  return {
    text: `${text}\n${parts} left out by a defect of this program, not of the data; the log names each.`,
    exitCode: 1,
  };
}
