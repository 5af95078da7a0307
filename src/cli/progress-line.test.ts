import { expect, test } from 'vitest';
import { createProgressLine } from './progress-line.ts';

function record(isTTY: boolean): { stream: NodeJS.WriteStream; written: string[] } {
  const written: string[] = [];
  const stream = { isTTY, columns: 20, write: (text: string) => written.push(text) > 0 };
  return { stream: stream as unknown as NodeJS.WriteStream, written };
}

test('without a terminal: plain lines, each pause twice as long as the one before, and the last state at the end', () => {
  const { stream, written } = record(false);
  let time = 0;
  const line = createProgressLine({ stream, maxPlainIntervalMs: 30_000, now: () => time });
  for (const [at, text] of [
    [0, 'a'],
    [4999, 'b'],
    [5000, 'c'],
    [14_999, 'd'],
    [15_000, 'e'],
    [35_000, 'f'],
    [65_000, 'g'],
    [74_999, 'h'],
  ] as const) {
    time = at;
    line.update(text);
  }
  line.end();
  expect(written).toEqual(['a\n', 'c\n', 'e\n', 'f\n', 'g\n', 'h\n']);
});

test('in a terminal: one line, rewritten and cut at its width', () => {
  const { stream, written } = record(true);
  let time = 0;
  const line = createProgressLine({ stream, now: () => time });
  line.update('a');
  time = 200;
  line.update('x'.repeat(30));
  line.end();
  expect(written).toEqual(['\r\u001b[2Ka', `\r\u001b[2K${'x'.repeat(19)}`, '\n']);
});
