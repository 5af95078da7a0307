import { describe, expect, it } from 'vitest';
import { assemble } from '../../test-support/evm/assemble.ts';
import {
  type CodeRun,
  called,
  caller,
  returnTop,
  runCode,
  testBlock,
  tryCode,
  wordOf,
} from '../../test-support/evm/run-code.ts';
import { Halt } from '../base/halt.ts';
import type { SystemCall, SystemContract } from '../frame/system-contract.ts';
import { rulesAtMainnetBlock, rulesOf } from '../rules/versions.ts';
import { createMemoryState } from '../state/memory-state.ts';
import type { MissingFact } from '../state/state-reader.ts';
import { runTransaction } from './run-transaction.ts';

const ascii = (text: string) => Uint8Array.from(Buffer.from(text));
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

describe('how a transaction ends', () => {
  const revertWith = (text: string) =>
    `PUSH 0x${Buffer.from(text).toString('hex').padEnd(64, '0')} PUSH 0 MSTORE PUSH ${text.length} PUSH 0 REVERT`;
  const cases: [name: string, code: string, status: string, halt: string | null][] = [
    ['STOP', 'STOP', 'SUCCESS', null],
    ['the end of the code', 'PUSH 1', 'SUCCESS', null],
    ['a revert', 'PUSH 0 PUSH 0 REVERT', 'CONTRACT_REVERT_EXECUTED', null],
    ['a revert with a status', revertWith('INVALID_CONTRACT_ID'), 'INVALID_CONTRACT_ID', null],
    ['a revert with other words', revertWith('INVALID_TOKEN_ID'), 'CONTRACT_REVERT_EXECUTED', null],
    ['no gas', ':a JUMPDEST PUSH @a JUMP', 'INSUFFICIENT_GAS', 'INSUFFICIENT_GAS'],
    ['a bad jump', 'PUSH 5 JUMP', 'CONTRACT_EXECUTION_EXCEPTION', 'INVALID_JUMP_DESTINATION'],
    ['an empty stack', 'ADD', 'CONTRACT_EXECUTION_EXCEPTION', 'INSUFFICIENT_STACK_ITEMS'],
    ['a full stack', ':a JUMPDEST PUSH 1 PUSH @a JUMP', 'CONTRACT_EXECUTION_EXCEPTION', 'TOO_MANY_STACK_ITEMS'],
    ['INVALID', 'INVALID', 'CONTRACT_EXECUTION_EXCEPTION', 'INVALID_OPERATION'],
    [
      'more return data than there are',
      'PUSH 1 PUSH 0 PUSH 0 RETURNDATACOPY',
      'CONTRACT_EXECUTION_EXCEPTION',
      'INVALID_RETURN_DATA_BUFFER_ACCESS',
    ],
  ];
  it.each(cases)('with %s', (_, code, status, halt) => {
    const result = runCode(code);
    expect([result.status, result.halt]).toEqual([status, halt]);
    if (halt !== null) expect(result.gasUsed).toBe(1_000_000);
  });

  it('with a write in a static frame', () => {
    for (const code of [
      'PUSH 1 PUSH 1 SSTORE',
      'PUSH 0 PUSH 0 LOG0',
      'PUSH 0 PUSH 0 PUSH 0 CREATE',
      'PUSH 1 PUSH 1 TSTORE',
    ]) {
      const inner = { address: 0x1e4n << 140n, num: 1800n, code: assemble(code) };
      const outer = `PUSH 0 PUSH 0 PUSH 0 PUSH 0 PUSH ${inner.address} PUSH 50000 STATICCALL ${returnTop}`;
      const { output, actions } = runCode(outer, { accounts: [inner], withActions: true });
      expect(wordOf(output)).toBe(0n);
      expect(Buffer.from(actions[1]!.data).toString()).toBe('ILLEGAL_STATE_CHANGE');
    }
  });

  it('before it begins, where gas does not cover what data cost', () => {
    const data = Uint8Array.of(0, 1);
    const gas = (gasLimit: number, version: string) => {
      const { status, isBelowIntrinsic } = runCode('STOP', { version, transaction: { data, gasLimit } });
      return isBelowIntrinsic ? status : 'began';
    };
    expect([gas(21_019, '0.66'), gas(21_020, '0.66')]).toEqual(['INSUFFICIENT_GAS', 'began']);
    // EIP-7623: 21,000 + 10 × (1 + 4).
    expect([gas(21_049, '0.67'), gas(21_050, '0.67')]).toEqual(['INSUFFICIENT_GAS', 'began']);
    expect(runCode('STOP', { transaction: { data } }).gasUsed).toBe(21_050);
    expect(runCode('STOP', { version: '0.66', transaction: { data } }).gasUsed).toBe(21_020);
  });

  it('before it begins, where the sender cannot pay the value', () => {
    const pay = (options: CodeRun) => runCode('STOP', { transaction: { value: 10n ** 13n }, ...options }).status;
    expect(pay({})).toBe('INSUFFICIENT_PAYER_BALANCE');
    expect(pay({ leastBalance: 10n ** 17n })).toBe('SUCCESS');
  });
});

