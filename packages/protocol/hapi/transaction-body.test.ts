import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bytesField, intField, messageField, type WireField } from '../wire-writer.ts';
import { proto, toBigInt } from './hapi.ts';
import { decodeTransactionBody, decodeTransactionRecord } from './transaction-body.ts';

const toBuffer = (...fields: WireField[]) => Buffer.concat(fields.flat());
const transactionID = {
  accountID: { accountNum: 1001 },
  transactionValidStart: { seconds: 1_700_000_000, nanos: 7 },
} as unknown as proto.ITransactionID;
const around = Buffer.from(proto.TransactionBody.encode({ memo: 'm', transactionID }).finish());
const bodyOf = (...fields: WireField[]) => Buffer.concat([around, toBuffer(...fields)]);
const record = (...fields: WireField[]) =>
  Buffer.concat([proto.TransactionRecord.encode({ memo: 'm' }).finish(), toBuffer(...fields)]);

describe('the type of a body', () => {
  const field = (number: number) => messageField(number, []);
  it.each([
    ['a known type', [field(1), field(14), bytesField(6, Buffer.from('memo'))], 14],
    ['the last one of two', [field(14), field(11)], 11],
    ['an unknown type', [field(1), field(99)], 99],
    ['a known type before an unknown one', [field(14), field(99)], 14],
    ['an unknown type beyond 16 bits', [field(1), field(70_000)], 0],
    ['two unknown types', [field(98), field(99)], 0],
    ['no type', [field(1), field(73), field(1001)], 0],
    ['an unknown number field', [intField(99, 5)], 0],
  ])('%s', (_name, fields, type) =>
    expect(decodeTransactionBody(toBuffer(...fields))).toMatchObject({ type, problem: null }),
  );
});

describe('fields that the package lacks', () => {
  const address = Buffer.alloc(20, 0xde);
  const endpoint = messageField(3, [
    bytesField(2, Buffer.from('block.example')),
    intField(3, 40840),
    intField(4, 1),
    messageField(5, [bytesField(1, Buffer.of(1, 3))]),
  ]);

  it.each([
    [
      'the delegation of a new account',
      messageField(11, [bytesField(20, address)]),
      { cryptoCreateAccount: { delegationAddress: address } },
    ],
    [
      'the delegation of a changed account',
      messageField(15, [bytesField(21, address)]),
      { cryptoUpdateAccount: { delegationAddress: address } },
    ],
    [
      'the ledger id',
      messageField(77, [bytesField(1, Buffer.of(9)), messageField(3, [bytesField(3, Buffer.of(8))])]),
      { ledgerIdPublication: { ledgerId: Buffer.of(9), nodeContributions: [{ historyProofKey: Buffer.of(8) }] } },
    ],
    [
      'a registered node',
      messageField(78, [bytesField(1, Buffer.of(0x12, 0)), bytesField(2, Buffer.from('🪙')), endpoint]),
      {
        registeredNodeCreate: {
          adminKey: Buffer.of(0x12, 0),
          description: '🪙',
          serviceEndpoint: [
            { domainName: 'block.example', port: 40840, requiresTls: true, blockNode: { endpointApi: [1, 3] } },
          ],
        },
      },
    ],
    [
      'a changed registered node',
      messageField(79, [messageField(3, [bytesField(1, Buffer.from('d'))])]),
      { registeredNodeUpdate: { description: { value: 'd' }, serviceEndpoint: [] } },
    ],
  ])('%s', (_name, field, expected) => {
    const { body, problem } = decodeTransactionBody(bodyOf(field));
    expect(problem).toBeNull();
    expect(body).toMatchObject({ memo: 'm', ...expected });
  });

  it('stand beside those that it has', () => {
    const known = Buffer.from(proto.CryptoCreateTransactionBody.encode({ memo: 'account' }).finish());
    const { body } = decodeTransactionBody(bodyOf(messageField(11, [[known], bytesField(20, address)])));
    expect(body.cryptoCreateAccount).toMatchObject({ memo: 'account', delegationAddress: address });
  });

  it('are exact in 64 bits', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 2n ** 63n - 1n }), (number) => {
        const { body } = decodeTransactionBody(bodyOf(messageField(80, [intField(1, number)])));
        expect(toBigInt(body.registeredNodeDelete?.registeredNodeId)).toBe(number);
        const { highVolumePricingMultiplier } = decodeTransactionRecord(record(intField(23, number)), {
          highVolume: true,
        });
        expect(toBigInt(highVolumePricingMultiplier)).toBe(number);
      }),
    );
  });

  it.each([
    ['asked for', bodyOf(messageField(14, []), intField(1002, 1)), true],
    ['not asked for', bodyOf(messageField(14, [])), undefined],
    ['the bytes of its tag, but within a text', bodyOf(bytesField(6, Buffer.of(0xd0, 0x3e, 1))), undefined],
    ['asked for, then taken back', bodyOf(intField(1002, 1), [Buffer.of(0xd0, 0x3e, 0)]), false],
  ])('the high-volume lane: %s', (_name, bytes, expected) => {
    expect(decodeTransactionBody(bytes).body.highVolume).toBe(expected);
  });

  it('of a record: the id of a registered node beside the status', () => {
    const { body } = decodeTransactionBody(bodyOf(messageField(78, [])));
    const { receipt } = decodeTransactionRecord(record(messageField(1, [intField(1, 22), intField(16, 5)])), body);
    expect(receipt).toMatchObject({ status: 22 });
    expect(toBigInt(receipt?.registeredNodeId)).toBe(5n);
  });
});

describe('a body whose data cannot be decoded', () => {
  const broken = [Buffer.of(0x0f)];

  it.each([14, 54, 75, 77, 78])('of type %i keeps what stands around it', (type) => {
    const { body, problem, ...rest } = decodeTransactionBody(bodyOf(messageField(type, [broken]), intField(1002, 1)));
    expect(problem).not.toBeNull();
    expect(rest).toEqual({ type });
    expect(body).toMatchObject({ memo: 'm', highVolume: true, transactionID: { transactionValidStart: { nanos: 7 } } });
    expect(toBigInt(body.transactionID?.accountID?.accountNum)).toBe(1001n);
  });

  it.each([65, 71])('is no problem where the nodes talk to each other (type %i)', (type) => {
    const { body, ...rest } = decodeTransactionBody(bodyOf(messageField(type, [broken])));
    expect(rest).toEqual({ type, problem: null });
    expect(body).toMatchObject({ memo: 'm' });
  });

  it('throws nothing but what says why', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (data) => {
        const { type, body } = decodeTransactionBody(bodyOf(bytesField(14, data)));
        expect([type, body.memo]).toEqual([14, 'm']);
      }),
    );
  });
});
