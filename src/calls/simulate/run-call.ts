// One call of a simulated block: whether it may begin, its run, what it leaves and what it costs.
import type { BlockFacts } from '../../../packages/machine/frame/block-facts.ts';
import type { PrecompileEntry } from '../../../packages/machine/precompiles/precompile.ts';
import type { Rules } from '../../../packages/machine/rules/rules.ts';
import { recoverAuthority } from '../../../packages/machine/run/authorize.ts';
import { runTransaction } from '../../../packages/machine/run/run-transaction.ts';
import type { Finished, Transaction } from '../../../packages/machine/run/transaction.ts';
import type { CarriedState } from '../../../packages/machine/state/carried-state.ts';
import type { AccountFacts, MissingFact } from '../../../packages/machine/state/state-reader.ts';
import { systemContracts } from '../../../packages/machine/system/system-contracts.ts';
import type { CachedState } from '../thread/cached-state.ts';
import { Ended, invalid } from './ended.ts';
import { weibarPerTinybar } from './seal-block.ts';
import type { SimulatedCall, SimulatedLog, SimulatedRun, SimulationJob } from './simulation.ts';
import { watchRun } from './watch-run.ts';

/** What all calls share. */
export type Context = {
  job: SimulationJob;
  rules: Rules;
  base: CachedState;
  carried: CarriedState;
  /** Throws Ended. */
  fetch(missing: readonly MissingFact[]): Promise<void>;
  isTimeUp(): boolean;
  /** Gas, and bytes that calls may return and log. */
  left: { gas: number; bytes: number };
};

/** The block in which it stands. `gasLeft`: of it. */
export type CallPlace = {
  facts: BlockFacts;
  /** weibar */
  baseFee: bigint;
  precompiles: ReadonlyMap<bigint, PrecompileEntry>;
  gasLeft: bigint;
};

/** Sends for calls that name no sender. */
export const treasury = 2n;
const minGas = 21_000;
/** What a log is in the heap and in the answer, beside its data. */
const logBytes = 1000;

/** Throws Ended where no block could have it, or where too much is asked. */
export async function runCall(
  context: Context,
  place: CallPlace,
  call: SimulatedCall,
): Promise<Omit<SimulatedRun, 'hash'>> {
  const { base, carried, left, rules } = context;
  const { to, data } = call;
  const sender = findSender(context, call);
  const { gas, isCut } = limitGas(context, place, call);
  const about = { from: sender.address, nonce: findNonce(context, call, sender), gas, isCut };
  const gasPrice = findPrice(context, place, call);
  if (to === null && rules.fork.limitsInitCode && data.length > rules.initCodeLength)
    throw invalid('longInitCode', `init code of ${data.length} bytes, of at most ${rules.initCodeLength}`);
  if (to !== null && !carried.account(to) && base.wasContract(to)) return { ...about, gasPrice, ...deletedContract };
  const settle = buyGas(context, call, sender, { gas, gasPrice });
  const { run, logs } = await runUntilKnown(context, place, toTransaction(context, call, { sender, gas, gasPrice }));
  settle(run.gasUsed);
  left.gas -= run.gasUsed;
  left.bytes -= run.output.length + logs.reduce((sum, log) => sum + log.data.length + logBytes, 0);
  if (left.bytes < 0) throw invalid('longAnswer', 'the calls return and log more than 4 MB');
  const { status, output, failedChildren, gasUsed, refund } = run;
  return { ...about, gasPrice, status, output, failedChildren, gasUsed, maxUsedGas: gasUsed + refund, logs };
}

/** The network does not begin a call of it. */
const deletedContract: Pick<SimulatedRun, 'status' | 'output' | 'failedChildren' | 'gasUsed' | 'maxUsedGas' | 'logs'> =
  {
    ...{
      status: 'INVALID_CONTRACT_ID',
      output: new Uint8Array(),
      failedChildren: [],
      gasUsed: 0,
      maxUsedGas: 0,
      logs: [],
    },
  };

/** One that is not there is taken as an account that has nothing. */
function findSender({ carried }: Context, { from }: SimulatedCall): AccountFacts {
  const address = from ?? treasury;
  const found = carried.account(address);
  if (found) {
    if (found.kind === 'account' || found.kind === 'contract') return found;
    throw invalid('noSender', `${hex(address)} is a ${found.kind}`);
  }
  const made: AccountFacts = {
    ...{ num: carried.nextNum, address, kind: 'account', balance: 0n, nonce: 0n, code: new Uint8Array() },
  };
  carried.put(made);
  return made;
}