describe('what a transaction uses and leaves', () => {
  it('counts refunds, and may keep a part of the unused gas', () => {
    const clear = 'PUSH 0 PUSH 0 SSTORE';
    const contract = { storage: new Map([[0n, 9n]]) };
    const result = runCode(clear, { contract });
    expect([result.gasConsumed, result.refund]).toEqual([21_000 + 6 + 5000 - 4800, 4800]);
    expect(result.changes).toMatchObject([{ address: called, slots: [{ slot: 0n, valueRead: 9n, valueWritten: 0n }] }]);
    const kept = runCode(clear, { contract, maxGasBack: 20 });
    expect([kept.gasUsed, kept.gasConsumed]).toEqual([800_000, result.gasConsumed]);
  });

  it('undoes what a reverted frame did, not what it read', () => {
    const code = assemble('PUSH 7 PUSH 1 SSTORE PUSH 0 PUSH 0 LOG0 PUSH 0 PUSH 0 REVERT');
    const inner = { address: 0x1e4n << 140n, num: 1800n, code, storage: new Map([[1n, 5n]]) };
    const { logs, changes } = runCode(
      `PUSH 0 PUSH 0 PUSH 0 PUSH 0 PUSH 3 PUSH ${inner.address} GAS CALL PUSH 2 PUSH 0 SSTORE PUSH 0 PUSH 0 LOG0`,
      { accounts: [inner], contract: { balance: 10n } },
    );
    expect(logs.map(({ address }) => address)).toEqual([called]);
    expect(changes).toEqual([
      expect.objectContaining({ address: called, slots: [{ slot: 0n, valueRead: 0n, valueWritten: 2n }] }),
      expect.objectContaining({ address: inner.address, slots: [{ slot: 1n, valueRead: 5n, valueWritten: 5n }] }),
    ]);
    expect(changes.every(({ balance }) => balance === undefined)).toBe(true);
  });

  it('creates contracts: numbers, addresses, code', () => {
    // Init code that returns one byte of zero: STOP.
    const initCode = assemble('PUSH 1 PUSH 0 RETURN');
    const result = runCode('STOP', { transaction: { to: null, data: initCode, countsNonce: true } });
    expect(hex(result.output)).toBe('00');
    expect(result.gasUsed).toBe(21_000 + 32_000 + 2 + 4 * 16 + 4 + 2 * 3 + 3 + 200);
    expect(result.changes.find(({ address }) => address === result.created)).toMatchObject({
      num: 5000n,
      kind: 'contract',
      isNew: true,
      nonce: 1n,
    });
    const atNumber = runCode('STOP', { transaction: { to: null, createAt: 5000n, data: initCode } });
    expect(atNumber.created).toBe(5000n);
  });

  it('takes over a hollow account, which keeps its balance', () => {
    const created = runCode('STOP', { transaction: { to: null, data: assemble('STOP') } }).created!;
    const again = runCode('STOP', {
      accounts: [{ address: created, num: 1900n, balance: 44n }],
      transaction: { to: null, data: assemble('STOP'), value: 6n },
    });
    expect(again.changes.find(({ num }) => num === 1900n)).toMatchObject({
      kind: 'contract',
      balance: 50n,
      isNew: false,
    });
  });

  it.each([
    ['too long', 'PUSH 24577 PUSH 0 RETURN', 'CODE_TOO_LARGE'],
    ['0xef', 'PUSH 0xef PUSH 0 MSTORE8 PUSH 1 PUSH 0 RETURN', 'INVALID_CODE'],
  ])('refuses code that is %s', (_, initCode, halt) => {
    const transaction = { to: null, data: assemble(initCode), gasLimit: 10_000_000 };
    expect(runCode('STOP', { transaction })).toMatchObject({ status: 'CONTRACT_EXECUTION_EXCEPTION', halt });
  });

  it('refuses init code above the limit, inside of contracts', () => {
    const make = (length: number) => runCode(`PUSH ${length} PUSH 0 PUSH 0 CREATE`, { transaction: { gasLimit: 9e6 } });
    expect(make(49_153).halt).toBe('CODE_TOO_LARGE');
    expect(make(49_152).status).toBe('SUCCESS');
  });

  it('lists calls as the ledger does', () => {
    const inner = { address: 0x1e4n << 140n, num: 1800n, code: assemble('PUSH 3 PUSH 0 MSTORE8 PUSH 1 PUSH 0 REVERT') };
    const code = `PUSH 0 PUSH 0 PUSH 4 PUSH 0 PUSH 2 PUSH 1800 PUSH 5000 CALL
      PUSH 0 PUSH 0 PUSH 0 PUSH 0 PUSH 2 PUSH 9999 STATICCALL`;
    const { actions } = runCode(code, { accounts: [inner], contract: { balance: 10n }, withActions: true });
    const shown = actions.map(({ type, operation, depth, caller: by, targetNum, gas, value, result, data }) =>
      [type, operation, depth, by === caller ? 'caller' : 'called', targetNum, gas, value, result, hex(data)].join(' '),
    );
    expect(shown.slice(1)).toEqual([
      'CALL CALL 1 called 1800 7300 2 revert 03',
      `PRECOMPILE STATICCALL 1 called 0 9999 0 output ${hex(emptySha256)}`,
    ]);
    expect(shown[0]).toMatch(/^CALL CALL 0 caller 1002 979000 0 output $/);
    expect([actions[1]!.input, actions[1]!.gasUsed]).toEqual([new Uint8Array(4), 18]);
    expect(actions[2]!.gasUsed).toBe(60);
  });
  const emptySha256 = Buffer.from('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855', 'hex');

  it('runs the code that an account delegates to', () => {
    const target = { address: 0x7a76e7n << 136n, num: 1800n, code: assemble(`ADDRESS ${returnTop}`) };
    const authorizations = [{ authority: caller, code: target.address, chainId: 0n, nonce: 0n }];
    const transaction = { to: caller, authorizations };
    const delegated = runCode('STOP', { accounts: [target], transaction });
    expect(wordOf(delegated.output)).toBe(caller);
    const code = delegated.changes.find(({ address }) => address === caller)!.code!;
    expect(hex(code)).toBe(`ef0100${target.address.toString(16).padStart(40, '0')}`);
    const before = runCode('STOP', { version: '0.66', accounts: [target], transaction });
    expect(before.status).toBe('CONTRACT_EXECUTION_EXCEPTION');
  });
});

