import { describe, expect, it } from 'vitest';
import { transactionTypes } from '../../../packages/protocol/hapi/transaction-types.ts';
import { findHandler } from './handler-table.ts';

describe('handlers', () => {
  it('are there for each type whose family makes rows, and for no other', () => {
    const expected = transactionTypes
      .filter(({ family }) => family !== 'generic' && family !== 'internal')
      .map(({ bodyField }) => bodyField);
    const found = transactionTypes.flatMap(({ number }) => findHandler(number)?.bodyField ?? []);
    expect(found).toEqual(expected);
  });
});
