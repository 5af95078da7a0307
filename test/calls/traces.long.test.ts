// Traces of every execution of a simulated network, held against each other, against a run of it, and against what the
// tables say of logs, slots and balances.
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Database, openDatabase } from '../../packages/postgres/wire/database.ts';
import { usualRealm } from '../../packages/protocol/hapi/system-entity.ts';
import { unlimited } from '../../packages/test-support/http/open-server.ts';
import { openLedger } from '../../packages/test-support/ledgers/ledgers.ts';
import type { ScratchDatabase } from '../../packages/test-support/postgres/scratch-database.ts';
import { openRpc, type TestRpc } from '../../packages/test-support/rpc/open-rpc.ts';
import { type Calls, createCalls } from '../../src/calls/create-calls.ts';
import type { TracedCalls } from '../../src/calls/trace/trace-calls.ts';
import type { CallFrame, FrameLog, PathTrace } from '../../src/doors/rpc/shapes/call-tree.ts';
import type { AccountValues, Changes } from '../../src/doors/rpc/shapes/state-diff.ts';
import { createLedger } from '../../src/ledger/create-ledger.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

type Known = {
  at: bigint;
  hash: string;
  payer: bigint;
  sender: bigint | null;
  status: number;
  fee: bigint;
  gas: bigint;
  block: bigint;
};
type Json = ReturnType<typeof JSON.parse>;

let scratch: ScratchDatabase;
let db: Database;
let calls: Calls;
let rpc: TestRpc;
let results: Known[];
beforeAll(async () => {
  scratch = await openLedger('contracts');
  db = openDatabase(scratch);
  calls = createCalls({ db, system: usualRealm, network: { chainId: 298n }, limits: unlimited });
  rpc = openRpc(db);
  results = await db.query<Known>({
    name: 'results',
    text: `select r.consensus_timestamp as at, '0x' || encode(substring(r.transaction_hash from 1 for 32), 'hex') as hash,
  t.payer_account_id as payer, r.sender_id as sender, r.transaction_result as status, t.charged_tx_fee as fee, coalesce(r.gas_used, 0) as gas,
  (select index from record_file where consensus_end >= r.consensus_timestamp order by consensus_end limit 1) as block
from contract_result r join transaction t using (consensus_timestamp) where t.nonce = 0 order by 1`,
  });
  expect(results.length).toBeGreaterThan(300);
});
afterAll(async () => {
  expect(rpc?.failures).toEqual([]);
  await rpc?.close();
  await calls?.close();
  await db?.close();
  await scratch?.close();
});

const tracerOf = (tracer: string, tracerConfig: object = {}) => ({ tracer, tracerConfig });
const traceOf = (hash: string, tracer: string, config?: object): Promise<Json> =>
  rpc.ask('debug_traceTransaction', hash, tracerOf(tracer, config));

type Listed = { call: CallFrame; path: number[]; isUndone: boolean };

/** Each call before those inside of it. */
function list(call: CallFrame, path: number[] = [], isUndone = false): Listed[] {
  const failed = isUndone || call.error !== undefined;
  return [
    { call, path, isUndone: failed },
    ...(call.calls ?? []).flatMap((inner, at) => list(inner, [...path, at], failed)),
  ];
}

function withoutLogs({ logs: _logs, calls: inner, ...call }: CallFrame): CallFrame {
  return { ...call, ...(inner ? { calls: inner.map(withoutLogs) } : {}) };
}

