import { describe, expect, it } from 'vitest';
import { toRange } from '../../../../packages/kit/range.ts';
import { bindTimestampRange } from './timestamp-guard.ts';

describe('bound ranges', () => {
  const world = { first: 100n, now: 1000n, longest: 50n };
  const open = toRange([]);

  it('an open range is cut to the newest or the oldest part', () => {
    expect(bindTimestampRange(open, { ...world, order: 'desc' })).toEqual({
      range: { ...open, from: 951n, to: 1000n },
      cut: 951n,
    });
    expect(bindTimestampRange(open, { ...world, order: 'asc' })).toEqual({
      range: { ...open, from: 100n, to: 149n },
      cut: 149n,
    });
  });

  it('a short range only gets its missing end', () => {
    const range = toRange([{ operator: 'gte', value: 980n }]);
    expect(bindTimestampRange(range, { ...world, order: 'desc' })).toEqual({
      range: { ...range, from: 980n, to: 1000n },
      cut: null,
    });
  });

  it('exact timestamps need no bounds', () => {
    const range = toRange([{ operator: 'eq', value: 5n }]);
    expect(bindTimestampRange(range, { ...world, order: 'desc' })).toEqual({ range, cut: null });
  });
});
