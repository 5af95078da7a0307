// What random programs (test/evm) seldom see: each opcode's own edges.
import { describe, expect, it } from 'vitest';
import { assemble } from '../../test-support/evm/assemble.ts';
import { type CodeRun, called, caller, returnTop, runCode, wordOf } from '../../test-support/evm/run-code.ts';
import { opcodeName } from './table.ts';

const top = (code: string, run?: CodeRun) => wordOf(runCode(`${code} ${returnTop}`, run).output);
const max = (1n << 256n) - 1n;
const least = 1n << 255n;

/** Arguments in the order in which they are on the stack, the top first. */
const of = (operation: string, ...args: bigint[]) =>
  `${args
    .toReversed()
    .map((arg) => `PUSH ${arg}`)
    .join(' ')} ${operation}`;

const words: [code: string, result: bigint][] = [
  [of('ADD', max, 2n), 1n],
  [of('MUL', max, max), 1n],
  [of('SUB', 1n, 2n), max],
  [of('DIV', 7n, 0n), 0n],
  [of('SDIV', least, max), least],
  [of('SDIV', max - 6n, 2n), max - 2n],
  [of('SDIV', 7n, 0n), 0n],
  [of('MOD', 7n, 0n), 0n],
  [of('SMOD', max - 7n, 3n), max - 1n],
  [of('SMOD', 8n, max - 2n), 2n],
  [of('ADDMOD', max, max, 7n), (max + max) % 7n],
  [of('ADDMOD', 1n, 1n, 0n), 0n],
  [of('MULMOD', max, max, 11n), (max * max) % 11n],
  [of('EXP', 0n, 0n), 1n],
  [of('EXP', 0n, 5n), 0n],
  [of('EXP', 1n, max), 1n],
  [of('EXP', 2n, 255n), least],
  [of('EXP', 2n, 256n), 0n],
  [of('EXP', 3n, 200n), 3n ** 200n % (1n << 256n)],
  [of('EXP', 6n, 256n), 0n],
  [of('EXP', max, 3n), max],
  [of('SIGNEXTEND', 0n, 0x80n), max - 0x7fn],
  [of('SIGNEXTEND', 0n, 0x17fn), 0x7fn],
  [of('SIGNEXTEND', 30n, 1n << 247n), max - (1n << 247n) + 1n],
  [of('SIGNEXTEND', 31n, least), least],
  [of('SIGNEXTEND', max, 5n), 5n],
  [of('SLT', max, 0n), 1n],
  [of('SGT', max, 0n), 0n],
  [of('SLT', least, max), 1n],
  [of('NOT', 0n), max],
  [of('ISZERO', 0n), 1n],
  [of('ISZERO', least), 0n],
  [of('XOR', max, least), least - 1n],
  [of('XOR', max, max), 0n],
  [of('BYTE', 0n, least), 0x80n],
  [of('BYTE', 31n, 0x1234n), 0x34n],
  [of('BYTE', 32n, max), 0n],
  [of('SHL', 255n, 3n), least],
  [of('SHL', 256n, 1n), 0n],
  [of('SHR', 256n, max), 0n],
  [of('SAR', 256n, max), max],
  [of('SAR', max, least - 1n), 0n],
  [of('SAR', 255n, least - 1n), 0n],
  [of('SAR', 4n, least), max - (1n << 251n) + 1n],
];
it.each(words)('%s', (code, result) => {
  expect(top(code)).toBe(result);
});

it('stores and loads words of every length at every place', () => {
  for (let length = 0; length <= 32; length++) {
    const word = length === 0 ? 0n : (0xa5n << BigInt(8 * (length - 1))) | (length > 1 ? 0x5an : 0n);
    for (const offset of [0, 1, 31, 33]) {
      const dirty = `PUSH ${max} PUSH ${offset} MSTORE`;
      expect(top(`${dirty} PUSH ${word} PUSH ${offset} MSTORE PUSH ${offset} MLOAD`)).toBe(word);
      const { output } = runCode(`${dirty} PUSH ${word} PUSH ${offset} MSTORE PUSH 96 PUSH 0 RETURN`);
      const expected = Buffer.alloc(96);
      Buffer.from(word.toString(16).padStart(64, '0'), 'hex').copy(expected, offset);
      expect(Buffer.from(output)).toEqual(expected);
    }
  }
});