describe('of each execution', () => {
  it('every log stands in a call that emits it, and none in what failed', async () => {
    let [placed, inside, between] = [0, 0, 0];
    for (const { hash } of results) {
      const [tree, plain] = [await traceOf(hash, 'callTracer', { withLog: true }), await traceOf(hash, 'callTracer')];
      expect(withoutLogs(tree)).toEqual(plain);
      const receipt = await rpc.ask('eth_getTransactionReceipt', hash);
      const listed = list(tree);
      const found = listed.flatMap(({ call, path, isUndone }) => {
        if (call.logs) expect([hash, isUndone]).toEqual([hash, false]);
        return (call.logs ?? []).map((log: FrameLog) => ({ log, call, path }));
      });
      found.sort((one, other) => Number(one.log.index) - Number(other.log.index));
      const logs: Json[] = receipt?.logs ?? [];
      expect(found.map(({ log: { address, topics, data, index } }) => ({ address, topics, data, index }))).toEqual(
        logs.map(({ address, topics, data, logIndex: index }) => ({ address, topics, data, index })),
      );
      // The order of logs is that of the run: a call's stand after those of the calls that it had made before.
      let before: number[] = [];
      for (const { log, call, path } of found) {
        const position = Number(log.position);
        expect(position).toBeLessThanOrEqual(call.calls?.length ?? 0);
        const moment = [...path, position - 0.5];
        expect([hash, isAfter(moment, before)]).toEqual([hash, true]);
        before = moment;
        inside += path.length > 0 ? 1 : 0;
        between += position > 0 ? 1 : 0;
      }
      const top = await traceOf(hash, 'callTracer', { withLog: true, onlyTopCall: true });
      expect(top).toEqual({
        ...{ ...tree, calls: [] },
        ...(tree.logs ? { logs: tree.logs.map((log: FrameLog) => ({ ...log, position: '0x0' })) } : {}),
      });
      placed += found.length;
    }
    expect(placed).toBeGreaterThan(100);
    expect(inside).toBeGreaterThan(20);
    expect(between).toBeGreaterThan(5);
  });

  it('the tree, the flat list, the paths and the counts of selectors are the same calls', async () => {
    let [reverted, counted] = [0, 0];
    for (const { hash } of results) {
      const tree = await traceOf(hash, 'callTracer');
      const listed = list(tree);
      const whole = { includePrecompiles: true };
      const flat: PathTrace[] = await traceOf(hash, 'flatCallTracer', whole);
      expect(flat.map(({ traceAddress }) => traceAddress)).toEqual(listed.map(({ path }) => path));
      expect(flat.map(({ error }) => error)).toEqual(listed.map(({ call }) => call.error));
      for (const [at, { type, action, result, subtraces }] of flat.entries()) {
        const { call } = listed[at]!;
        const { from, gas, value } = call;
        expect(action).toMatchObject({ from, gas, value });
        expect(subtraces).toBe(call.calls?.length ?? 0);
        const isCreation = call.type.startsWith('CREATE');
        expect(type).toBe(isCreation ? 'create' : 'call');
        if (call.error === undefined) expect(result).toMatchObject({ gasUsed: call.gasUsed });
        reverted += call.error && result ? 1 : 0;
      }
      const paths: PathTrace[] = await rpc.ask('trace_transaction', hash);
      const parity: PathTrace[] = await traceOf(hash, 'flatCallTracer', { ...whole, convertParityErrors: true });
      const ended = ({ result, ...path }: PathTrace) => ({ ...path, result: path.error ? null : result });
      expect(parity.map(ended)).toEqual(paths);
      const replayed = await rpc.ask('trace_replayTransaction', hash, ['trace']);
      expect(replayed).toEqual({
        output: tree.output,
        ...{ stateDiff: null, vmTrace: null },
        trace: paths.map(
          ({ blockHash: _h, blockNumber: _n, transactionHash: _t, transactionPosition: _p, ...path }) => path,
        ),
      });
      const counts: Record<string, number> = await traceOf(hash, '4byteTracer');
      const sum = Object.values(counts).reduce((all, count) => all + count, 0);
      const isCounted = ({ call: { type, input, to }, path }: Listed) =>
        !type.startsWith('CREATE') &&
        input.length >= 10 &&
        (path.length === 0 || Number(to) > 0x11 || Number(to) === 0);
      expect(sum).toBe(listed.filter(isCounted).length);
      const { type, input } = tree;
      if (!type.startsWith('CREATE') && input.length >= 10) {
        expect(counts[`${input.slice(0, 10)}-${input.length / 2 - 5}`]).toBeGreaterThan(0);
      }
      const short: PathTrace[] = await traceOf(hash, 'flatCallTracer');
      const isKept = ({ type: kind, action: { to = null, callType } }: PathTrace) =>
        kind === 'create' || !['call', 'staticcall'].includes(callType!) || Number(to) > 0x11 || Number(to) === 0;
      expect(short.length).toBe(flat.filter((one, at) => at === 0 || isKept(one)).length);
      counted += sum;
    }
    expect(reverted).toBeGreaterThan(10);
    expect(counted).toBeGreaterThan(300);
  });

  it('the recorded calls are those of a run', async () => {
    const ledger = createLedger({ db, system: usualRealm, clock: () => 2n ** 62n });
    let compared = 0;
    for (const { hash, at, gas } of results) {
      if (gas === 0n) continue;
      const result = (await ledger.contractResults.findAt(at, { contractId: null, synthetic: false }))!;
      const answer = await calls.trace(result, { form: 'calls', maxCalls: 10_000, maxBytes: 2 ** 25 });
      if (answer.kind !== 'traced') throw new Error(`${hash}: ${answer.kind}`);
      const run = JSON.parse(gunzipSync(answer.body).toString()) as TracedCalls;
      const [, ...inner] = list(await traceOf(hash, 'callTracer'));
      expect(
        inner.map(({ call: { type, gas: given, gasUsed, value }, path }) => [path.length, type, given, gasUsed, value]),
      ).toEqual(
        run.calls.slice(1).map(({ depth, type, gas: given, gasUsed, value }) => [depth, type, given, gasUsed, value]),
      );
      for (const [place, { call, isUndone }] of inner.entries()) {
        const { input, output, to, from } = run.calls[place + 1]!;
        // What was never made has a number alone.
        // Of some creations the network says no init code.
        const isSaid = !call.type.startsWith('CREATE') || call.input !== '0x';
        if (!isUndone) expect([hash, call.input, call.to]).toEqual([hash, isSaid ? input : '0x', to]);
        if (!isUndone) expect(call.from).toBe(from);
        if (!call.error) expect(call.output).toBe(output);
        compared += 1;
      }
    }
    expect(compared).toBeGreaterThan(200);
  });
});

