// Traces of calls (debug_traceCall, trace_call, trace_callMany): of random programs that call, create, log, store, send
// and fail, what every tracer says is what @ethereumjs/evm does of them.
import { Common, Hardfork, Mainnet } from '@ethereumjs/common';
import { createEVM, type EVM, getActivePrecompiles, type Message } from '@ethereumjs/evm';
import { Account, Address } from '@ethereumjs/util';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { readWord, writeWord } from '../../packages/machine/base/word.ts';
import { assemble as assembleText } from '../../packages/test-support/evm/assemble.ts';
import { type StoredRows, storeRows } from '../../packages/test-support/rows/store-rows.ts';
import { openRpc, type TestRpc } from '../../packages/test-support/rpc/open-rpc.ts';
import type { CallFrame } from '../../src/doors/rpc/shapes/call-tree.ts';
import type { Changes } from '../../src/doors/rpc/shapes/state-diff.ts';
import { compileContracts, hostileRows } from './world.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

type Json = ReturnType<typeof JSON.parse>;

let stored: StoredRows;
let rpc: TestRpc;
beforeAll(async () => {
  stored = await storeRows(hostileRows(await compileContracts()));
  rpc = openRpc(stored.db);
});
afterAll(async () => {
  expect(rpc?.failures).toEqual([]);
  await rpc?.close();
  await stored?.close();
});

const callKinds = { CALL: 0xf1, CALLCODE: 0xf2, DELEGATECALL: 0xf4, STATICCALL: 0xfa } as const;
type CallKind = keyof typeof callKinds;
type Step =
  | { kind: 'log'; topics: number }
  | { kind: 'store'; slot: number; value: number }
  | { kind: 'create'; fails: boolean }
  | { kind: 'call'; how: CallKind; to: number; value: number; selector: number };
const ends = ['stop', 'return', 'revert', 'reason', 'invalid'] as const;
type Program = { steps: Step[]; end: (typeof ends)[number] };

/** Of the programs by their place. */
type Places = (place: number) => bigint;

const size = 5;
const sender = 0xc0ffee0000000000000000000000000000000001n;
const addressOf = (place: number): bigint => 0xaa00000000000000000000000000000000000000n + BigInt(place);
const rich = 10n ** 9n;
const gas = 3_000_000;

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('log' as const), topics: fc.integer({ min: 0, max: 4 }) }),
  fc.record({
    kind: fc.constant('store' as const),
    slot: fc.integer({ min: 0, max: 2 }),
    value: fc.integer({ min: 0, max: 2 }),
  }),
  fc.record({ kind: fc.constant('create' as const), fails: fc.boolean() }),
  fc.record({
    kind: fc.constant('call' as const),
    how: fc.constantFrom(...(Object.keys(callKinds) as CallKind[])),
    // One of them is a precompile, one nobody.
    to: fc.integer({ min: 1, max: size + 1 }),
    value: fc.integer({ min: 0, max: 2 }),
    selector: fc.integer({ min: 1, max: 3 }),
  }),
);
const program: fc.Arbitrary<Program> = fc.record({
  steps: fc.array(step, { minLength: 1, maxLength: 6 }),
  end: fc.constantFrom(...ends, 'stop' as const, 'return' as const),
});
const programs = fc.array(program, { minLength: size, maxLength: size });

const push = (value: bigint | number, length = 1): number[] => [0x5f + length, ...writeWord(BigInt(value), length)];
const identity = 4n;

/** Calls go to later programs alone, so that they end. */
function targetOf(place: number, to: number, at: Places): bigint {
  const target = place + to;
  return target < size ? at(target) : target === size ? identity : addressOf(77);
}

function assemble({ steps, end }: Program, place: number, places: Places = addressOf): Buffer {
  return Buffer.from([...steps.flatMap((one, at) => assembleStep(one, { place, at, places })), ...endings[end]]);
}

