import { Interface } from 'ethers/abi';
import fc from 'fast-check';
import { createContract } from 'micro-eth-signer/abi.js';
import { describe, expect, it } from 'vitest';
import { usualRealm } from '../protocol/hapi/system-entity.ts';
import { abiSample } from '../test-support/evm/abi-values.ts';
import { ledgerAddresses } from '../verification/terms/contract-address.ts';
import { decodeCall } from './decode-call.ts';
import { encodeCall } from './encode-call.ts';
import { readAbi } from './read-abi.ts';

const one = (type: string, components?: object[]) =>
  readAbi([{ type: 'function', name: 'f', inputs: [{ name: 'amount', type, components }], outputs: [] }]);

describe('texts become the call that others make of the values', () => {
  it('ethers, for all types', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(abiSample({ depth: 3 }), { maxLength: 4 }), async (given) => {
        const json = [{ type: 'function', name: 'f', inputs: given.map(({ parameter }) => parameter), outputs: [] }];
        const abi = readAbi(json);
        const texts = given.map(({ parameter, value, typed }) => (parameter.type === 'string' ? String(value) : typed));
        const encoded = encodeCall(abi, 'f', texts);
        const expected = new Interface(json).encodeFunctionData(
          'f',
          given.map(({ value }) => value),
        );
        expect(encoded).toMatchObject({ data: Buffer.from(expected.slice(2), 'hex') });
        expect(encodeCall(abi, abi.functions[0]!.signature, texts)).toEqual(encoded);
        expect(encodeCall(abi, `0x${abi.functions[0]!.selector}`, texts)).toEqual(encoded);
      }),
    );
  });

  it('micro-eth-signer, for a list of tuples by member', async () => {
    const components = [
      { name: 'to', type: 'address' },
      { name: 'parts', type: 'uint64[]' },
    ];
    const json = [{ type: 'function', name: 'f', inputs: [{ name: 'all', type: 'tuple[]', components }], outputs: [] }];
    const to = `0x${'1234567890'.repeat(4)}`;
    const text = `[ {"parts": [1, 0x10, 2e3], "to": "${to}"}, (${to}, []) ]`;
    const expected = createContract(json as never).f!.encodeInput([
      { to, parts: [1n, 16n, 2000n] },
      { to, parts: [] },
    ] as never);
    expect(encodeCall(readAbi(json), 'f', [text])).toMatchObject({ data: Buffer.from(expected) });
  });
});

it.each([
  ['uint8', '255', '255'],
  ['uint8', ' 0xff ', '255'],
  ['int8', '-128', '-128'],
  ['uint256', '15e17', '1500000000000000000'],
  ['uint256', `${2n ** 256n - 1n}`, `${2n ** 256n - 1n}`],
  ['bool', 'TRUE', 'true'],
  ['bool', '0', 'false'],
  ['address', '0.0.16', '0x0000000000000000000000000000000000000010'],
  ['address', '0X52908400098527886E0F7030069857D2E4169EE7', '0x52908400098527886E0F7030069857D2E4169EE7'],
  ['bytes', '0x', '0x'],
  ['bytes3', '0xABCDEF', '0xabcdef'],
  ['string', ' "as typed" ', ' "as typed" '],
  ['string', '', ''],
  ['function', `0x${'ab'.repeat(24)}`, `0x${'ab'.repeat(24)}`],
])('%s %s', async (type, text, shown) => {
  const abi = one(type);
  const encoded = encodeCall(abi, 'f', [text], ledgerAddresses(usualRealm));
  const decoded = 'data' in encoded ? decodeCall(abi, encoded.data) : null;
  expect(decoded?.arguments[0]?.value).toBe(shown);
});

