import { describe, expect, it } from 'vitest';
import { loadMessages } from '../load-messages.ts';
import { messageField } from '../wire-writer.ts';
import { proto } from './hapi.ts';
import { decodeTransactionBody } from './transaction-body.ts';
import { transactionTypeName, transactionTypes, typeNumber } from './transaction-types.ts';

const newerFields = loadMessages(new URL('./newer-fields.proto', import.meta.url))('TransactionBody');

describe('the table of transaction types', () => {
  it('has every type that the HAPI package knows', () => {
    const known = Array.from({ length: 1000 }, (_, number) => number).flatMap((number) => {
      const field =
        number < 7 ? undefined : proto.TransactionBody.decode(Buffer.concat(messageField(number, []).flat())).data;
      return field ? [[number, field]] : [];
    });
    const table = new Map(transactionTypes.map(({ number, bodyField }) => [number, bodyField]));
    expect(known.length).toBeGreaterThan(60);
    expect(known.filter(([number, field]) => table.get(Number(number)) !== field)).toEqual([]);
  });

  it('has every type that our own messages add, and no other', () => {
    const ofPackage = proto.TransactionBody.prototype;
    const added = newerFields.fieldsArray.map(({ id, name }) => [id, name]);
    for (const { number, bodyField } of transactionTypes) {
      if (!(bodyField in ofPackage)) expect(added).toContainEqual([number, bodyField]);
    }
    for (const [number, name] of added.filter(([, name]) => name !== 'highVolume')) {
      expect(typeNumber[name as keyof typeof typeNumber]).toBe(number);
    }
  });

  it.each(transactionTypes)(
    '$name has the number, the body and the name of $bodyField',
    ({ number, bodyField, name, family }) => {
      const decoded = decodeTransactionBody(Buffer.concat(messageField(number, []).flat()));
      expect(decoded).toMatchObject({ type: number, problem: null });
      expect(Object.hasOwn(decoded.body, bodyField)).toBe(family !== 'internal');
      if (bodyField !== 'lambdaSstore') expect(name).toBe(bodyField.toUpperCase());
      expect(transactionTypeName(number)).toBe(name);
    },
  );

  it('has each number and each name once', () => {
    expect(new Set(transactionTypes.map(({ number }) => number)).size).toBe(transactionTypes.length);
    expect(new Set(transactionTypes.map(({ name }) => name)).size).toBe(transactionTypes.length);
    expect(transactionTypeName(999)).toBe('UNKNOWN');
  });
});