function assembleStep(one: Step, { place, at, places }: { place: number; at: number; places: Places }): number[] {
  switch (one.kind) {
    case 'log':
      return [
        ...[...push(at + 1), ...push(0), 0x52],
        ...Array.from({ length: one.topics }, (_, topic) => push(16 * place + topic)).flat(),
        ...[...push(32), ...push(at), 0xa0 + one.topics],
      ];
    case 'store':
      return [...push(one.value), ...push(one.slot), 0x55];
    case 'create':
      return [
        ...push(one.fails ? failingInit : loggingInit, 10),
        ...push(0),
        0x52,
        ...push(10),
        ...push(22),
        ...push(0),
        0xf0,
        0x50,
      ];
    case 'call': {
      const hasValue = one.how === 'CALL' || one.how === 'CALLCODE';
      return [
        ...[...push(one.selector, 4), ...push(0xe0), 0x1b, ...push(0), 0x52],
        ...[...push(0), ...push(0), ...push(4 + place), ...push(0)],
        // A value for a precompile, or for an account that is not there yet, is the ledger's own matter.
        ...(hasValue ? push(place + one.to < size ? one.value : 0) : []),
        ...[...push(targetOf(place, one.to, places), 20), ...push(200_000, 3), callKinds[one.how], 0x50],
      ];
    }
  }
}

/** LOG0 of nothing, then one byte of code; the same with a revert. */
const loggingInit = 0x60006000a060016000f3n;
const failingInit = 0x60006000a060016000fdn;
const word = (text: string): bigint => BigInt(`0x${Buffer.from(text).toString('hex').padEnd(64, '0')}`);
const endings: Record<Program['end'], number[]> = {
  stop: [0x00],
  return: [...push(7), ...push(0), 0x52, ...push(32), ...push(0), 0xf3],
  revert: [...push(9), ...push(0), 0x52, ...push(32), ...push(0), 0xfd],
  // Error(string) of "why".
  reason: [
    ...[...push(0x08c379a0, 4), ...push(0xe0), 0x1b, ...push(0), 0x52, ...push(32), ...push(4), 0x52],
    ...[...push(3), ...push(36), 0x52, ...push(word('why'), 32), ...push(68), 0x52, ...push(100), ...push(0), 0xfd],
  ],
  invalid: [0xfe],
};

const hex = (value: bigint | number, digits = 0): string => `0x${value.toString(16).padStart(digits, '0')}`;
const address = (value: bigint): string => hex(value, 40);
const weibar = (tinybar: bigint): string => hex(tinybar * 10n ** 10n);

type Judged = { tree: CallFrame; changes: Changes; selectors: Record<string, number> };

const common = new Common({ chain: { ...Mainnet, chainId: 298 }, hardfork: Hardfork.Prague });
const at = (value: bigint): Address => new Address(writeWord(value, 20));
const bytesHex = (bytes: Uint8Array): string => `0x${Buffer.from(bytes).toString('hex')}`;

async function judge(codes: readonly Buffer[], value: bigint): Promise<Judged> {
  const evm = await createEVM({ common });
  const accounts = [...codes.map((_, place) => addressOf(place)), sender];
  for (const [place, code] of codes.entries()) {
    await evm.stateManager.putAccount(at(addressOf(place)), new Account(1n, place === 0 ? 0n : rich));
    await evm.stateManager.putCode(at(addressOf(place)), code);
  }
  await evm.stateManager.putAccount(at(sender), new Account(0n, rich));
  evm.journal.cleanJournal();
  for (const warm of [sender, addressOf(0)]) evm.journal.addAlwaysWarmAddress(hex(warm, 40) as `0x${string}`);
  for (const precompile of getActivePrecompiles(common).keys())
    evm.journal.addAlwaysWarmAddress(precompile as `0x${string}`);
  const heard = hearCalls(evm);
  const { execResult } = await evm.runCall({
    ...{ caller: at(sender), origin: at(sender), to: at(addressOf(0)), data: new Uint8Array(0), value },
    ...{ gasPrice: 0n, gasLimit: BigInt(gas - 21_000) },
  });
  const root = heard.root();
  const refund = execResult.exceptionError ? 0n : (execResult.gasRefund ?? 0n);
  // The network gives all of it back.
  const used = execResult.executionGasUsed + 21_000n - refund;
  Object.assign(root, { gas: hex(gas), gasUsed: hex(used > 21_000n ? used : 21_000n) });
  const changes = await readChanges(evm, { codes, accounts: [...accounts, ...heard.created()] });
  return { tree: clearLogs(root, false), changes, selectors: heard.selectors };
}