describe('system contracts', () => {
  const calls: SystemCall[] = [];
  const echo: SystemContract = {
    signatures: [],
    takesValue: ({ data }) => data[0] === 1,
    run: (call, { addLog }) => {
      calls.push(call);
      if (call.data.length === 0) return { kind: 'halt', halt: new Halt('EMPTY', 'INVALID_FEE_SUBMITTED') };
      if (call.data[0] === 9) return { kind: 'revert', output: ascii('INVALID_TOKEN_ID'), gas: 100 };
      addLog({ address: call.recipient, topics: [1n], data: call.data.slice() });
      return { kind: 'success', output: call.data.slice(), gas: 100 };
    },
  };
  const systemContracts = new Map([[0x167n, echo]]);
  const token = { address: 1600n, kind: 'token' as const };
  const run = (data: Uint8Array, more: CodeRun = {}, to = 0x167n) => {
    calls.length = 0;
    return runCode('STOP', { accounts: [token], systemContracts, transaction: { to, data }, ...more });
  };

  it('answer, log, revert and halt', () => {
    const answered = run(Uint8Array.of(5));
    expect([answered.status, hex(answered.output), answered.logs.length]).toEqual(['SUCCESS', '05', 1]);
    expect(answered.gasConsumed).toBe(21_116);
    const reverted = run(Uint8Array.of(9));
    expect(reverted).toMatchObject({ status: 'CONTRACT_REVERT_EXECUTED', output: ascii('INVALID_TOKEN_ID'), logs: [] });
    expect(run(new Uint8Array(0))).toMatchObject({ status: 'INVALID_FEE_SUBMITTED', gasUsed: 1_000_000 });
  });

  it('take a value only where they say so', () => {
    const pay = (first: number) =>
      run(Uint8Array.of(first), { transaction: { to: 0x167n, value: 1n, data: Uint8Array.of(first) } }).status;
    expect([pay(1), pay(5)]).toEqual(['SUCCESS', 'INVALID_CONTRACT_ID']);
  });

  it('are reached through a token: by its proxy, or by its delegation', () => {
    const data = Uint8Array.of(6, 7, 8, 8);
    const proxied = run(data, { version: '0.66' }, 1600n);
    expect(hex(proxied.output)).toBe(`618dc65e${'640'.padStart(40, '0')}06070808`);
    expect(calls).toMatchObject([{ address: 0x167n, recipient: 1600n, caller, isDelegate: true, isFacade: false }]);
    const delegated = run(data, {}, 1600n);
    expect(hex(delegated.output)).toBe('06070808');
    expect(calls).toMatchObject([{ address: 0x167n, recipient: 1600n, caller, isDelegate: false, isFacade: true }]);
  });

  it('are not reached with a value through a token, which fails as a call', () => {
    for (const version of ['0.66', '0.67']) {
      calls.length = 0;
      const code = `PUSH 0 PUSH 0 PUSH 4 PUSH 0 PUSH 1 PUSH 1600 GAS CALL ${returnTop}`;
      const { status, output } = runCode(code, {
        version,
        accounts: [token],
        systemContracts,
        contract: { balance: 5n },
      });
      expect([status, wordOf(output), calls.length]).toEqual(['SUCCESS', 0n, 0]);
    }
  });

  it('are reached through an account for their own functions', () => {
    const account = { address: 0xacc0n << 140n, num: 1700n, balance: 1n };
    const contracts = new Map([[0x16an, echo]]);
    const ask = (selector: string) => {
      calls.length = 0;
      const data = Uint8Array.from(Buffer.from(selector, 'hex'));
      const more = { accounts: [account], systemContracts: contracts };
      return hex(run(data, { ...more, transaction: { to: account.address, data } }).output);
    };
    expect([ask('bbee989e'), ask('deadbeef')]).toEqual(['bbee989e', '']);
  });
});

