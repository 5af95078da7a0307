import { expect, test } from 'vitest';
import type { ImportProgress } from '../importer/import-progress.ts';
import { createImportProgressText } from './import-progress-text.ts';

const progress = (blocks: number, lagMs: number): ImportProgress =>
  ({
    block: { number: BigInt(blocks) },
    blocks,
    transactions: blocks * 1000,
    problems: 0,
    lagMs,
    seconds: { wait: 9, open: 1, rows: 1, write: 2 },
  }) as ImportProgress;

test('rates and the time to go are those of the last seconds', () => {
  let time = 0;
  const format = createImportProgressText(() => time);
  time = 1000;
  format(progress(10, 1_000_000));
  time = 3000;
  expect(format(progress(30, 900_000))).toBe(
    'block 30 · 10.0 blocks/s · 10,000 transactions/s · 15 min behind · 18.0 s to go · verify 25 %, rows 25 %, database 50 %',
  );
});
