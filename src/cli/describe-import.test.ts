import { expect, test } from 'vitest';
import { describeImport } from './describe-import.ts';

test.each([
  ['nothing left out', { problems: 0, defects: 0 }, 'Imported 2 blocks with 1,000 transactions.', 0],
  ['bad data', { problems: 1, defects: 0 }, 'Imported 2 blocks with 1,000 transactions; 1 problem.', 0],
  [
    'an end that was asked for',
    { problems: 0, defects: 0, reachedEnd: true },
    'Imported 2 blocks with 1,000 transactions. It ended where --until says.',
    0,
  ],
  [
    'a defect',
    { problems: 3, defects: 2 },
    'Imported 2 blocks with 1,000 transactions; 3 problems.\n2 parts of transactions were left out by a defect of this program, not of the data; the log names each.',
    1,
  ],
])('an import with %s', (_name, leftOut, text, exitCode) => {
  expect(describeImport({ blocks: 2, transactions: 1000, reachedEnd: false, ...leftOut })).toEqual({ text, exitCode });
});