it.each([
  ['uint8', '256', 'uint8 goes from 0 to 255'],
  ['uint8', '-1', 'uint8 goes from 0 to 255'],
  ['int8', '128', 'int8 goes from -128 to 127'],
  ['uint256', '9'.repeat(78), 'uint256 goes from'],
  ['uint8', '1.5', '"1.5" is no integer'],
  ['uint8', '', 'nothing is no integer'],
  ['uint8', '0x1e5', 'uint8 goes from'],
  ['uint256', '1e100', 'is no integer'],
  ['bool', 'yes', '"yes" is neither true nor false'],
  ['address', '0x12', 'is no address'],
  ['address', '0x52908400098527886E0F7030069857D2E4169Ee7', 'is no address'],
  ['address', '0.0.1001', 'is no address'],
  ['bytes', '0x1', 'is no hex'],
  ['bytes', '12', 'is no hex'],
  ['bytes4', '0x010203', '4 bytes are wanted, not 3'],
  ['uint8[]', '1, 2', 'stands behind the end'],
  ['uint8[]', '7', 'is a list'],
  ['uint8[2]', '[1]', 'uint8[2] has 2 items, not 1'],
  ['uint8[]', '[1', 'the closing ] is missing'],
  ['uint8[]', '[1 2]', 'is no integer'],
  ['uint8[]', '[1,]', 'a value is missing'],
  ['uint8[]', '["1]', 'a closing quotation mark is missing'],
  ['string[]', '["\\x"]', 'is no text as in JSON'],
  ['string[]', '["\\ud800"]', 'half of a surrogate pair'],
  ['string', '\ud800', 'half of a surrogate pair'],
  ['uint8[]', '[[1]]', 'a list stands'],
])('%s %s: %s', async (type, text, problem) => {
  const encoded = encodeCall(one(type), 'f', [text]);
  expect(encoded).toMatchObject({ argument: 'amount', problem: expect.stringContaining(`amount (${type}): `) });
  expect(encoded).toMatchObject({ problem: expect.stringContaining(problem) });
});

it.each([
  ['brackets', 'uint8[]', '['.repeat(1000), 'deeper than 24 levels'],
  ['items', 'uint8[]', `[${'1,'.repeat(20_000)}1]`, 'more than 10000 values'],
  ['text', 'string', 'x'.repeat(200_001), 'longer than 200000 characters'],
])('too many %s', async (_what, type, text, problem) => {
  expect(encodeCall(one(type), 'f', [text])).toMatchObject({ problem: expect.stringContaining(problem) });
});

it.each([
  ['{"a": 1}', 'has 2 members, not 1'],
  ['{"a": 1, "a": 2}', 'the member "a" stands twice'],
  ['{"a": 1, "__proto__": 2}', 'the member b of (uint8,uint8) is missing'],
  ['{"a" 1}', 'a colon is missing after "a"'],
  ['7', '(uint8,uint8) is a tuple'],
])('a tuple as %s: %s', async (text, problem) => {
  const abi = one('tuple', [
    { name: 'a', type: 'uint8' },
    { name: 'b', type: 'uint8' },
  ]);
  expect(encodeCall(abi, 'f', [text])).toMatchObject({ problem: expect.stringContaining(problem) });
});

it('the function must be certain', async () => {
  const f = (...types: string[]) => ({
    type: 'function',
    name: 'f',
    inputs: types.map((type) => ({ type, name: '' })),
    outputs: [],
  });
  const abi = readAbi([f('uint8'), f('uint8', 'bool')]);
  expect(encodeCall(abi, 'f', ['1'])).toEqual({
    problem: '"f" is the name of 2 functions: name one by its signature, such as f(uint8)',
    argument: null,
  });
  expect(encodeCall(abi, 'g', [])).toEqual({ problem: 'the contract has no function "g"', argument: null });
  expect(encodeCall(abi, 'f( uint8 )', [])).toEqual({
    problem: 'f(uint8) takes 1 argument, not 0',
    argument: null,
  });
  expect(encodeCall(abi, 'f(uint8,bool)', ['1', 'x'])).toMatchObject({ argument: '#2' });
});

it('any texts give a call or a sentence', async () => {
  const abi = one('tuple[]', [
    { name: 'a', type: 'string' },
    { name: 'b', type: 'bytes[2]' },
  ]);
  const piece = fc.constantFrom('[', ']', '(', ')', '{', '}', ',', ':', '"', '\\', 'a', 'b', '0x12', ' ');
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 30 }), async (pieces) => {
      const encoded = encodeCall(abi, 'f', [pieces.join('')]);
      expect('data' in encoded || encoded.problem.length > 0).toBe(true);
    }),
    { numRuns: 1000 },
  );
});
