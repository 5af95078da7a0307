// Questions to contracts: what a call would answer, now or after any block, and the gas that it needs.

import { currentClient } from '../../packages/kit/shares/current-client.ts';
import type { Database } from '../../packages/postgres/wire/database.ts';
import { isSuccess } from '../../packages/protocol/hapi/response-codes.ts';
import type { SystemRealm } from '../../packages/protocol/hapi/system-entity.ts';
import type { NetworkIdentity } from '../../packages/protocol/network-identity.ts';
import { type BlockWatch, noBlockWatch } from '../../packages/store/notify/block-watch.ts';
import type { StateBlockName } from '../../packages/store/read/state/select-state-block.ts';
import type { ContractResultDetail } from '../ledger/contracts/create-contract-results.ts';
import { createGasPrices } from '../ledger/contracts/gas-prices.ts';
import { createBriefCalls } from './brief/brief-calls.ts';
import { type CallLimits, usualLimits } from './call-limits.ts';
import { createBalanceSnapshots } from './facts/balance-snapshots.ts';
import { createCodeCache } from './facts/code-cache.ts';
import { createSystemFiles } from './facts/system-files.ts';
import { createLongCalls, type LongCalls } from './long/long-calls.ts';
import { PoolFull, ThreadLost } from './pool/call-pool.ts';
import { type Prestate, type PrestateShown, readPrestate } from './prestate/read-prestate.ts';
import { type ComparedPart, compareRun, wasRun } from './rerun/compare-run.ts';
import { recipientOf } from './rerun/to-rerun.ts';
import type { Simulation, SimulationEnd } from './simulate/simulation.ts';
import type { CallQuestion, Outcome } from './thread/job.ts';
import type { FilteredCall } from './throttle/call-filters.ts';
import { createCallGate, type Throttled } from './throttle/call-gate.ts';
import { createClientRate } from './throttle/throttle.ts';
import type { OpcodeOptions, RpcTraceOptions } from './trace/open-trace.ts';
import { emptyTrace } from './trace/trace-opcodes.ts';

export type CallAnswer = Outcome | { kind: 'noBlock' } | Throttled;

type SimulationAnswer = SimulationEnd | { kind: 'noBlock' } | Throttled;

/** Or what was thrown: too many waited, the thread was lost, anything else. */
export type CallEnd = CallAnswer['kind'] | SimulationAnswer['kind'] | 'overloaded' | 'lost' | 'failed';

/** Opcodes as the mirror node lists them, or what JSON-RPC answers. */
type TraceShown = Omit<OpcodeOptions, 'head'> | RpcTraceOptions;

/** What of a run and the ledger differs; empty = nothing. */
type Traced = Extract<Outcome, { kind: 'traced' }> & { differences: ComparedPart[] };
/** The network refused it before its contract ran; `body` is as that of a trace. */
type NotRun = { kind: 'notRun'; body: Uint8Array };
export type TraceAnswer = Traced | NotRun | Exclude<Outcome, { kind: 'traced' }> | { kind: 'unknownCode' };

/** Everything counts for the client for whom the running code works (`currentClient`). */
export type Calls = {
  ask(question: CallQuestion): Promise<CallAnswer>;
  /** Calls that run one after the other on the state at the end of a block, for the gas of one. */
  simulate(simulation: Simulation, block: StateBlockName): Promise<SimulationAnswer>;
  /** Whether the client may have one more trace in this second; then it counts. */
  mayTrace(): boolean;
  /** Runs a transaction again on the state before it, and lists its opcodes. */
  trace(result: ContractResultDetail, shown: TraceShown): Promise<TraceAnswer>;
  /** Whether the client may have one more prestate in this second; then it counts. */
  mayShowPrestate(): boolean;
  /** The accounts that a transaction concerned, before and after it. Throws PrestateTooLarge. */
  prestate(result: ContractResultDetail, shown: PrestateShown): Promise<Prestate>;
  counts: LongCalls['counts'];
  close(): Promise<void>;
};

export type CallsOptions = {
  db: Database;
  system: SystemRealm;
  /** Read for each call. */
  network: Pick<NetworkIdentity, 'chainId'>;
  /** What is known of the newest block; without it that is read for each call. */
  blocks?: BlockWatch;
  limits?: Partial<CallLimits>;
  onLost?(error: Error): void;
  /** How each question to `ask` ended, and how long it took. */
  onAnswer?(end: CallEnd, seconds: number): void;
  /** A filter says that it is to be logged. */
  onLogged?(call: FilteredCall): void;
  onCompared?(differences: readonly ComparedPart[]): void;
};