function hearCalls(evm: EVM) {
  const open: CallFrame[] = [];
  const created = new Set<bigint>();
  const selectors: Record<string, number> = {};
  let root: CallFrame | undefined;
  let opcode = 'CALL';
  evm.events!.on('beforeMessage', (message: Message) => {
    const { to, caller, value, data, gasLimit, delegatecall } = message;
    const isCreate = to === undefined;
    const type = open.length === 0 ? 'CALL' : opcode;
    const isBorrowed = delegatecall || type === 'CALLCODE';
    const frame: CallFrame = {
      type,
      // Of DELEGATECALL the message has the caller of the caller.
      from: open.length === 0 ? caller.toString() : contextOf(open),
      to: isCreate ? null : isBorrowed ? message.codeAddress.toString() : to.toString(),
      ...{ gas: hex(gasLimit), gasUsed: '0x0', input: bytesHex(data), output: '0x', value: weibar(value) },
    };
    if (!isCreate && data.length >= 4 && (open.length === 0 || BigInt(frame.to!) > 17n)) {
      const name = `${frame.input.slice(0, 10)}-${data.length - 4}`;
      selectors[name] = (selectors[name] ?? 0) + 1;
    }
    const parent = open.at(-1);
    if (parent) {
      parent.calls ??= [];
      parent.calls.push(frame);
    } else root = frame;
    open.push(frame);
    contexts.push(isBorrowed ? contexts.at(-1)! : isCreate ? '' : frame.to!);
  });
  evm.events!.on('afterMessage', ({ createdAddress, execResult }) => {
    const { returnValue, exceptionError, executionGasUsed } = execResult;
    const frame = open.pop()!;
    contexts.pop();
    frame.gasUsed = hex(executionGasUsed);
    if (createdAddress) {
      frame.to = createdAddress.toString();
      created.add(BigInt(frame.to));
    }
    const isReverted = exceptionError?.error === 'revert';
    if (exceptionError) frame.error = isReverted ? 'execution reverted' : 'halt';
    if (!exceptionError || isReverted) frame.output = bytesHex(returnValue);
    if (isReverted && returnValue.length === 100) frame.revertReason = 'why';
  });
  evm.events!.on('step', ({ opcode: { name }, stack, memory, address: emitter }) => {
    opcode = name;
    if (!name.startsWith('LOG')) return;
    const frame = open.at(-1)!;
    const [start, length] = [Number(stack.at(-1)!), Number(stack.at(-2)!)];
    const data = Buffer.alloc(length);
    Buffer.from(memory).copy(data, 0, start, Math.min(memory.length, start + length));
    const topics = Array.from({ length: Number(name.slice(3)) }, (_, place) => hex(stack.at(-3 - place)!, 64));
    frame.logs ??= [];
    const position = hex(frame.calls?.length ?? 0);
    frame.logs.push({ address: emitter.toString(), topics, data: bytesHex(data), index: '', position });
  });
  const contexts: string[] = [];
  const contextOf = (_open: readonly CallFrame[]): string => contexts.at(-1)!;
  return { root: () => root!, created: () => [...created], selectors };
}

function clearLogs(call: CallFrame, isUndone: boolean): CallFrame {
  const failed = isUndone || call.error !== undefined;
  if (failed) delete call.logs;
  for (const inner of call.calls ?? []) clearLogs(inner, failed);
  return call;
}

async function readChanges(evm: EVM, { codes, accounts }: { codes: readonly Buffer[]; accounts: readonly bigint[] }) {
  const changes: Changes = { pre: {}, post: {} };
  for (const one of accounts) {
    const place = Number(one - addressOf(0));
    const isProgram = place >= 0 && place < codes.length;
    const account = await evm.stateManager.getAccount(at(one));
    const before = isProgram
      ? { balance: place === 0 ? 0n : rich, nonce: 1n }
      : one === sender
        ? { balance: rich, nonce: 0n }
        : null;
    if (!account || (before === null && account.nonce === 0n)) continue;
    const storage: Record<string, string> = {};
    for (const slot of [0n, 1n, 2n]) {
      const bytes = await evm.stateManager.getStorage(at(one), writeWord(slot));
      const value = readWord(bytes, 0, bytes.length);
      if (value !== 0n) storage[hex(slot, 64)] = hex(value, 64);
    }
    const hasStorage = Object.keys(storage).length > 0;
    const after = {
      ...(account.balance === before?.balance ? {} : { balance: weibar(account.balance) }),
      // A call uses up no nonce of its sender here.
      ...(account.nonce === before?.nonce || one === sender ? {} : { nonce: Number(account.nonce) }),
      ...(before === null ? { code: bytesHex(await evm.stateManager.getCode(at(one))) } : {}),
      ...(hasStorage ? { storage } : {}),
    };
    if (Object.keys(after).length === 0) continue;
    changes.post[address(one)] = after;
    if (before === null) continue;
    changes.pre[address(one)] = {
      balance: weibar(before.balance),
      ...(before.nonce > 0n ? { nonce: Number(before.nonce) } : {}),
      ...(isProgram ? { code: bytesHex(codes[place]!) } : {}),
    };
  }
  return changes;
}

