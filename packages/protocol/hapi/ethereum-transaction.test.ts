import { RLP } from '@ethereumjs/rlp';
import * as fc from 'fast-check';
import { Transaction } from 'micro-eth-signer';
import { describe, expect, it } from 'vitest';
import {
  decodeEthereumTransaction,
  type EthereumTransaction,
  encodeEthereumTransaction,
} from './ethereum-transaction.ts';

const hex = (text: string) => Buffer.from(text, 'hex');
const privateKey = '0x4646464646464646464646464646464646464646464646464646464646464646';
const to = '0x3535353535353535353535353535353535353535';

// Signed by another implementation.
const signed = (fields: object): Buffer =>
  hex(
    (Transaction.prepare(fields as never) as { signBy(key: string): { toHex(): string } })
      .signBy(privateKey)
      .toHex()
      .slice(2),
  );

describe('legacy transactions', () => {
  // The example of EIP-155.
  const raw = hex(
    'f86c098504a817c800825208943535353535353535353535353535353535353535880de0b6b3a76400008025a028ef61340bd939bc2195fe537567866003e1a15d3c71ff63e1590620aa636276a067cbe9d8997f761aecb703304b3800ccf555c9f3dc64214b297fb1966a3b6d83',
  );

  it('have signed big-endian values, chain id and parity from v', () => {
    expect(decodeEthereumTransaction(raw)).toEqual({
      type: 0,
      chainId: hex('01'),
      nonce: 9n,
      gasPrice: hex('04a817c800'),
      maxPriorityFeePerGas: null,
      maxFeePerGas: null,
      gasLimit: 21_000n,
      toAddress: hex('35'.repeat(20)),
      value: hex('0de0b6b3a7640000'),
      callData: hex(''),
      accessList: null,
      authorizationList: null,
      recoveryId: 0,
      signatureV: hex('25'),
      signatureR: hex('28ef61340bd939bc2195fe537567866003e1a15d3c71ff63e1590620aa636276'),
      signatureS: hex('67cbe9d8997f761aecb703304b3800ccf555c9f3dc64214b297fb1966a3b6d83'),
    });
  });

  it.each([
    ['1b', null, 0],
    ['1c', null, 1],
    ['25', '01', 0],
    ['26', '01', 1],
    ['0273', '0128', 0],
    ['0123', '0080', 0],
  ])('with v 0x%s: chain id %s, recovery id %i', (v, chainId, recoveryId) => {
    const list = RLP.decode(raw) as Uint8Array[];
    list[6] = hex(v);
    const transaction = decodeEthereumTransaction(RLP.encode(list));
    expect([transaction.chainId?.toString('hex') ?? null, transaction.recoveryId]).toEqual([chainId, recoveryId]);
  });

  it.each([
    ['', '00'],
    ['01', '01'],
    ['7f', '7f'],
    ['80', '0080'],
    ['ffff', '00ffff'],
  ])('value 0x%s is kept as %s', (value, kept) => {
    const list = RLP.decode(raw) as Uint8Array[];
    list[4] = hex(value);
    expect(decodeEthereumTransaction(RLP.encode(list)).value.toString('hex')).toBe(kept);
  });
});

describe('typed transactions, signed by another implementation', () => {
  const accessList = [{ address: to, storageKeys: [`0x${'00'.repeat(31)}81`] }];
  const kept = [{ address: to, storage_keys: [`0x${'00'.repeat(31)}81`] }];
  const common = { to, value: 0n, nonce: 3n, gasLimit: 60_000n, chainId: 296n, data: '0xabcd', accessList };

  it('type 1', () => {
    const transaction = decodeEthereumTransaction(signed({ ...common, type: 'eip2930', gasPrice: 255n }));
    expect(transaction).toMatchObject({
      type: 1,
      chainId: hex('0128'),
      nonce: 3n,
      gasPrice: hex('ff'),
      maxFeePerGas: null,
      value: hex('00'),
      callData: hex('abcd'),
      accessList: kept,
      authorizationList: null,
      signatureV: null,
    });
  });

  it('type 2', () => {
    const raw = signed({ ...common, type: 'eip1559', maxFeePerGas: 1000n, maxPriorityFeePerGas: 0n });
    expect(decodeEthereumTransaction(raw)).toMatchObject({
      type: 2,
      gasPrice: null,
      maxPriorityFeePerGas: hex(''),
      maxFeePerGas: hex('03e8'),
      gasLimit: 60_000n,
      accessList: kept,
    });
  });

  it('type 4', () => {
    const authorization = { address: to, chainId: 296n, nonce: 7n, yParity: 1, r: 5n, s: 6n };
    const raw = signed({
      ...common,
      type: 'eip7702',
      maxFeePerGas: 1000n,
      maxPriorityFeePerGas: 0n,
      authorizationList: [authorization],
    });
    expect(decodeEthereumTransaction(raw)).toMatchObject({
      type: 4,
      authorizationList: [
        {
          address: to,
          chain_id: '0x0128',
          nonce: 7n,
          y_parity: '0x1',
          r: `0x${'5'.padStart(64, '0')}`,
          s: `0x${'6'.padStart(64, '0')}`,
        },
      ],
    });
  });
});