describe('state that is not in memory', () => {
  const shown = (fact: MissingFact) =>
    fact.kind === 'account' ? `account ${fact.address}` : fact.kind === 'slot' ? `slot ${fact.slot}` : fact.kind;
  const run = (code: string, known: Set<string>, limits = {}) => {
    const accounts = [
      { address: caller, num: 1001n, balance: 10n },
      { address: called, num: 1002n, code: assemble(code), storage: new Map([[0n, 3n]]) },
    ];
    const state = createMemoryState(accounts, { isKnown: (fact) => known.has(shown(fact)) });
    return runTransaction(
      { sender: caller, to: called, value: 0n, data: new Uint8Array(0), gasLimit: 3_000_000, gasPrice: 1n },
      { rules: rulesOf('0.67'), state, block: testBlock, nextNum: 5000n, limits },
    );
  };
  /** How often it was run, until nothing was missing. */
  function rounds(code: string): { count: number; result: ReturnType<typeof run> } {
    const known = new Set<string>();
    for (let count = 1; ; count++) {
      const result = run(code, known);
      if (result.kind !== 'missing') return { count, result };
      for (const fact of result.facts) {
        expect(known.has(shown(fact))).toBe(false);
        known.add(shown(fact));
      }
    }
  }

  it('is noted, all that can be foreseen at once', () => {
    const loop = 'PUSH 400 :a JUMPDEST DUP1 SLOAD POP PUSH 1 SWAP1 SUB DUP1 PUSH @a JUMPI';
    const { count, result } = rounds(`${loop} PUSH 0 SLOAD PUSH 50 ADD SLOAD PUSH 7 BALANCE PUSH 999 BLOCKHASH`);
    // The accounts; 401 slots, a balance and a hash; the slot whose number was read.
    expect(count).toBe(3);
    expect(result).toMatchObject({ kind: 'finished', status: 'SUCCESS' });
  });

  it('is noted once', () => {
    const again = 'PUSH 999 BLOCKHASH PUSH 999 BLOCKHASH PUSH 7 SLOAD PUSH 7 SLOAD PUSH 9 BALANCE PUSH 9 EXTCODESIZE';
    const result = run(again, new Set([`account ${caller}`, `account ${called}`]));
    expect(result.kind === 'missing' && result.facts.map(shown)).toEqual(['blockHash', 'slot 7', 'account 9']);
  });

  it('is bounded in number, and in what is guessed', () => {
    const known = new Set([`account ${caller}`, `account ${called}`]);
    const endless = 'PUSH 0 :a JUMPDEST DUP1 SLOAD POP PUSH 1 ADD PUSH @a JUMP';
    const bounded = run(endless, known, { missing: 100 });
    expect(bounded.kind === 'missing' && bounded.facts.length).toBe(100);
    const idle = run('PUSH 0 SLOAD :a JUMPDEST PUSH @a JUMP', known, { stepsAfterMissing: 10_000 });
    expect(idle.kind === 'missing' && idle.facts.map(shown)).toEqual(['slot 0']);
  });
});