/** What two machines say in other words: names of halts, init code, places of logs in the transaction. */
function plain({ calls, logs, error, input, to, from, ...call }: CallFrame): Json {
  const isCreation = call.type.startsWith('CREATE');
  const isHalt = error !== undefined && error !== 'execution reverted';
  return {
    ...call,
    ...{ from, to: isCreation && error ? null : to, input: isCreation ? '0x' : input },
    ...(error === undefined ? {} : { error: isHalt ? 'halt' : error }),
    ...(logs ? { logs: logs.map((log) => ({ ...log, index: '' })) } : {}),
    ...(calls?.length ? { calls: calls.map(plain) } : {}),
  };
}

function overridesOf(codes: readonly Buffer[]): Record<string, object> {
  const contracts = codes.map((code, place) => [
    address(addressOf(place)),
    { code: bytesHex(code), nonce: '0x1', balance: weibar(place === 0 ? 0n : rich), state: {} },
  ]);
  return Object.fromEntries([...contracts, [address(sender), { balance: weibar(rich), nonce: '0x0' }]]);
}

describe('a call', () => {
  it('has the calls, logs, selectors and changes that another machine finds', async () => {
    const counts = { calls: 0, logs: 0, failed: 0, changed: 0, selectors: 0 };
    await fc.assert(
      fc.asyncProperty(programs, fc.bigInt({ min: 0n, max: 5n }), async (given, value) => {
        const codes = given.map((one, place) => assemble(one, place));
        const judged = await judge(codes, value);
        const call = { from: address(sender), to: address(addressOf(0)), gas: hex(gas), value: weibar(value) };
        const trace = (tracer: string, tracerConfig: object = {}): Promise<Json> =>
          rpc.ask('debug_traceCall', call, 'latest', { tracer, tracerConfig, stateOverrides: overridesOf(codes) });
        const tree = await trace('callTracer', { withLog: true });
        expect(plain(tree)).toEqual(plain(judged.tree));
        expect(await trace('4byteTracer')).toEqual(judged.selectors);
        expect(await trace('prestateTracer', { diffMode: true })).toEqual(judged.changes);
        const listed = listOf(tree);
        counts.calls += listed.length;
        counts.logs += listed.flatMap(({ logs = [] }) => logs).length;
        counts.failed += listed.filter(({ error }) => error).length;
        counts.changed += Object.keys(judged.changes.post).length;
        counts.selectors += Object.keys(judged.selectors).length;
      }),
      { numRuns: 250 },
    );
    for (const count of Object.values(counts)) expect(count).toBeGreaterThan(150);
  });
});

/** Init code that makes a contract of this code. */
const initOf = (code: Buffer): string => `0x61${hex(code.length, 4).slice(2)}80600a5f395ff3${code.toString('hex')}`;

