import { Interface } from 'ethers/abi';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { abiSample } from '../test-support/evm/abi-values.ts';
import { listFunctions } from './list-functions.ts';
import { readAbi } from './read-abi.ts';

it('signatures, selectors and topics are those of ethers', () => {
  fc.assert(
    fc.property(fc.array(abiSample({ depth: 3 }), { maxLength: 4 }), (given) => {
      const inputs = given.map(({ parameter }) => parameter);
      const json = ['function', 'event', 'error'].map((type) => ({ type, name: 'n_1', inputs, outputs: [] }));
      const theirs = new Interface(json);
      const { functions, events, errors } = readAbi(json);
      expect(functions[0]).toMatchObject({ signature: theirs.getFunction('n_1')!.format() });
      expect(`0x${functions[0]!.selector}`).toBe(theirs.getFunction('n_1')!.selector);
      expect(`0x${events[0]!.topic}`).toBe(theirs.getEvent('n_1')!.topicHash);
      expect(`0x${errors[0]!.selector}`).toBe(theirs.getError('n_1')!.selector);
    }),
  );
});

it('functions are listed with what a form needs', () => {
  const pair = {
    name: 'pair',
    type: 'tuple[2][]',
    components: [
      { name: 'a', type: 'uint' },
      { name: '', type: 'bool' },
    ],
  };
  const json = [
    { type: 'function', name: 'get', inputs: [pair], outputs: [{ name: '', type: 'string' }], stateMutability: 'view' },
    { type: 'function', name: 'old', inputs: [], outputs: [], constant: true },
    { name: 'pay', inputs: [], outputs: [], payable: true },
    { type: 'function', name: 'set', inputs: [], stateMutability: 'nonpayable' },
  ];
  expect(listFunctions(readAbi(json))).toMatchObject([
    {
      name: 'get',
      isRead: true,
      inputs: [
        {
          name: 'pair',
          type: '(uint256,bool)[2][]',
          members: [
            { name: 'a', type: 'uint256' },
            { name: '', type: 'bool' },
          ],
        },
      ],
      outputs: [{ type: 'string' }],
    },
    { name: 'old', isRead: true },
    { name: 'pay', isRead: false, isPayable: true },
    { name: 'set', isRead: false, isPayable: false },
  ]);
});

describe('an ABI that an attacker wrote', () => {
  const nested = (depth: number): object =>
    depth === 0 ? { name: 'x', type: 'uint8' } : { name: 'x', type: 'tuple', components: [nested(depth - 1)] };
  const f = (...inputs: unknown[]) => ({ type: 'function', name: 'f', inputs, outputs: [] });

  it.each<[string, unknown]>([
    ['no list', { 0: f() }],
    ['null', null],
    ['text', 'abi'],
    ['entries that are none', [null, 1, 'x', [f()], undefined]],
    [
      'names that are none',
      [
        { ...f(), name: 'f()' },
        { ...f(), name: 7 },
        { ...f(), name: 'x'.repeat(129) },
        { ...f(), name: '' },
      ],
    ],
    ['inputs that are none', [{ ...f(), inputs: {} }, f(null), f('uint8'), f({ type: 3 })]],
    [
      'types that are none',
      [
        'uint7',
        'uint264',
        'int0',
        'bytes33',
        'bytes0',
        'uint8[',
        'uint8]',
        'x',
        '',
        'tuple',
        'uint8[0]',
        'function[]x',
        '__proto__',
        'constructor',
      ].map((type) => f({ type })),
    ],
    [
      'lists too large',
      [f({ type: 'uint8[99999999999]' }), f({ type: 'uint8[1000][1000]' }), f({ type: `uint8${'[]'.repeat(9)}` })],
    ],
    ['tuples too deep', [f(nested(10)), f(nested(5_000))]],
    ['empty tuples', [f({ type: 'tuple[]', components: [] })]],
    ['too many inputs', [f(...Array.from({ length: 257 }, () => ({ type: 'uint8' })))]],
    ['a type too long', [f({ type: `uint8${'[1]'.repeat(1000)}` })]],
    ['outputs that are none', [{ ...f(), outputs: [{ type: 'nothing' }] }]],
    ['inherited members', [Object.create(f())]],
  ])('%s', (_case, json) => {
    expect(readAbi(json)).toEqual({ functions: [], events: [], errors: [], creation: [], hasReceive: false });
  });

  it('names of prototypes are names', () => {
    const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'then', 'length'];
    const json = JSON.parse(
      `[${names.map((name) => `{"type":"function","name":"${name}","inputs":[{"name":"${name}","type":"uint8"}],"outputs":[]}`)}]`,
    );
    expect(readAbi(json).functions.map(({ name, inputs }) => [name, inputs[0]!.name])).toEqual(
      names.map((name) => [name, name]),
    );
  });

  it('an entry counts once, and thousands of them cost little', () => {
    expect(readAbi([f(), f(), f({ type: 'uint8' })]).functions).toHaveLength(2);
    const wide = {
      type: 'tuple',
      components: Array.from({ length: 200 }, (_, i) => ({ name: `n${i}`, type: 'uint256' })),
    };
    const many = Array.from({ length: 100_000 }, (_, i) => ({ ...f(wide), name: `f${i}` }));
    const started = process.cpuUsage();
    expect(readAbi(many).functions.length).toBeLessThan(2_001);
    expect(process.cpuUsage(started).user / 1000).toBeLessThan(2_000);
  });

  it('any JSON is read without an error', () => {
    const type = fc.oneof(fc.string(), fc.constantFrom('tuple', 'tuple[]', 'uint256', 'string[3]'));
    const parameter = fc.letrec((tie) => ({
      one: fc.record({
        name: fc.anything(),
        type: fc.oneof(type, fc.anything()),
        components: fc.oneof({ depthSize: 'small' }, fc.anything(), fc.array(tie('one'))),
      }),
    })).one;
    const entry = fc.record(
      {
        type: fc.oneof(
          fc.constantFrom('function', 'event', 'error', 'constructor', 'receive', 'fallback'),
          fc.anything(),
        ),
        name: fc.oneof(fc.constantFrom('f', '__proto__'), fc.anything()),
        inputs: fc.oneof(fc.array(parameter), fc.anything()),
        outputs: fc.oneof(fc.array(parameter), fc.anything()),
      },
      { requiredKeys: [] },
    );
    fc.assert(fc.property(fc.array(fc.oneof(entry, fc.anything())), (json) => void listFunctions(readAbi(json))));
  });
});