describe('limits', () => {
  const big = { transaction: { gasLimit: 15_000_000 } };
  const endless = ':a JUMPDEST PUSH @a JUMP';
  it('of steps, time, memory and reads stop the machine', () => {
    expect(tryCode(endless, { ...big, limits: { steps: 50_000 } })).toEqual({ kind: 'stopped', limit: 'steps' });
    let looks = 0;
    const isTimeUp = () => ++looks > 3;
    expect(tryCode(endless, { ...big, isTimeUp })).toEqual({ kind: 'stopped', limit: 'time' });
    const grow = 'PUSH 1 PUSH 0x200000 MSTORE';
    expect(tryCode(grow, { ...big, limits: { memory: 2 ** 20 } })).toEqual({ kind: 'stopped', limit: 'memory' });
    const read = 'PUSH 0 :a JUMPDEST DUP1 SLOAD POP PUSH 1 ADD PUSH @a JUMP';
    expect(tryCode(read, { ...big, limits: { reads: 1000 } })).toEqual({ kind: 'stopped', limit: 'reads' });
  });

  it('stop a precompile that works for long', () => {
    // BLAKE2 with 14 million rounds.
    const code = 'PUSH 14000000 PUSH 224 SHL PUSH 0 MSTORE PUSH 0 PUSH 0 PUSH 213 PUSH 0 PUSH 9 GAS STATICCALL';
    let looks = 0;
    const isTimeUp = () => ++looks > 10;
    expect(tryCode(code, { ...big, isTimeUp })).toEqual({ kind: 'stopped', limit: 'time' });
  });

  const hostile: [name: string, code: string, end: string][] = [
    ['an endless loop', endless, 'INSUFFICIENT_GAS'],
    ['memory without end', 'PUSH 0 :a JUMPDEST PUSH 32 ADD DUP1 DUP1 MSTORE PUSH @a JUMP', 'INSUFFICIENT_GAS'],
    ['an offset beyond all', 'PUSH 1 PUSH 0 SUB MLOAD', 'INSUFFICIENT_GAS'],
    ['a length beyond all', 'PUSH 1 PUSH 0 SUB PUSH 0 KECCAK256', 'INSUFFICIENT_GAS'],
    ['a call with all lengths', `${'PUSH 1 PUSH 0 SUB '.repeat(7)} CALL`, 'INSUFFICIENT_GAS'],
    ['itself, as deep as it goes', 'PUSH 0 PUSH 0 PUSH 0 PUSH 0 PUSH 0 ADDRESS GAS CALL', 'SUCCESS'],
    ['logs', ':a JUMPDEST PUSH 0x8000 PUSH 0 LOG0 PUSH @a JUMP', 'INSUFFICIENT_GAS'],
    ['a megabyte returned', 'PUSH 0x100000 PUSH 0 RETURN', 'SUCCESS'],
    ['new contracts', ':a JUMPDEST PUSH 0xc000 PUSH 0 PUSH 0 CREATE POP PUSH @a JUMP', 'INSUFFICIENT_GAS'],
    [
      'slots with equal ends',
      'PUSH 1 :a JUMPDEST DUP1 PUSH 64 SHL SLOAD POP PUSH 1 ADD PUSH @a JUMP',
      'INSUFFICIENT_GAS',
    ],
    [
      'great input for a precompile',
      ':a JUMPDEST PUSH 0 PUSH 0 PUSH 0x80000 PUSH 0 PUSH 2 GAS STATICCALL POP PUSH @a JUMP',
      'INSUFFICIENT_GAS',
    ],
  ];
  it.each(hostile)('of gas end a program with %s', (_, code, end) => {
    expect(runCode(code, big).status).toBe(end);
  });

  it('of depth: 1,024 calls inside of the outermost', () => {
    // Counts its depth in slot 0, with a gas that the 64ths do not use up.
    const code = 'PUSH 0 SLOAD PUSH 1 ADD PUSH 0 SSTORE PUSH 0 PUSH 0 PUSH 0 PUSH 0 PUSH 0 ADDRESS GAS CALL';
    const { changes } = runCode(code, { transaction: { gasLimit: 1e15 } });
    expect(changes[0]!.slots).toEqual([{ slot: 0n, valueRead: 0n, valueWritten: 1025n }]);
  });
});

