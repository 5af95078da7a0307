import { Interface } from 'ethers/abi';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readAbi } from '../../../packages/abi/read-abi.ts';
import { encodeEntityId } from '../../../packages/protocol/hapi/entity-id.ts';
import { proto } from '../../../packages/protocol/hapi/hapi.ts';
import { readSentCall } from './read-sent-call.ts';
import { functionOf, readCall, readLog, readRevert, systemAbiOf } from './usual-names.ts';

const to = `0x${'00'.repeat(18)}1234`;
const bytesOf = (hex: string): Buffer => Buffer.from(hex.slice(2), 'hex');
const call = (line: string, ...values: unknown[]): Buffer => {
  const encoder = new Interface([`function ${line}`]);
  return bytesOf(encoder.encodeFunctionData(encoder.fragments[0] as never, values));
};
const log = (line: string, ...values: unknown[]) => {
  const encoder = new Interface([`event ${line}`]);
  const { topics, data } = encoder.encodeEventLog(encoder.fragments[0] as never, values);
  return { topics: topics.map(bytesOf), data: bytesOf(data) };
};
const transfer = call('transfer(address to, uint256 value)', to, 5n);
const checked = readAbi([
  {
    type: 'function',
    name: 'transfer',
    inputs: [
      { name: 'whom', type: 'address' },
      { name: 'how_much', type: 'uint256' },
    ],
    outputs: [{ name: 'ok', type: 'bool' }],
  },
  {
    type: 'event',
    name: 'Transfer',
    inputs: [
      { name: 'a', type: 'address', indexed: true },
      { name: 'b', type: 'address', indexed: true },
      { name: 'c', type: 'uint256', indexed: false },
    ],
  },
]);

describe('a call', () => {
  it('of an unchecked contract is read by its name, and says so', () => {
    expect(readCall(null, transfer)).toMatchObject({
      signature: 'transfer(address,uint256)',
      arguments: [{ name: 'to' }, { name: 'value', value: '5' }],
      isByName: true,
    });
  });

  it('is read by checked sources first, which are not marked', () => {
    const read = readCall(checked, transfer)!;
    expect(read.arguments.map(({ name }) => name)).toEqual(['whom', 'how_much']);
    expect(read.isByName).toBe(undefined);
    expect(functionOf(checked, read)!.outputs[0]!.name).toBe('ok');
    // What the sources do not have, a contract behind them may.
    expect(readCall(checked, call('owner()'))).toMatchObject({ name: 'owner', isByName: true });
  });

  it.each([
    ['no data', Buffer.alloc(0)],
    ['less than a selector', transfer.subarray(0, 3)],
    ['arguments that are cut off', transfer.subarray(0, 40)],
    ['a selector that nobody knows', Buffer.from('deadbeef', 'hex')],
  ])('with %s has no name', (_, data) => {
    expect(readCall(null, data)).toBe(null);
  });

  it('of a struct has its members', () => {
    const line = 'aggregate3((address target, bool allowFailure, bytes callData)[] calls)';
    const [calls] = readCall(null, call(line, [[to, true, '0x01']]))!.arguments;
    expect(calls).toMatchObject({ name: 'calls', value: [{ value: [{ name: 'target' }, { value: 'true' }, {}] }] });
  });

  it('returns what the usual function does', () => {
    const read = readCall(null, call('getReserves()'))!;
    expect(functionOf(null, read)!.outputs.map(({ type }) => type.text)).toEqual(['uint112', 'uint112', 'uint32']);
  });
});

describe('a log', () => {
  it.each([
    ['Transfer(address indexed from, address indexed to, uint256 value)', 'value'],
    ['Transfer(address indexed from, address indexed to, uint256 indexed tokenId)', 'tokenId'],
  ])('%s is told from others of its topic by what is indexed', (line, last) => {
    const { topics, data } = log(line, to, to, 7n);
    const read = readLog(null, topics, data)!;
    expect([read.arguments.at(-1), read.isByName]).toEqual([{ name: last, type: 'uint256', value: '7' }, true]);
  });

  it('is read by checked sources first', () => {
    const { topics, data } = log('Transfer(address indexed a, address indexed b, uint256 c)', to, to, 7n);
    const read = readLog(checked, topics, data)!;
    expect([read.arguments.at(-1)!.name, read.isByName]).toEqual(['c', undefined]);
  });

  it('without topics, or with other ones, has no name', () => {
    expect(readLog(null, [], Buffer.alloc(32))).toBe(null);
    expect(readLog(null, [Buffer.alloc(33, 1)], Buffer.alloc(0))).toBe(null);
  });
});