describe('calls one after the other', () => {
  it('each see what those before have left', async () => {
    const counts = { calls: 0, changes: 0 };
    const [made] = (await rpc.ask('trace_call', { data: initOf(Buffer.of(0)) }, ['trace'])).trace;
    const places: Places = (place) => BigInt(made.result.address) + BigInt(place);
    await fc.assert(
      fc.asyncProperty(programs, async (given) => {
        const codes = given.map((one, place) => assemble(one, place, places));
        const call = { to: address(places(0)), gas: hex(gas) };
        const asked = [...codes.map((code) => ({ data: initOf(code), gas: hex(gas) })), call, call];
        const types = ['trace', 'stateDiff'];
        const found: Json[] = await rpc.ask(
          'trace_callMany',
          asked.map((one) => [one, types]),
          'latest',
        );
        expect(found).toHaveLength(size + 2);
        const overrides: Record<string, Json> = {};
        for (const [step, { output, stateDiff, trace, vmTrace }] of found.entries()) {
          expect(vmTrace).toBeNull();
          if (step < size) {
            expect(trace[0].result).toMatchObject({ address: address(places(step)), code: bytesHex(codes[step]!) });
          } else {
            const [tree, diff] = await Promise.all(
              [
                ['callTracer', {}],
                ['prestateTracer', { diffMode: true }],
              ].map(([tracer, tracerConfig]) =>
                rpc.ask('debug_traceCall', call, 'latest', { tracer, tracerConfig, stateOverrides: overrides }),
              ),
            );
            expect(output).toBe(tree.output);
            expect(
              trace.map(({ action, error }: Json) => [action.from, action.gas, action.value, error !== undefined]),
            ).toEqual(
              listOf(tree).map(({ from, gas: given, value, error }) => [from, given, value, error !== undefined]),
            );
            expect(Object.keys(stateDiff)).toEqual(
              [...new Set([...Object.keys(diff.pre), ...Object.keys(diff.post)])].sort(),
            );
            for (const [one, { storage }] of Object.entries<Json>(stateDiff)) {
              expect(Object.keys(storage)).toEqual(
                [
                  ...new Set([
                    ...Object.keys(diff.pre[one]?.storage ?? {}),
                    ...Object.keys(diff.post[one]?.storage ?? {}),
                  ]),
                ].sort(),
              );
            }
            counts.calls += trace.length;
            counts.changes += Object.keys(stateDiff).length;
          }
          for (const [one, diff] of Object.entries<Json>(stateDiff)) override(overrides, one, diff);
        }
      }),
      { numRuns: 60 },
    );
    for (const count of Object.values(counts)) expect(count).toBeGreaterThan(20);
  });
});

/** What an account became. */
function override(overrides: Record<string, Json>, one: string, { balance, nonce, code, storage }: Json): void {
  const of = (change: Json): string | undefined => change['+'] ?? change['*']?.to;
  const known = overrides[one] ?? {};
  const slots = Object.entries<Json>(storage).map(([slot, change]) => [slot, of(change)]);
  overrides[one] = {
    ...known,
    ...(of(balance) ? { balance: of(balance) } : {}),
    ...(of(nonce) ? { nonce: of(nonce) } : {}),
    ...(of(code) ? { code: of(code) } : {}),
    stateDiff: { ...known.stateDiff, ...Object.fromEntries(slots) },
  };
}

describe('a trace that is too long', () => {
  /** Calls the identity precompile with as many bytes until there is no gas. */
  const calling = (bytes: number) =>
    `0x${Buffer.from(assembleText(`JUMPDEST PUSH 0 PUSH 0 PUSH ${bytes} PUSH 0 PUSH 4 GAS STATICCALL POP PUSH 0 JUMP`)).toString('hex')}`;
  const to = address(addressOf(0));
  const of = (code: string, more: object = {}) => [
    { to, gas: hex(15_000_000) },
    'latest',
    { tracer: 'callTracer', stateOverrides: { [to]: { code } }, ...more },
  ];
  const refused = (text: string | RegExp) => ({ status: 400, code: -32000, message: expect.stringMatching(text) });

  it.each([
    ['calls', calling(0), {}, 'Exceeded maximum number of calls in a trace: 10000'],
    ['calls of a flat list', calling(0), { tracer: 'flatCallTracer' }, 'Exceeded maximum number of calls'],
    ['their data', calling(1_500_000), {}, 'Exceeded maximum size of the calls of an answer: 33554432 bytes'],
    // Which of two bounds is met first depends on the machine.
    ['their data, again and again', calling(200_000), {}, /256 MiB of memory|longer than 10 seconds/],
    [
      'opcodes',
      `0x5b${'5f'.repeat(1000)}${'50'.repeat(1000)}5f56`,
      { tracer: undefined },
      /MiB of memory|longer than 10 seconds/,
    ],
  ])('of %s is refused with a sentence', async (_name, code, more, text) => {
    expect(await rpc.refusal('debug_traceCall', ...of(code, more))).toEqual(refused(text));
  });

  it('or does not begin, has the error of the call', async () => {
    const low = { to, gas: hex(21_000), data: `0x${'ff'.repeat(100)}` };
    const more = { tracer: 'callTracer', stateOverrides: { [to]: { code: '0x00' } } };
    const ofCall = await rpc.refusal('eth_call', low, 'latest', more.stateOverrides);
    expect(ofCall.code).toBe(-32000);
    for (const tracer of ['callTracer', 'flatCallTracer', '4byteTracer', 'prestateTracer', 'opcodeLogger', undefined]) {
      expect(await rpc.refusal('debug_traceCall', low, 'latest', { ...more, tracer })).toEqual(ofCall);
    }
    expect(await rpc.refusal('trace_call', low, ['trace'])).toEqual(ofCall);
    expect(
      await rpc.refusal('trace_callMany', [
        [{ to }, ['trace']],
        [low, []],
      ]),
    ).toEqual(ofCall);
  });
});