const megabyte = 2 ** 20;
const cache = { maxCodeBytes: 32 * megabyte, maxPastBytes: 32 * megabyte, maxPresentBytes: 64 * megabyte };

export function createCalls(options: CallsOptions): Calls {
  const { db, system, network, blocks = noBlockWatch, onLost = () => {}, onAnswer, onCompared, onLogged } = options;
  const limits = { ...usualLimits, ...options.limits };
  const kept = {
    system,
    codes: createCodeCache(2 * cache.maxCodeBytes),
    files: createSystemFiles(system),
    snapshots: createBalanceSnapshots(system),
  };
  const basis = { network, limits, gasPrices: createGasPrices({ db, system }) };
  const gate = createCallGate(limits, onLogged ? { onLogged } : {});
  const traces = createClientRate(limits.tracesPerSecond);
  const prestates = createClientRate(limits.prestatesPerSecond);
  const long = createLongCalls({
    db,
    kept,
    basis,
    pool: {
      maxThreads: limits.threads,
      maxWaiting: limits.waiting,
      maxWaitMs: limits.waitMs,
      cache,
      maxHeapMb: limits.heapMb,
      onLost,
    },
  });
  const brief = createBriefCalls({
    db,
    kept,
    basis,
    blocks,
    cache,
    onRan: (ms) => long.spend(currentClient(), ms),
  });

  return {
    ask(question) {
      const others = (question.next ?? []).map((one) => ({ ...question, ...one }));
      const gas = others.reduce((sum, one) => sum + one.gas, question.gas);
      const run = async () => (await brief.ask(question)) ?? (await long.ask(question));
      return measured(() => gate.pass(currentClient(), { ...question, gas }, run, others));
    },
    simulate(simulation, block) {
      const [first = noCall, ...others] = toFiltered(simulation, block);
      const asked = { ...first, gas: simulation.gas };
      return measured(() => gate.pass(currentClient(), asked, () => long.simulate(simulation, block), others));
    },
    mayTrace: () => traces.take(currentClient(), 1),
    async trace(result, shown) {
      const head = toHead(recipientOf(result));
      if (!wasRun(result)) return { kind: 'notRun', body: emptyTrace(head, isSuccess(result.transactionResult)) };
      const answer = await long.trace(result, 'form' in shown ? shown : { ...shown, head });
      if (answer.kind !== 'traced') return answer;
      const differences = compareRun(answer.run, result);
      onCompared?.(differences);
      return { ...answer, differences };
    },
    mayShowPrestate: () => prestates.take(currentClient(), 1),
    prestate: (result, shown) =>
      db.snapshot((own) => readPrestate({ db: own, snapshots: kept.snapshots }, result, shown)),
    counts: long.counts,
    close: long.close,
  };

  async function measured<Answer extends { kind: CallEnd }>(work: () => Promise<Answer>): Promise<Answer> {
    const startedAt = performance.now();
    let end: CallEnd = 'failed';
    try {
      const answer = await work();
      end = answer.kind;
      return answer;
    } catch (error) {
      if (error instanceof PoolFull) end = 'overloaded';
      else if (error instanceof ThreadLost) end = 'lost';
      throw error;
    } finally {
      onAnswer?.(end, (performance.now() - startedAt) / 1000);
    }
  }
}

function toFiltered({ blocks, callGas: most }: Simulation, block: StateBlockName): FilteredCall[] {
  const calls = blocks.flatMap((one) => one.calls);
  return calls.map(({ from, to, value, data, gas }) => ({
    ...{ from, to, value, data, block, estimate: false },
    gas: gas === null || gas > BigInt(most) ? most : Number(gas),
  }));
}

/** Of blocks without calls. */
const noCall: FilteredCall = {
  ...{ from: null, to: null, value: 0n, data: new Uint8Array(), gas: 0, estimate: false, block: null },
};

/** The first members of the list of opcodes. */
function toHead({ num, address }: ReturnType<typeof recipientOf>): string {
  const id = num === null ? 'null' : `"0.0.${num}"`;
  return `"address":"0x${address.toString(16).padStart(40, '0')}","contract_id":${id},`;
}