describe('what moves', () => {
  it('in the tree and in the states before and after is what the transfers of the ledger say, but for fees', async () => {
    const transfers = await selectTransfers();
    const idAt = await selectAddresses();
    let [moving, undone, destroyed] = [0, 0, 0];
    for (const known of results.filter(({ gas }) => gas > 0n)) {
      const { hash, at } = known;
      const tree: CallFrame = await traceOf(hash, 'callTracer');
      const inTree = new Map<bigint, bigint>();
      for (const { call, isUndone } of list(tree)) {
        const value = BigInt(call.value);
        if (value === 0n || !movingTypes.has(call.type)) continue;
        undone += isUndone ? 1 : 0;
        if (isUndone) continue;
        add(inTree, one(known, idAt(call.from!)), -value);
        add(inTree, one(known, idAt(call.to!)), value);
      }
      const { pre, post }: Changes = await traceOf(hash, 'prestateTracer', { diffMode: true });
      const inStates = new Map<bigint, bigint>();
      for (const address of new Set([...Object.keys(pre), ...Object.keys(post)])) {
        const [before, after] = [BigInt(pre[address]?.balance ?? 0), balanceAfter(pre[address], post[address])];
        add(inStates, one(known, idAt(address)), after - before);
      }
      const expected = shown(transfers.get(at) ?? new Map());
      expect([hash, shown(inStates)]).toEqual([hash, expected]);
      // What a contract had that destroyed itself is no call.
      if (shown(inTree).join() !== expected.join()) {
        const { structLogs } = await rpc.ask('debug_traceTransaction', hash, { disableStack: true });
        expect([hash, structLogs.some(({ op }: Json) => op === 'SELFDESTRUCT')]).toEqual([hash, true]);
        destroyed += 1;
      }
      moving += expected.length > 0 ? 1 : 0;
    }
    expect(moving).toBeGreaterThan(30);
    expect(undone).toBeGreaterThan(5);
    expect(destroyed).toBeLessThan(moving);
  });

  it('every slot that was written has changed in both forms, and no other', async () => {
    const written = await selectWritten();
    const idAt = await selectAddresses();
    let [slots, made] = [0, 0];
    for (const { hash, at } of results.filter(({ gas }) => gas > 0n)) {
      const { pre, post }: Changes = await traceOf(hash, 'prestateTracer', { diffMode: true });
      const { stateDiff, trace } = await rpc.ask('trace_replayTransaction', hash, ['stateDiff']);
      expect(trace).toEqual([]);
      expect(Object.keys(stateDiff)).toEqual([...new Set([...Object.keys(pre), ...Object.keys(post)])].sort());
      const found: string[] = [];
      for (const [address, diff] of Object.entries<Json>(stateDiff)) {
        const [before, after] = [pre[address], post[address]];
        expect(diff.balance).toEqual(changeOf(before, after, (one) => one.balance, '0x0'));
        expect(diff.code).toEqual(changeOf(before, after, (one) => one.code, '0x'));
        expect(diff.nonce).toEqual(changeOf(before, after, (one) => one.nonce && `0x${one.nonce.toString(16)}`, '0x0'));
        made += before ? 0 : 1;
        for (const [slot, change] of Object.entries<Json>(diff.storage)) {
          expect(change).toEqual(
            before && after
              ? { '*': { from: before.storage?.[slot] ?? zeroWord, to: after.storage?.[slot] ?? zeroWord } }
              : { [after ? '+' : '-']: (after ?? before)!.storage![slot] },
          );
          if (after) found.push(`${idAt(address)} ${slot} ${change['*']?.to ?? change['+']}`);
        }
        for (const values of [before, after]) expect(Object.values(values?.storage ?? {})).not.toContain(zeroWord);
      }
      expect([hash, found.sort()]).toEqual([hash, written.get(at)?.sort() ?? []]);
      slots += found.length;
    }
    expect(slots).toBeGreaterThan(50);
    expect(made).toBeGreaterThan(10);
  });

  it('of a block is that of its transactions', async () => {
    const [first] = results;
    const last = results.at(-1)!;
    let compared = 0;
    for (const block of [first!.block, last.block]) {
      const at = `0x${block.toString(16)}`;
      const config = { callTracer: { withLog: true }, '4byteTracer': {}, flatCallTracer: {}, noopTracer: {} };
      const traces: Json[] = await rpc.ask('debug_traceBlockByNumber', at, tracerOf('muxTracer', config));
      for (const { txHash, result } of traces) {
        expect(result).toEqual(await rpc.ask('debug_traceTransaction', txHash, tracerOf('muxTracer', config)));
        expect(result.callTracer).toEqual(await traceOf(txHash, 'callTracer', { withLog: true }));
        expect(result.noopTracer).toEqual({});
      }
      const changes: Json[] = await rpc.ask(
        'debug_traceBlockByNumber',
        at,
        tracerOf('prestateTracer', { diffMode: true }),
      );
      const replayed: Json[] = await rpc.ask('trace_replayBlockTransactions', at, ['trace', 'stateDiff']);
      const ran = new Set(replayed.map(({ transactionHash }) => transactionHash));
      for (const { txHash, result } of changes.filter((one) => ran.has(one.txHash))) {
        expect(result).toEqual(await traceOf(txHash, 'prestateTracer', { diffMode: true }));
      }
      for (const { transactionHash: hash, ...one } of replayed) {
        expect(one).toEqual(await rpc.ask('trace_replayTransaction', hash, ['trace', 'stateDiff']));
        compared += 1;
      }
    }
    expect(compared).toBeGreaterThan(5);
  });
});