it('with opcodes counts as a trace of its second, the others as calls', async () => {
  const slow = openRpc(stored.db, {}, { limits: { tracesPerSecond: 1 } });
  try {
    const to = address(addressOf(0));
    const of = (tracer?: string) => slow.post(requestOf('debug_traceCall', { to }, 'latest', tracer ? { tracer } : {}));
    const requestOf = (method: string, ...params: unknown[]) => ({ jsonrpc: '2.0', id: 1, method, params });
    const answers = await Promise.all([of(), of(), of(), of(), of('callTracer'), of('callTracer')]);
    const codes = answers.map(({ status, body }) => `${status} ${body.error?.code ?? ''}`.trim());
    // At the same moment; on a slow machine a further one may fall into the next second.
    expect(codes.slice(0, 4).filter((code) => code === '429 -32020').length).toBeGreaterThan(0);
    expect(codes.slice(0, 4)).toContain('200');
    expect(codes.slice(4)).toEqual(['200', '200']);
    // Many in one request stand in a line, but for lists of opcodes.
    const batch = [requestOf('trace_call', { to }, ['trace']), requestOf('debug_traceCall', { to }, 'latest', {})];
    expect((await rpc.post(batch)).body).toMatchObject([{ result: { vmTrace: null } }, { error: { code: -32007 } }]);
  } finally {
    await slow.close();
  }
});

describe('a trace of a call', () => {
  const to = address(addressOf(0));

  it('of opcodes is that of the run, on the block that it names', async () => {
    // NUMBER, then a slot.
    const code = `0x${Buffer.from(assembleText('NUMBER PUSH 1 SSTORE STOP')).toString('hex')}`;
    const more = { stateOverrides: { [to]: { code } }, blockOverrides: { number: '0x7' } };
    const { gas: used, failed, structLogs } = await rpc.ask('debug_traceCall', { to }, 'latest', more);
    expect([used, failed]).toEqual([43_105, false]);
    expect(structLogs.map(({ op, stack }: Json) => [op, stack.length])).toEqual([
      ['NUMBER', 0],
      ['PUSH1', 1],
      ['SSTORE', 2],
      ['STOP', 0],
    ]);
    expect(Number(structLogs[1].stack[0])).toBe(7);
    const quiet = { ...more, tracerConfig: { disableStack: true } };
    expect((await rpc.ask('debug_traceCall', { to }, 'latest', quiet)).structLogs[1].stack).toBeNull();
    const earlier = await rpc.ask('debug_traceCall', { to }, '0x64', { stateOverrides: { [to]: { code } } });
    expect(Number(`0x${earlier.structLogs[1].stack[0]}`)).toBe(100);
  });

  it('of the states before leaves out what is not asked', async () => {
    const overrides = { [to]: { code: '0x60015400', state: { [hex(1, 64)]: hex(5, 64) }, balance: weibar(3n) } };
    const states = (tracerConfig: object) =>
      rpc.ask('debug_traceCall', { to }, 'latest', {
        tracer: 'prestateTracer',
        tracerConfig,
        stateOverrides: overrides,
      });
    const whole = { balance: weibar(3n), nonce: 0, code: '0x60015400', storage: { [hex(1, 64)]: hex(5, 64) } };
    expect((await states({}))[to]).toEqual(whole);
    const { code: _code, ...noCode } = whole;
    expect((await states({ disableCode: true }))[to]).toEqual(noCode);
    const { storage: _storage, ...noStorage } = whole;
    expect((await states({ disableStorage: true }))[to]).toEqual(noStorage);
    expect(await states({ diffMode: true })).toEqual({ pre: {}, post: {} });
  });
});

function listOf(call: CallFrame): CallFrame[] {
  return [call, ...(call.calls ?? []).flatMap(listOf)];
}