describe('tracers', () => {
  it('see each opcode before and after, and each frame', () => {
    const seen: string[] = [];
    const inner = { address: 0x1e4n << 140n, num: 1800n, code: assemble('PUSH 2 POP') };
    runCode(`PUSH 0 PUSH 0 PUSH 0 PUSH 0 PUSH 1800 PUSH 50000 STATICCALL INVALID`, {
      accounts: [inner],
      tracer: {
        enter: ({ depth }) => seen.push(`enter ${depth}`),
        leave: ({ depth, state }) => seen.push(`leave ${depth} ${state}`),
        before: ({ depth, pc, size }, opcode) => seen.push(`${depth} ${pc} ${opcode.toString(16)} ${size}`),
        after: ({ depth, gas, size }) => seen.push(`after ${depth} ${size} ${gas > 0}`),
      },
    });
    expect(seen.slice(13)).toEqual([
      '0 14 fa 6',
      'enter 1',
      'after 0 0 true',
      ...['1 0 60 0', 'after 1 1 true', '1 2 50 1', 'after 1 0 true', '1 3 0 0', 'after 1 0 true'],
      'leave 1 stopped',
      ...['0 15 fe 1', 'after 0 1 true'],
      'leave 0 halted',
    ]);
  });
});

it('knows which version was in force at a block of mainnet', () => {
  const names = [0n, 44_029_065n, 44_029_066n, 60_258_042n, 65_435_845n, 87_129_574n, 87_129_575n, 10n ** 9n];
  expect(names.map((block) => rulesAtMainnetBlock(block).name)).toEqual([
    ...['0.30', '0.30', '0.34', '0.46', '0.50', '0.66', '0.67', '0.67'],
  ]);
  expect(() => rulesOf('1.0')).toThrow(/no version 1.0/);
});
