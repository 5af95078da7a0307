import { expect, test } from 'vitest';
import { describeLeftOut, keepHeld } from './left-out-rows.ts';

const part = (table: string, month: string, rows: bigint | null = 10n) => ({ table, month, rows });

test('tables and months in which rows are left out', () => {
  const months = ['2023_11', '2023_12', '2024_01', '2024_03'];
  const parts = ['topic_message', 'transaction'].flatMap((table) => months.map((month) => part(table, month, 1000n)));
  expect(describeLeftOut([...parts, part('transaction_hash', '2024_01')])).toBe(
    'Of one large application 8,010 rows are left out, of topic_message and transaction in 2023-11 to 2024-01, 2024-03; transaction_hash in 2024-01. State is complete.',
  );
  expect(describeLeftOut([part('topic_message', '', null)])).toBe(
    'Of one large application rows are left out, of topic_message. State is complete.',
  );
  expect(describeLeftOut([])).toBe(null);
});

test('many spans of months are cut short', () => {
  const parts = Array.from({ length: 8 }, (_, year) => part('topic_message', `20${20 + year}_05`));
  expect(describeLeftOut(parts)).toMatch(/2024-05, 2025-05 and 2 more spans of months\. State/);
});

test('months that are not held any more lack nothing', () => {
  const from = BigInt(Date.UTC(2024, 0, 20)) * 1_000_000n;
  const parts = ['2023_12', '2024_01', '2024_02'].map((month) => part('topic_message', month));
  expect(keepHeld(parts, from)).toEqual(parts.slice(1));
});
