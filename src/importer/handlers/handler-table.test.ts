import { describe, expect, it } from 'vitest';
import { transactionTypes } from '../../protocol/hapi/transaction-types.ts';
import { findHandler, handlersByFamily } from './handler-table.ts';

describe('handlers', () => {
  it('are there for each type whose family makes rows, in that family, and for no other', () => {
    const expected = transactionTypes
      .filter(({ family }) => family !== 'generic' && family !== 'internal')
      .map(({ bodyField, family }) => `${family}: ${bodyField}`);
    const found = Object.entries(handlersByFamily).flatMap(([family, handlers]) =>
      handlers.map(({ bodyField }) => `${family}: ${bodyField}`),
    );
    expect(found.toSorted()).toEqual(expected.toSorted());
  });

  it('are not asked about a body without the part that they read', () => {
    expect(findHandler({ type: 15, body: { cryptoUpdateAccount: {} } })?.bodyField).toBe('cryptoUpdateAccount');
    expect(findHandler({ type: 15, body: {} })).toBeUndefined();
    expect(findHandler({ type: 14, body: { cryptoTransfer: {} } })).toBeUndefined();
  });
});
