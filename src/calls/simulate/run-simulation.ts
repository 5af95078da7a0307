// Runs the calls of blocks that never were, in a thread, each on the state that the one before has left.
import type { BlockFacts } from '../../../packages/machine/frame/block-facts.ts';
import { precompilesOf } from '../../../packages/machine/precompiles/table.ts';
import { rulesOf } from '../../../packages/machine/rules/versions.ts';
import { createCarriedState } from '../../../packages/machine/state/carried-state.ts';
import { keccak256 } from '../../../packages/protocol/keccak256.ts';
import { type FactsAsked, type FetchedFacts, sizeOf, toAsked } from '../facts/fetched-facts.ts';
import type { StateCache } from '../thread/cached-state.ts';
import { applyOverrides } from './apply-overrides.ts';
import { Ended } from './ended.ts';
import { type Context, runCall, treasury } from './run-call.ts';
import { encodeTransaction, sealBlock, weibarPerTinybar } from './seal-block.ts';
import type { AskedBlock, SimulatedBlock, SimulatedRun, SimulationEnd, SimulationJob } from './simulation.ts';

type Options = { cache: StateCache; fetch(asked: FactsAsked): Promise<FetchedFacts> };

/** Facts that all calls together may fetch. */
const maxFetched = 20_000;
/** Of what calls return and log: the answer is made at once, and others wait meanwhile. */
const maxBytes = 4 * 2 ** 20;

export async function runSimulation(job: SimulationJob, options: Options): Promise<SimulationEnd> {
  const { simulation } = job;
  const context = createContext(job, options);
  try {
    await knowAddresses(context);
    const blocks: SimulatedBlock[] = [];
    let { parentHash } = simulation;
    for (const block of simulation.blocks) {
      const sealed = await runBlock(context, block, parentHash);
      parentHash = BigInt(`0x${Buffer.from(sealed.hash).toString('hex')}`);
      context.carried.putBlockHash(block.number, parentHash);
      blocks.push(sealed);
    }
    return { kind: 'simulated', blocks, gasUsed: simulation.gas - context.left.gas };
  } catch (error) {
    if (!(error instanceof Ended)) throw error;
    const { outcome } = error;
    return outcome.kind === 'invalid' ? { ...outcome, gasUsed: simulation.gas - context.left.gas } : outcome;
  }
}

function createContext(job: SimulationJob, { cache, fetch }: Options): Context {
  const deadline = performance.now() + job.timeMs;
  const isTimeUp = (): boolean => performance.now() > deadline;
  const base = cache.at(job.moment);
  let fetched = 0;
  return {
    ...{ job, base, isTimeUp, rules: rulesOf(job.version), carried: createCarriedState(base, job.nextNum) },
    left: { gas: job.simulation.gas, bytes: maxBytes },
    async fetch(missing) {
      const asked = toAsked(missing);
      fetched += sizeOf(asked);
      if (fetched > maxFetched) throw new Ended({ kind: 'stopped', limit: 'reads' });
      base.take(await fetch(asked));
      if (isTimeUp()) throw new Ended({ kind: 'stopped', limit: 'time' });
    },
  };
}

/** Whom the calls name, in one round of questions. */
async function knowAddresses({ job, base, fetch }: Context): Promise<void> {
  const named = job.simulation.blocks.flatMap(({ calls, overrides }) => [
    ...calls.flatMap(({ from, to }) => (to === null ? [from ?? treasury] : [from ?? treasury, to])),
    ...overrides.map(({ address }) => address),
  ]);
  const unknown = [...new Set(named)].filter((address) => base.account(address) === undefined);
  if (unknown.length > 0) await fetch(unknown.map((address) => ({ kind: 'account', address })));
}

async function runBlock(context: Context, block: AskedBlock, parentHash: bigint): Promise<SimulatedBlock> {
  const { job, carried, rules, isTimeUp } = context;
  const { chainId } = job.block;
  const baseFee = block.baseFee ?? (job.simulation.validates ? job.gasPrice * weibarPerTinybar : 0n);
  const precompiles = new Map(precompilesOf(rules.fork.name));
  applyOverrides(carried, block.overrides, precompiles);
  const facts = toBlockFacts(block, { baseFee, chainId });
  const runs: SimulatedRun[] = [];
  const encoded: Uint8Array[] = [];
  let gasLeft = block.gasLimit;
  for (const call of block.calls) {
    if (isTimeUp()) throw new Ended({ kind: 'stopped', limit: 'time' });
    const run = await runCall(context, { facts, baseFee, precompiles, gasLeft }, call);
    const bytes = encodeTransaction(call, run, chainId);
    gasLeft -= BigInt(run.gasUsed);
    runs.push({ ...run, hash: keccak256(bytes) });
    encoded.push(bytes);
  }
  return sealBlock(block, { runs, encoded, parentHash, baseFee });
}

function toBlockFacts(
  { number, timestamp, prevRandao, coinbase, blobBaseFee, gasLimit, isGasLimitGiven }: AskedBlock,
  { baseFee, chainId }: { baseFee: bigint; chainId: bigint },
): BlockFacts {
  return {
    ...{ number, timestamp, prevRandao, chainId, baseFee: baseFee / weibarPerTinybar },
    ...(coinbase === null ? {} : { coinbase }),
    ...(blobBaseFee === null ? {} : { blobBaseFee }),
    ...(isGasLimitGiven ? { gasLimit } : {}),
  };
}
