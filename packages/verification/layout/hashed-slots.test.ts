// Slots that are hashes, against a contract that a compiler laid out and a machine of others filled.
import { createEVM } from '@ethereumjs/evm';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { openKeptCompiler, soljsonOf } from '../../test-support/verification/kept-compilers.ts';
import { createSlotReader } from './hashed-slots.ts';
import { readStorageVariable } from './storage-variables.ts';

const source = `pragma solidity ^0.8.20;
contract Kept {
  enum Phase { One, Two }
  struct Entry { uint64 since; address who; mapping(address => uint256) votes; uint32[] days_; }
  uint256 plain;
  mapping(address => uint256) balances;
  mapping(address => mapping(address => uint256)) allowances;
  mapping(uint256 => Entry) entries;
  mapping(bytes4 => bool) known;
  mapping(Phase => uint8) phases;
  mapping(string => uint256) byName;
  uint32[] small;
  Entry[] list;
  string long;
  constructor(address a, address b) {
    plain = 1;
    balances[a] = 100; balances[b] = 200;
    allowances[a][b] = 300;
    entries[7].since = 8; entries[7].who = b; entries[7].votes[a] = 9; entries[7].days_.push(10);
    known[0x01ffc9a7] = true;
    phases[Phase.Two] = 11;
    byName["unknown"] = 12;
    for (uint32 i = 0; i < 10; i++) small.push(i + 20);
    list.push(); list.push(); list[1].who = a; list[1].since = 13;
    long = "a text that is longer than the thirty-one bytes of a slot";
  }
}`;
const [a, b] = ['0x1111111111111111111111111111111111111111', '0x2222222222222222222222222222222222222222'] as const;
const word = (text: string): Buffer => Buffer.from(text.slice(2).padStart(64, '0'), 'hex');

async function fill() {
  const compiler = await openKeptCompiler(soljsonOf('0.8.28'));
  const outputSelection = { '*': { '*': ['evm.bytecode.object', 'storageLayout'] } };
  const input = { language: 'Solidity', sources: { s: { content: source } }, settings: { outputSelection } };
  const { contracts, errors } = JSON.parse(await compiler.compile(JSON.stringify(input)));
  expect(errors?.filter(({ severity }: { severity: string }) => severity === 'error') ?? []).toEqual([]);
  const { storageLayout, evm: code } = contracts.s.Kept;
  const evm = await createEVM();
  const written = new Map<bigint, bigint>();
  evm.events.on('step', ({ opcode, stack }, resume) => {
    if (opcode.name === 'SSTORE') written.set(stack.at(-1)!, stack.at(-2)!);
    resume?.();
  });
  const data = Buffer.concat([Buffer.from(code.bytecode.object, 'hex'), word(a), word(b)]);
  const { execResult } = await evm.runCall({ data, gasLimit: 30_000_000n });
  expect(execResult.exceptionError).toBeUndefined();
  return { layout: storageLayout as unknown, written };
}

it('every slot that was written has its name and value, but for a key that nobody said', async () => {
  const { layout, written } = await fill();
  const read = createSlotReader(layout, [word(a), word(b), Buffer.from('01ffc9a7'.padEnd(64, '0'), 'hex')]);
  const values = new Map<string, string | null>();
  let unknown = 0;
  for (const [slot, value] of written) {
    const variables = read(slot);
    if (variables.length === 0) unknown += 1;
    for (const one of variables) {
      values.set(one.name, readStorageVariable(one, word(`0x${value.toString(16)}`))?.text ?? null);
    }
  }
  expect(Object.fromEntries(values)).toMatchObject({
    plain: '1',
    [`balances[${a}]`]: '100',
    [`balances[${b}]`]: '200',
    [`allowances[${a}][${b}]`]: '300',
    'entries[7].since': '8',
    'entries[7].who': b,
    [`entries[7].votes[${a}]`]: '9',
    'entries[7].days_': '1',
    'entries[7].days_[0]': '10',
    'known[0x01ffc9a7]': 'true',
    'phases[1]': '11',
    small: '10',
    ...Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`small[${n}]`, String(n + 20)])),
    list: '2',
    'list[1].who': a,
    'list[1].since': '13',
    long: '57',
  });
  expect([...values.keys()].filter((name) => name.startsWith('long, bytes from'))).toEqual([
    'long, bytes from 0',
    'long, bytes from 32',
  ]);
  // byName["unknown"]
  expect(unknown).toBe(1);
  const blind = createSlotReader(layout, []);
  expect([...written.keys()].filter((slot) => blind(slot).some(({ name }) => name.includes('0x1111')))).toEqual([]);
});

it('many keys are tried for a while only', async () => {
  const { layout, written } = await fill();
  const many = Array.from({ length: 2_000 }, (_, n) => word(`0x${(n + 2 ** 20).toString(16)}`));
  const started = performance.now();
  const read = createSlotReader(layout, [word(a), ...many]);
  for (const slot of written.keys()) read(slot);
  expect(performance.now() - started).toBeLessThan(5_000);
});

it('a layout of any kind is read', () => {
  const type = fc.constantFrom('a', 'b', 't_address', 't_uint256');
  const described = fc.record(
    {
      encoding: fc.constantFrom('mapping', 'dynamic_array', 'bytes', 'inplace', 5),
      key: type,
      value: type,
      base: type,
      numberOfBytes: fc.constantFrom('1', '16', '32', '64', '-1', 'x', '1e9'),
      label: fc.constantFrom('l', 7),
    },
    { requiredKeys: [] },
  );
  const storage = fc.array(
    fc.record({ label: fc.constant('v'), slot: fc.constantFrom('0', '1'), offset: fc.nat(40), type }),
  );
  fc.assert(
    fc.property(
      storage,
      fc.dictionary(type, described),
      fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
      (list, types, slot) => {
        const read = createSlotReader({ storage: list, types }, [word(a)]);
        for (const { name } of [...read(slot), ...read(0n), ...read(1n)]) expect(name.length).toBeLessThan(300);
      },
    ),
  );
  for (const layout of [null, 5, [], {}, { types: 1 }, { types: {}, storage: {} }]) {
    expect(createSlotReader(layout, [])(0n)).toEqual([]);
  }
});
