import { AbiCoder, Interface, ParamType } from 'ethers/abi';
import fc from 'fast-check';
import { createContract } from 'micro-eth-signer/abi.js';
import { describe, expect, it } from 'vitest';
import { type AbiSample, abiSample, type SampleValue } from '../test-support/evm/abi-values.ts';
import { toChecksumAddress } from './checksum-address.ts';
import { decodeCall, decodeCreation, decodeLog, decodeOutput, decodeRevert } from './decode-call.ts';
import type { DecodedValue } from './decoded-value.ts';
import { readAbi } from './read-abi.ts';

const coder = AbiCoder.defaultAbiCoder();
const toTypes = (samples: readonly AbiSample[]) => samples.map(({ parameter }) => ParamType.from(parameter));
const fromHex = (hex: string) => Buffer.from(hex.slice(2), 'hex');

/** What we show of a value. */
function toShown(parameter: AbiSample['parameter'], value: SampleValue): unknown {
  if (!Array.isArray(value)) return parameter.type === 'address' ? toChecksumAddress(value as string) : String(value);
  const item = parameter.type.replace(/\[\d*\]$/, '');
  const isList = item !== parameter.type;
  return value.map((one, index) => toShown(isList ? { ...parameter, type: item } : parameter.components![index]!, one));
}

function strip(values: readonly DecodedValue[] | null | undefined): unknown {
  return values?.map(({ value }) => (typeof value === 'string' ? value : strip(value)));
}

const samples = fc.array(abiSample({ depth: 3 }), { minLength: 1, maxLength: 4 });

describe('reads what others write', () => {
  it('ethers: calls, results, reverts and creations', () => {
    fc.assert(
      fc.property(samples, (given) => {
        const inputs = given.map(({ parameter }) => parameter);
        const json = [
          { type: 'function', name: 'f', inputs, outputs: inputs, stateMutability: 'view' },
          { type: 'error', name: 'f', inputs },
          { type: 'constructor', inputs },
        ];
        const abi = readAbi(json);
        const values = given.map(({ value }) => value);
        const call = fromHex(new Interface(json).encodeFunctionData('f', values));
        const data = fromHex(coder.encode(toTypes(given), values));
        const shown = given.map(({ parameter, value }) => toShown(parameter, value));
        const signature = `f(${toTypes(given)
          .map((type) => type.format('sighash'))
          .join(',')})`;
        expect(decodeCall(abi, call)).toMatchObject({ name: 'f', signature });
        expect(strip(decodeCall(abi, call)?.arguments)).toEqual(shown);
        expect(strip(decodeRevert(abi, call)?.arguments)).toEqual(shown);
        expect(strip(decodeOutput(abi.functions[0]!, data))).toEqual(shown);
        expect(strip(decodeCreation(abi, data)?.arguments)).toEqual(shown);
      }),
    );
  });

  it('ethers: logs, with the hash of what is indexed and longer than a word', () => {
    fc.assert(
      fc.property(samples, fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }), (given, flags) => {
        const indexed = given.map((_, index) => flags[index]! && index < 3);
        const json = {
          type: 'event',
          name: 'Happened',
          inputs: given.map(({ parameter }, index) => ({ ...parameter, indexed: indexed[index] })),
        };
        const isWord = ({ type }: AbiSample['parameter']) => !/[\]]|^tuple|^string$|^bytes$/.test(type);
        // ethers encodes no indexed lists and tuples.
        fc.pre(
          given.every(
            ({ parameter }, index) => !indexed[index] || isWord(parameter) || !/[\]]|^tuple/.test(parameter.type),
          ),
        );
        const { data, topics } = new Interface([json]).encodeEventLog(
          'Happened',
          given.map(({ value }) => value),
        );
        const decoded = decodeLog(readAbi([json]), topics.map(fromHex), fromHex(data));
        let topic = 1;
        for (const [index, { parameter, value }] of given.entries()) {
          const isHashed = indexed[index]! && !isWord(parameter);
          const shown = decoded!.arguments[index]!;
          expect(shown.isHashed).toBe(isHashed ? true : undefined);
          if (isHashed) expect(shown.value).toBe(topics[topic]);
          else expect(strip([shown])).toEqual([toShown(parameter, value)]);
          if (indexed[index]) topic += 1;
        }
      }),
    );
  });

  it('micro-eth-signer: calls', () => {
    fc.assert(
      fc.property(fc.array(abiSample({ depth: 2 }), { minLength: 2, maxLength: 4 }), (given) => {
        const json = [{ type: 'function', name: 'f', inputs: given.map(({ parameter }) => parameter), outputs: [] }];
        const values = given.map(({ parameter, value }) => toSigned(parameter, value));
        const call = Buffer.from(createContract(json as never).f!.encodeInput(values as never));
        expect(strip(decodeCall(readAbi(json), call)?.arguments)).toEqual(
          given.map(({ parameter, value }) => toShown(parameter, value)),
        );
      }),
    );
  });
});