it('reads call data beyond their end as zeros', () => {
  const transaction = { data: Uint8Array.from({ length: 40 }, (_, index) => index + 1) };
  expect(top('CALLDATASIZE', { transaction })).toBe(40n);
  expect(top('CALLDATASIZE')).toBe(0n);
  expect(top('PUSH 38 CALLDATALOAD', { transaction })).toBe(0x2728n << 240n);
  expect(top('PUSH 40 CALLDATALOAD', { transaction })).toBe(0n);
  expect(top(`PUSH ${max} CALLDATALOAD`, { transaction })).toBe(0n);
  const copy = `PUSH ${max} PUSH 0 MSTORE PUSH 32 PUSH 36 PUSH 0 CALLDATACOPY PUSH 0 MLOAD`;
  expect(top(copy, { transaction })).toBe(0x25262728n << 224n);
  expect(top(copy.replace('36', `${max}`), { transaction })).toBe(0n);
});

/** By the number of their first; the numbers of the others follow. */
const families = {
  push: {
    first: 0x60,
    names: `PUSH1 PUSH2 PUSH3 PUSH4 PUSH5 PUSH6 PUSH7 PUSH8 PUSH9 PUSH10 PUSH11 PUSH12 PUSH13 PUSH14 PUSH15 PUSH16
      PUSH17 PUSH18 PUSH19 PUSH20 PUSH21 PUSH22 PUSH23 PUSH24 PUSH25 PUSH26 PUSH27 PUSH28 PUSH29 PUSH30 PUSH31 PUSH32`,
  },
  dup: { first: 0x80, names: 'DUP1 DUP2 DUP3 DUP4 DUP5 DUP6 DUP7 DUP8 DUP9 DUP10 DUP11 DUP12 DUP13 DUP14 DUP15 DUP16' },
  swap: {
    first: 0x90,
    names: `SWAP1 SWAP2 SWAP3 SWAP4 SWAP5 SWAP6 SWAP7 SWAP8 SWAP9 SWAP10 SWAP11 SWAP12 SWAP13 SWAP14 SWAP15 SWAP16`,
  },
  log: { first: 0xa0, names: 'LOG0 LOG1 LOG2 LOG3 LOG4' },
};
const members = ({ first, names }: { first: number; names: string }) =>
  names.split(/\s+/).map((name, place) => ({ name, code: first + place, place }));
/** Seventeen words, the first on top. */
const seventeen = Array.from({ length: 17 }, (_, place) => BigInt(1000 + place));
const pushAll = seventeen
  .toReversed()
  .map((word) => `PUSH ${word}`)
  .join(' ');
/** The whole stack as the output, the top first. */
const stackAfter = (operation: string, depth: number) => {
  const stores = Array.from({ length: depth }, (_, place) => `PUSH ${32 * place} MSTORE`).join(' ');
  const { output } = runCode(`${pushAll} ${operation} ${stores} PUSH ${32 * depth} PUSH 0 RETURN`);
  return Array.from({ length: depth }, (_, place) => wordOf(output.subarray(32 * place, 32 * place + 32)));
};

describe('by its number', () => {
  it.each(members(families.push))('$name takes as many bytes of the code as its name says', ({ name, code, place }) => {
    expect(opcodeName(code)).toBe(name);
    const constant = Uint8Array.from({ length: place + 1 }, (_, at) => 0xa0 + at);
    const rest = assemble(returnTop);
    expect(wordOf(runCode(Uint8Array.of(code, ...constant, ...rest)).output)).toBe(wordOf(constant));
  });

  it.each(members(families.dup))('$name repeats the word that many places down', ({ name, code, place }) => {
    expect(opcodeName(code)).toBe(name);
    expect(stackAfter(name, 18)).toEqual([seventeen[place], ...seventeen]);
  });

  it.each(members(families.swap))('$name changes the top with the word below that many', ({ name, code, place }) => {
    expect(opcodeName(code)).toBe(name);
    const swapped = seventeen.with(0, seventeen[place + 1]!).with(place + 1, seventeen[0]!);
    expect(stackAfter(name, 17)).toEqual(swapped);
  });

  it.each(members(families.log))('$name writes a log with that many topics', ({ name, code, place }) => {
    expect(opcodeName(code)).toBe(name);
    const topics = seventeen.slice(0, place);
    const pushTopics = topics.toReversed().map((topic) => `PUSH ${topic}`);
    const { logs } = runCode(`PUSH 77 PUSH 0 MSTORE ${pushTopics.join(' ')} PUSH 2 PUSH 30 ${name}`);
    expect(logs).toEqual([{ address: called, topics, data: Uint8Array.of(0, 77) }]);
  });
});

