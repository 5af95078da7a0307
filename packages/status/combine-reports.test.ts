import { expect, it } from 'vitest';
import { createReportBoard } from './combine-reports.ts';

const report = (down: number, text: string) => ({
  values: { 'database.down': down },
  facts: { 'database.down': text },
});

it('the worst of the processes that report counts, with its own text', () => {
  const board = createReportBoard(30_000);
  board.take('a', report(1, 'no way there'), 0);
  expect(board.take('b', { values: { 'database.down': 0, 'api.p95Ms': 7 }, facts: { version: 'v1' } }, 5000)).toEqual({
    values: { 'database.down': 1, 'api.p95Ms': 7 },
    facts: { 'database.down': 'no way there', version: 'v1' },
  });
  expect(board.take('a', report(0, ''), 10_000).values).toMatchObject({ 'database.down': 0 });
});

it('who has left or fallen silent counts no more', () => {
  const board = createReportBoard(30_000);
  board.take('a', report(1, 'x'), 0);
  expect(board.take('b', report(0, ''), 30_000).values).toEqual({ 'database.down': 1 });
  expect(board.take('b', report(0, ''), 30_001).values).toEqual({ 'database.down': 0 });
  board.take('a', report(1, 'x'), 40_000);
  board.drop('a');
  expect(board.take('b', report(0, ''), 40_001)).toEqual(report(0, ''));
});
