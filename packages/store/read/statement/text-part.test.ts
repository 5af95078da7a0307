import { expect, it } from 'vitest';
import { toTextPart } from './text-part.ts';

it('has a short code however many conditions there are, one for each text', () => {
  const conditions = Array.from({ length: 100 }, (_, i) => ({
    operator: i % 2 === 0 ? ('gte' as const) : ('eq' as const),
    text: `${i}`,
  }));
  const values: unknown[] = ['before'];
  const part = toTextPart(conditions, values);
  expect(part.code).toBe('eq50gte50');
  expect(part.sql('name').split(' and ')).toHaveLength(101);
  expect(values).toHaveLength(101);
  expect(toTextPart([...conditions].reverse(), []).code).toBe(part.code);
});
