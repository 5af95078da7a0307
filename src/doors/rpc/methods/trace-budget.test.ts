import { expect, it } from 'vitest';
import { createTraceBudget } from './trace-budget.ts';

it('takes what there is, and refuses the byte after it', () => {
  const budget = createTraceBudget(10);
  budget.take(4);
  budget.take(6);
  expect(() => budget.take(1)).toThrow(
    expect.objectContaining({ code: -32000, message: expect.stringContaining('10 bytes') }),
  );
});