it('pushes what is left of the code, and jumps to no constant', () => {
  expect(wordOf(runCode(Uint8Array.of(0x60)).output)).toBe(0n);
  // PUSH2 0x5b5b, JUMP to its first byte.
  expect(runCode(Uint8Array.of(0x61, 0x5b, 0x5b, 0x50, 0x60, 1, 0x56)).halt).toBe('INVALID_JUMP_DESTINATION');
  expect(runCode(`PUSH ${1n << 64n} JUMP`).halt).toBe('INVALID_JUMP_DESTINATION');
});

describe('calls', () => {
  const callee = 0x1e4n << 140n;
  const call = (operation: string, value: bigint | null = 0n) =>
    `PUSH 32 PUSH 0 PUSH 0 PUSH 0 ${value === null ? '' : `PUSH ${value}`} PUSH ${callee} PUSH 90000 ${operation}`;
  const ask = (operation: string, value: bigint | null, code: string) =>
    top(`${call(operation, value)} POP PUSH 0 MLOAD`, {
      accounts: [{ address: callee, num: 1800n, code: assemble(`${code} ${returnTop}`) }],
      contract: { balance: 100n },
      transaction: { value: 9n },
    });
  const seen: [
    operation: string,
    value: bigint | null,
    seenValue: bigint,
    seenCaller: bigint,
    address: bigint,
    balance: bigint,
  ][] = [
    ['CALL', 4n, 4n, called, callee, 4n],
    ['CALLCODE', 4n, 4n, called, called, 109n],
    ['DELEGATECALL', null, 9n, caller, called, 109n],
    ['STATICCALL', null, 0n, called, callee, 0n],
  ];
  it.each(seen)('by %s show value, caller and address', (operation, value, ...expected) => {
    const answers = ['CALLVALUE', 'CALLER', 'ADDRESS', 'SELFBALANCE'].map((code) => ask(operation, value, code));
    expect(answers).toEqual(expected);
  });

  it('leave return data, creations only those of a revert', () => {
    const accounts = [{ address: callee, num: 1800n, code: assemble('PUSH 5 PUSH 0 RETURN') }];
    expect(top(`${call('CALL')} POP RETURNDATASIZE`, { accounts })).toBe(5n);
    const create = (initCode: string) => {
      const code = assemble(initCode);
      const word = BigInt(`0x${Buffer.from(code).toString('hex').padEnd(64, '0')}`);
      return `PUSH ${word} PUSH 0 MSTORE PUSH ${code.length} PUSH 0 PUSH 0 CREATE POP RETURNDATASIZE`;
    };
    expect(top(`${call('CALL')} POP ${create('PUSH 5 PUSH 0 RETURN')}`, { accounts })).toBe(0n);
    expect(top(`${call('CALL')} POP ${create('PUSH 6 PUSH 0 REVERT')}`, { accounts })).toBe(6n);
    expect(top(`${call('CALL')} POP ${create('INVALID')}`, { accounts })).toBe(0n);
  });

  it('undo transient storage when they fail, and keep it until the transaction ends', () => {
    const reenter = (end: string) => `CALLER ADDRESS EQ PUSH @inner JUMPI PUSH 3 PUSH 0 TSTORE
      PUSH 0 PUSH 0 PUSH 0 PUSH 0 PUSH 0 ADDRESS GAS CALL POP PUSH 0 TLOAD ${returnTop}
      :inner JUMPDEST PUSH 8 PUSH 0 TSTORE ${end}`;
    expect(wordOf(runCode(reenter('STOP')).output)).toBe(8n);
    expect(wordOf(runCode(reenter('PUSH 0 PUSH 0 REVERT')).output)).toBe(3n);
  });
});

it('SELFDESTRUCT to itself: nothing where the contract stays, a halt where it would go', () => {
  const kept = runCode('ADDRESS SELFDESTRUCT', { contract: { balance: 5n } });
  expect([kept.status, kept.changes]).toEqual(['SUCCESS', []]);
  expect(runCode('ADDRESS SELFDESTRUCT', { version: '0.46', contract: { balance: 5n } }).halt).toBe(
    'SELF_DESTRUCT_TO_SELF',
  );
});

it('CREATE2 at an address that is taken fails, and counts the nonce', () => {
  const create = 'PUSH 7 PUSH 0 PUSH 0 PUSH 0 CREATE2';
  const { output, changes } = runCode(`${create} POP ${create} ${returnTop}`);
  expect(wordOf(output)).toBe(0n);
  expect(changes.find(({ address }) => address === called)!.nonce).toBe(3n);
});