const zeroWord = `0x${'0'.repeat(64)}`;

function changeOf(
  before: AccountValues | undefined,
  after: AccountValues | undefined,
  of: (values: AccountValues) => string | number | undefined,
  nothing: string,
) {
  if (!before) return { '+': of(after!) || nothing };
  if (!after) return { '-': of(before) || nothing };
  const [from, to] = [of(before) || nothing, of(after) || of(before) || nothing];
  return from === to ? '=' : { '*': { from, to } };
}

/** By consensus timestamp: slots with another value than before. */
async function selectWritten(): Promise<Map<bigint, string[]>> {
  const rows = await db.query<{ at: bigint; id: bigint; slot: string; value: string }>({
    name: 'written',
    text: `select consensus_timestamp as at, contract_id as id, encode(slot, 'hex') as slot, encode(value_written, 'hex') as value
from contract_state_change where value_written is not null
  and ltrim(encode(value_written, 'hex'), '0') <> ltrim(encode(value_read, 'hex'), '0')`,
  });
  const words = (hex: string) => `0x${hex.padStart(64, '0')}`;
  const found = new Map<bigint, string[]>();
  for (const { at, id, slot, value } of rows) {
    found.set(at, [...(found.get(at) ?? []), `${id} ${words(slot)} ${words(value)}`]);
  }
  return found;
}