/** It takes bytes where others take hex. */
function toSigned(parameter: AbiSample['parameter'], value: SampleValue): unknown {
  const item = parameter.type.replace(/\[\d*\]$/, '');
  if (!Array.isArray(value))
    return parameter.type.startsWith('bytes') ? new Uint8Array(fromHex(value as string)) : value;
  const isList = item !== parameter.type;
  return value.map((one, index) =>
    toSigned(isList ? { ...parameter, type: item } : parameter.components![index]!, one),
  );
}

const transfers = readAbi([
  event('Transfer', ['address', true], ['address', true], ['uint256', false]),
  event('Transfer', ['address', true], ['address', true], ['uint256', true]),
]);

function event(name: string, ...inputs: [string, boolean][]) {
  return { type: 'event', name, inputs: inputs.map(([type, indexed]) => ({ name: '', type, indexed })) };
}

const word = (value: number) => Buffer.from(value.toString(16).padStart(64, '0'), 'hex');

describe('logs', () => {
  const topic = Buffer.from(transfers.events[0]!.topic, 'hex');

  it('an event of a fungible token and one of a unique token differ by their topics alone', () => {
    expect(strip(decodeLog(transfers, [topic, word(1), word(2)], word(3))?.arguments)?.[2 as never]).toBe('3');
    expect(
      strip(decodeLog(transfers, [topic, word(1), word(2), word(4)], Buffer.alloc(0))?.arguments)?.[2 as never],
    ).toBe('4');
    expect(decodeLog(transfers, [topic, word(1)], word(3))).toBeNull();
  });

  it('topics are stored without leading zeros', () => {
    const short = [topic, Buffer.from([1]), Buffer.alloc(0)];
    expect(strip(decodeLog(transfers, short, word(3))?.arguments)).toEqual([
      '0x0000000000000000000000000000000000000001',
      '0x0000000000000000000000000000000000000000',
      '3',
    ]);
    expect(decodeLog(transfers, [Buffer.alloc(33)], word(3))).toBeNull();
  });

  it('an anonymous one is named if it can be no other', () => {
    const anonymous = { ...event('Quiet', ['uint256', true]), anonymous: true };
    expect(decodeLog(readAbi([anonymous]), [word(5)], Buffer.alloc(0))).toMatchObject({ name: 'Quiet' });
    const other = { ...event('Silent', ['uint256', true]), anonymous: true };
    expect(decodeLog(readAbi([anonymous, other]), [word(5)], Buffer.alloc(0))).toBeNull();
    expect(decodeLog(readAbi([]), [], Buffer.alloc(0))).toBeNull();
  });
});