// Integers in RLP have no leading zero.
const integer = (maxLength: number) =>
  fc
    .uint8Array({ maxLength })
    .filter((array) => array[0] !== 0)
    .map((array) => Buffer.from(array));
const fixed = (length: number) =>
  fc.uint8Array({ minLength: length, maxLength: length }).map((array) => Buffer.from(array));
const text = (length: number) => fixed(length).map((array) => `0x${array.toString('hex')}`);
const int64 = fc.bigInt({ min: 0n, max: 2n ** 63n - 1n });
const parity = fc.integer({ min: 0, max: 1 });
const signedValue = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }).map((value) => {
  const digits = value.toString(16);
  const bytes = Buffer.from(digits.padStart(digits.length + (digits.length % 2), '0'), 'hex');
  return bytes[0]! > 0x7f ? Buffer.concat([Buffer.of(0), bytes]) : bytes;
});
const typed: fc.Arbitrary<EthereumTransaction> = fc
  .record({
    type: fc.constantFrom(1, 2, 4),
    chainId: integer(8),
    nonce: int64,
    gasPrice: integer(32),
    maxPriorityFeePerGas: integer(32),
    maxFeePerGas: integer(32),
    gasLimit: int64,
    toAddress: fc.oneof(fixed(0), fixed(20)),
    value: signedValue,
    callData: fc.uint8Array({ maxLength: 100 }).map((array) => Buffer.from(array)),
    accessList: fc.array(fc.record({ address: text(20), storage_keys: fc.array(text(32), { maxLength: 3 }) }), {
      maxLength: 3,
    }),
    authorizationList: fc.array(
      fc.record({
        address: text(20),
        chain_id: integer(8).map((array) => `0x${array.toString('hex')}`),
        nonce: int64,
        r: text(32),
        s: text(32),
        y_parity: fc.constantFrom('0x0', '0x1'),
      }),
      { maxLength: 3 },
    ),
    recoveryId: parity,
    signatureV: fc.constant(null),
    signatureR: integer(32),
    signatureS: integer(32),
  })
  .map((fields) => ({
    ...fields,
    gasPrice: fields.type === 1 ? fields.gasPrice : null,
    maxPriorityFeePerGas: fields.type === 1 ? null : fields.maxPriorityFeePerGas,
    maxFeePerGas: fields.type === 1 ? null : fields.maxFeePerGas,
    authorizationList: fields.type === 4 ? fields.authorizationList : null,
  }));

it('typed transactions come back from their bytes', () => {
  fc.assert(
    fc.property(typed, (transaction) => {
      expect(decodeEthereumTransaction(encodeEthereumTransaction(transaction))).toEqual(transaction);
    }),
  );
});

it('RLP that decodes encodes to the same bytes', () => {
  const bytes = fc.uint8Array({ maxLength: 40 });
  fc.assert(
    fc.property(fc.array(bytes, { minLength: 9, maxLength: 9 }), (list) => {
      const raw = Buffer.from(RLP.encode(list));
      try {
        expect(encodeEthereumTransaction(decodeEthereumTransaction(raw))).toEqual(raw);
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
      }
    }),
  );
});

describe('refused', () => {
  const legacy = ['09', '04', '5208', '35'.repeat(20), '', '', '25', '01', '02'].map(hex);
  const list = (...items: unknown[]) => Buffer.from(RLP.encode(items as never));

  it.each([
    ['no bytes', hex('')],
    ['an unknown type', Buffer.concat([hex('03'), list(...legacy)])],
    ['a list that is too short', list(...legacy.slice(1))],
    ['a list that is too long', list(...legacy, hex('01'))],
    ['bytes behind the list', Buffer.concat([list(...legacy), hex('00')])],
    ['a cut list', list(...legacy).subarray(0, -1)],
    ['a list as nonce', list([], ...legacy.slice(1))],
    ['an address of 19 bytes', list(...legacy.slice(0, 3), hex('35'.repeat(19)), ...legacy.slice(4))],
    ['a nonce beyond 64 bits', list(hex('ff'.repeat(8)), ...legacy.slice(1))],
    ['an integer with a leading zero', list(hex('0009'), ...legacy.slice(1))],
    ['a typed transaction without a list', hex('0205')],
    [
      'a length in more bytes than needed',
      hex(
        `f80c${Buffer.from(list(...legacy))
          .subarray(1, 13)
          .toString('hex')}`,
      ),
    ],
  ])('%s', (_name, raw) => expect(() => decodeEthereumTransaction(raw)).toThrow(RangeError));
});
