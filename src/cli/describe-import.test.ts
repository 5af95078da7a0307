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

const nothing = { blocks: 0, transactions: 0, problems: 0, defects: 0, reachedEnd: false };
const start = { kind: 'timestamp', timestamp: 1_900_000_000_000_000_000n } as const;
test.each([
  [
    'of a database that begins later',
    nothing,
    start,
    ' The source has nothing from 2030-03-17T17:46:40Z on yet, where --from says that the database begins.',
  ],
  ['that ended before', { ...nothing, reachedEnd: true }, start, ' It ended where --until says.'],
  ['of a filled database', nothing, null, ''],
])('an import of nothing %s', (_name, summary, emptyFrom, why) => {
  expect(describeImport(summary, emptyFrom).text).toBe(`Imported 0 blocks with 0 transactions.${why}`);
});