function limitGas(
  { left, job }: Context,
  { gasLeft }: CallPlace,
  call: SimulatedCall,
): { gas: number; isCut: boolean } {
  const wanted = call.gas ?? gasLeft;
  if (wanted > gasLeft) throw invalid('blockIsFull', `remaining: ${gasLeft}, required: ${wanted}`);
  if (left.gas < minGas) throw invalid('outOfGas', 'the calls use more gas than one request may');
  const most = Math.min(left.gas, job.simulation.callGas);
  const isCut = wanted > BigInt(most);
  return { gas: isCut ? most : Number(wanted), isCut };
}

function findNonce({ job }: Context, { nonce, from }: SimulatedCall, sender: AccountFacts): bigint {
  const { nonce: next } = sender;
  if (nonce === null) return next;
  if (job.simulation.validates && nonce !== next) {
    const text = `address ${hex(from ?? sender.address)}, tx: ${nonce} state: ${next}`;
    throw invalid(nonce < next ? 'nonceTooLow' : 'nonceTooHigh', text);
  }
  return nonce;
}

/** weibar; nothing where nothing is offered and nothing is checked. */
function findPrice({ job }: Context, { baseFee }: CallPlace, call: SimulatedCall): bigint {
  const { maxFeePerGas: max, maxPriorityFeePerGas: tip } = call;
  if (max === 0n && !job.simulation.validates) return 0n;
  if (max < baseFee) throw invalid('feeTooLow', `maxFeePerGas: ${max}, baseFee: ${baseFee}`);
  return max < baseFee + tip ? max : baseFee + tip;
}

/**
 * The sender has what the gas may cost before the run, and what it did cost after it; gets back a function that settles
 * it. No account receives it.
 */
function buyGas(
  { carried }: Context,
  { value, maxFeePerGas }: SimulatedCall,
  sender: AccountFacts,
  { gas, gasPrice }: { gas: number; gasPrice: bigint },
): (gasUsed: number) => void {
  const cost = (of: number, price: bigint): bigint => (BigInt(of) * price + weibarPerTinybar - 1n) / weibarPerTinybar;
  const { address, balance } = sender;
  const most = cost(gas, maxFeePerGas) + value;
  if (most > balance) throw invalid('tooLittleMoney', `address ${hex(address)} have ${balance} want ${most} tinybar`);
  const prepaid = cost(gas, gasPrice);
  if (prepaid === 0n) return () => {};
  carried.put({ ...sender, balance: balance - prepaid });
  return (gasUsed) => {
    const left = carried.account(address);
    if (left) carried.put({ ...left, balance: left.balance + prepaid - cost(gasUsed, gasPrice) });
  };
}

function toTransaction(
  { carried }: Context,
  { to, value, data, accessList, signed }: SimulatedCall,
  { sender, gas, gasPrice }: { sender: AccountFacts; gas: number; gasPrice: bigint },
): Transaction {
  return {
    sender: sender.address,
    // Who is called by its number is called at its address.
    to: to === null ? null : (carried.account(to)?.address ?? to),
    ...{ value, data, gasLimit: gas, gasPrice: gasPrice / weibarPerTinybar, countsNonce: true, accessList },
    authorizations: signed.map(({ signature, ...one }) => ({ ...one, authority: recoverAuthority(one, signature) })),
  };
}

/** Fetches what it misses. What it leaves is carried on. */
async function runUntilKnown(
  { job, rules, carried, fetch, isTimeUp }: Context,
  { facts: block, precompiles }: CallPlace,
  transaction: Transaction,
): Promise<{ run: Finished; logs: SimulatedLog[] }> {
  const { limits, simulation } = job;
  for (;;) {
    const watched = watchRun(simulation.tracesTransfers);
    const run = runTransaction(transaction, {
      ...{ rules, state: carried, block, nextNum: carried.nextNum, limits, isTimeUp, systemContracts, precompiles },
      tracer: watched.tracer,
    });
    if (run.kind === 'missing') await fetch(run.facts);
    else if (run.kind !== 'finished') throw new Ended(run);
    else {
      if (run.isBelowIntrinsic)
        throw invalid('tooLittleGas', `${transaction.gasLimit} gas do not pay for the call itself`);
      const world = watched.world();
      if (!world)
        throw invalid('tooLittleMoney', `address ${hex(transaction.sender)} cannot send ${transaction.value} tinybar`);
      carried.take(world);
      return { run, logs: watched.withTransfers(run.logs) };
    }
  }
}

export function hex(address: bigint): string {
  return `0x${address.toString(16).padStart(40, '0')}`;
}
