import { expect, test } from 'vitest';
import { formatLogLine } from './log.ts';

test.each([
  [{ level: 30, time: 0, msg: 'imported', block: 5 }, '00:00:00 info  imported  block=5\n'],
  [{ level: 40, time: 3_600_000, msg: 'odd', file: 'a b' }, '01:00:00 warn  odd  file=a b\n'],
  [{ level: 40, time: 0, msg: 'failed', err: { message: 'why', stack: 'long' } }, '00:00:00 warn  failed: why\n'],
  [{ level: 50, time: 0, msg: 'failed', err: { message: 'why', stack: 'long' } }, '00:00:00 error failed: long\n'],
])('%j reads as one line', (line, text) => {
  expect(formatLogLine(JSON.stringify(line))).toBe(text);
});