const movingTypes = new Set(['CALL', 'CREATE', 'CREATE2']);

function add(sums: Map<bigint, bigint>, id: bigint, amount: bigint): void {
  sums.set(id, (sums.get(id) ?? 0n) + amount);
}

/** The sender of an Ethereum transaction and who hands it in share its fee: they count as one. */
const one = ({ payer, sender }: Pick<Known, 'payer' | 'sender'>, id: bigint): bigint =>
  id === payer && sender !== null ? sender : id;

const shown = (sums: ReadonlyMap<bigint, bigint>): string[] =>
  [...sums]
    .filter(([, amount]) => amount !== 0n)
    .map(([id, amount]) => `${id}: ${amount}`)
    .sort();

function balanceAfter(before: AccountValues | undefined, after: AccountValues | undefined): bigint {
  return after === undefined ? 0n : BigInt(after.balance ?? before?.balance ?? 0);
}

/** By consensus timestamp, what each account got, weibar; without fees and rewards of stakes. */
async function selectTransfers(): Promise<Map<bigint, Map<bigint, bigint>>> {
  const rows = await db.query<{ at: bigint; id: bigint; amount: bigint }>({
    name: 'transfers',
    text: `select t.consensus_timestamp as at, c.entity_id as id, sum(c.amount)::int8 as amount
from contract_result r join transaction t using (consensus_timestamp)
join transaction u on u.payer_account_id = t.payer_account_id and u.valid_start_ns = t.valid_start_ns and u.scheduled = t.scheduled
join (select consensus_timestamp, entity_id, amount from crypto_transfer
  union all select consensus_timestamp, account_id, -amount from staking_reward_transfer) c
  on c.consensus_timestamp = u.consensus_timestamp
where t.nonce = 0 group by 1, 2`,
  });
  const found = new Map<bigint, Map<bigint, bigint>>();
  const payers = new Map(results.map(({ at, ...known }) => [at, known]));
  for (const { at, id, amount } of rows) {
    const known = payers.get(at)!;
    const { payer, fee } = known;
    if (id < 1000n) continue;
    const sums = found.get(at) ?? new Map<bigint, bigint>();
    found.set(at, sums);
    add(sums, one(known, id), (amount + (id === payer ? fee : 0n)) * 10n ** 10n);
  }
  return found;
}

async function selectAddresses(): Promise<(address: string) => bigint> {
  const rows = await db.query<{ id: bigint; address: string }>({
    name: 'addresses',
    text: `select id, '0x' || encode(evm_address, 'hex') as address from entity where evm_address is not null`,
  });
  const ids = new Map(rows.map(({ id, address }) => [address, id]));
  return (address) => ids.get(address) ?? BigInt(`0x${address.slice(-16)}`);
}

/** By path; a call comes after what its caller did before it. */
function isAfter(one: readonly number[], other: readonly number[]): boolean {
  for (const [at, step] of one.entries()) {
    const before = other[at];
    if (before === undefined) return true;
    if (step !== before) return step > before;
  }
  return one.length >= other.length;
}