it('an error is read by its name, but for those of the language', () => {
  const encoder = new Interface(['error OwnableUnauthorizedAccount(address account)', 'error Error(string)']);
  const known = bytesOf(encoder.encodeErrorResult('OwnableUnauthorizedAccount', [to]));
  expect(readRevert(null, known)).toMatchObject({ name: 'OwnableUnauthorizedAccount', isByName: true });
  expect(readRevert(null, bytesOf(encoder.encodeErrorResult('Error', ['no'])))!.isByName).toBe(undefined);
});

it.each([
  [0x167n, 'mintToken(address,int64,bytes[])'],
  [0x167n, 'redirectForToken(address,bytes)'],
  [0x168n, 'tinycentsToTinybars(uint256)'],
  [0x169n, 'getPseudorandomSeed()'],
  [0x16an, 'isAuthorizedRaw(address,bytes,bytes)'],
  [0x16bn, 'scheduleCall(address,uint256,uint256,uint64,bytes)'],
  [0x16cn, 'updateNFTsMetadata(address,int64[],bytes)'],
])('the system contract %d has %s, and so has the table of names', (num, signature) => {
  const id = encodeEntityId(1n, 2n, num);
  const known = systemAbiOf(id)!.functions.find((one) => one.signature === signature)!;
  expect(known).toBeDefined();
  expect(functionOf(null, { name: '', signature, arguments: [], isByName: true })!.selector).toBe(known.selector);
  expect(systemAbiOf(encodeEntityId(1n, 2n, 1001n))).toBe(null);
});

it('any bytes are read without an error', () => {
  const selectors = [
    transfer,
    call('multicall(bytes[] data)', []),
    call('aggregate((address a, bytes b)[] calls)', []),
  ];
  const start = fc.constantFrom(...selectors.map((data) => data.subarray(0, 4)), Buffer.alloc(0));
  fc.assert(
    fc.property(
      start,
      fc.uint8Array({ maxLength: 300 }),
      fc.array(fc.uint8Array({ maxLength: 33 })),
      (head, rest, topics) => {
        const data = Buffer.concat([head, rest]);
        for (const read of [readCall(null, data), readRevert(null, data)])
          expect(read?.arguments ?? []).toBeInstanceOf(Array);
        readLog(
          null,
          topics.map((topic) => Buffer.from(topic)),
          data,
        );
        for (const type of [7, 50])
          expect(readSentCall({ type, bytes: data })).toSatisfy((read) => read === null || 'name' in read);
      },
    ),
  );
});

describe('a transaction that is stored with its bytes', () => {
  const sent = (body: proto.ITransactionBody): Buffer =>
    Buffer.from(
      proto.Transaction.encode({
        signedTransactionBytes: proto.SignedTransaction.encode({
          bodyBytes: proto.TransactionBody.encode(body).finish(),
        }).finish(),
      }).finish(),
    );
  const contractCall = sent({ contractCall: { functionParameters: transfer } });
  /** Legacy, unsigned values but of the right form: nonce, price, limit, to, value, data, v, r, s. */
  const ethereumOf = (address: string): Buffer => {
    const items = ['01', '02', '03', address, '', transfer.toString('hex'), '1b', '11'.repeat(32), '22'.repeat(32)];
    const encoded = Buffer.concat(items.map((hex) => encodeItem(Buffer.from(hex, 'hex'))));
    return Buffer.concat([Buffer.of(0xf8, encoded.length), encoded]);
  };
  const encodeItem = (bytes: Buffer): Buffer =>
    bytes.length === 1 && bytes[0]! < 0x80
      ? bytes
      : bytes.length < 56
        ? Buffer.concat([Buffer.of(0x80 + bytes.length), bytes])
        : Buffer.concat([Buffer.of(0xb8, bytes.length), bytes]);

  it.each([
    ['a contract call', 7, contractCall, 'transfer'],
    [
      'an Ethereum transaction',
      50,
      sent({ ethereumTransaction: { ethereumData: ethereumOf(to.slice(2)) } }),
      'transfer',
    ],
    ['an Ethereum transaction that creates', 50, sent({ ethereumTransaction: { ethereumData: ethereumOf('') } }), null],
    ['one whose data is in a file', 50, sent({ ethereumTransaction: {} }), null],
    ['a contract call with the type of another', 14, contractCall, null],
    ['a call without bytes', 7, null, null],
    ['bytes of another type', 50, contractCall, null],
  ])('%s', (_, type, bytes, name) => {
    expect(readSentCall({ type, bytes })?.name ?? null).toBe(name);
  });
});