describe('reverts', () => {
  const encoded = (selector: string, type: string, value: unknown) =>
    Buffer.concat([Buffer.from(selector, 'hex'), fromHex(coder.encode([type], [value]))]);

  it.each([
    ['Error(string)', encoded('08c379a0', 'string', 'too little'), 'too little'],
    ['Panic(uint256)', encoded('4e487b71', 'uint256', 17), '17'],
  ])('%s needs no ABI', (signature, data, value) => {
    expect(decodeRevert(null, data)).toMatchObject({ signature, arguments: [{ value }] });
  });

  it('text that is no UTF-8 is shown as far as it can be', () => {
    const data = Buffer.concat([
      Buffer.from('08c379a0', 'hex'),
      word(32),
      word(3),
      Buffer.from('61ff62', 'hex'),
      Buffer.alloc(29),
    ]);
    expect(decodeRevert(null, data)?.arguments[0]).toMatchObject({ value: 'a\ufffdb' });
  });
});

describe('data that an attacker wrote', () => {
  const abi = readAbi([
    { type: 'function', name: 'f', inputs: [{ type: 'bytes[]', name: 'x' }] },
    { type: 'function', name: 'g', inputs: [{ type: 'uint256[][][][][][]', name: 'x' }] },
    { type: 'function', name: 'h', inputs: [{ type: 'string', name: 'x' }] },
    { type: 'function', name: 'i', inputs: [{ type: 'uint8[60000]', name: 'x' }] },
  ]);
  const call = (name: string, ...words: Buffer[]) =>
    Buffer.concat([Buffer.from(abi.functions.find((one) => one.name === name)!.selector, 'hex'), ...words]);

  it('one piece read very often', () => {
    const count = 32_000;
    const offsets = Array.from({ length: count }, () => word(32 * count));
    const decoded = decodeCall(abi, call('f', word(32), word(count), ...offsets, word(2), Buffer.alloc(32, 7)))!;
    const [list] = decoded.arguments;
    expect(list!.value).toHaveLength(count - list!.omitted!);
    expect(list!.value.length).toBeLessThan(2_001);
    expect((list!.value as DecodedValue[])[0]!.value).toBe('0x0707');
  });

  it('lists within themselves', () => {
    // Every offset leads to a list of 20 offsets that lead to the same list.
    const list = [word(20), ...Array.from({ length: 20 }, () => word(0))];
    for (let item = 1; item <= 20; item++) list[item] = word(0);
    const data = call('g', word(32), ...list);
    const sizes = JSON.stringify(decodeCall(abi, data));
    expect(sizes.length).toBeLessThan(400_000);
  });

  it('text and fixed lists beyond the limit are cut, and say how much is missing', () => {
    const size = 1_000_000;
    const decoded = decodeCall(abi, call('h', word(32), word(size), Buffer.alloc(size, 'a')));
    expect(decoded!.arguments[0]!.value.length + decoded!.arguments[0]!.omitted!).toBe(size);
    const [list] = decodeCall(abi, call('i', Buffer.alloc(60_000 * 32)))!.arguments;
    expect(list!.value.length + list!.omitted!).toBe(60_000);
  });

  it('is read within its bounds, or not at all', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('f', 'g', 'h', 'i'),
        fc.array(
          fc.oneof(
            fc.nat(400),
            fc.nat(7).map((n) => n * 32),
            fc.constantFrom(2 ** 32, 2 ** 52),
          ),
          { maxLength: 40 },
        ),
        fc.nat(31),
        (name, words, cut) => {
          const data = call(name, ...words.map(word));
          const decoded = decodeCall(abi, data.subarray(0, Math.max(4, data.length - cut)));
          expect(JSON.stringify(decoded).length).toBeLessThan(500_000);
        },
      ),
      { numRuns: 500 },
    );
  });

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['less than a selector', Buffer.alloc(3)],
    ['another selector', Buffer.alloc(36)],
    ['no arguments', Buffer.from(abi.functions[0]!.selector, 'hex')],
  ])('%s', (_case, data) => {
    expect(decodeCall(abi, data)).toBeNull();
  });
});

it('calls without data are those of receive()', () => {
  expect(decodeCall(readAbi([{ type: 'receive', stateMutability: 'payable' }]), Buffer.alloc(0))).toEqual({
    name: 'receive',
    signature: 'receive()',
    arguments: [],
  });
});
