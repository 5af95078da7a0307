// What every job of a moment has: the block that the contract sees, the price of gas, limits.
import { newestRules, rulesAtMainnetBlock } from '../../../packages/machine/rules/versions.ts';
import type { NetworkIdentity } from '../../../packages/protocol/network-identity.ts';
import type { GasPrices } from '../../ledger/contracts/gas-prices.ts';
import type { CallBlock, Moment } from '../facts/moment.ts';
import type { CallQuestion, Job } from './job.ts';

export type JobBasis = {
  network: Pick<NetworkIdentity, 'chainId'>;
  limits: { memory: number; reads: number; steps: number; timeMs: number };
  gasPrices: GasPrices;
};

export type MomentJob = Pick<Job, 'moment' | 'block' | 'version' | 'gasPrice' | 'limits' | 'timeMs'>;

const mainnet = 295n;
/** Of genesis: 852 tinycents, and 12 cents for an hbar. */
const usualGasPrice = 71n;

export async function toJob(
  { key, until, block }: Moment,
  { network: { chainId }, limits, gasPrices }: JobBasis,
): Promise<MomentJob> {
  const { number, consensusStart, consensusEnd } = block;
  const { timeMs, memory, reads, steps } = limits;
  return {
    moment: { key, isPresent: until === null },
    block: { number, timestamp: consensusStart / 1_000_000_000n, prevRandao: toRandom(block), chainId },
    version: (chainId === mainnet ? rulesAtMainnetBlock(number) : newestRules).name,
    gasPrice: (await gasPrices.at(until ?? consensusEnd)) ?? usualGasPrice,
    limits: { memory, reads, steps },
    timeMs,
  };
}

/** What a question is as a job, on top of that of its moment. */
export function toCallJob(question: CallQuestion, ofMoment: MomentJob, nextNum: bigint): Job {
  const { estimate, listsAccess = false, traces, next = [], block: _block, blockOverrides = {}, ...rest } = question;
  const { overrides, ...input } = rest;
  const kind = estimate ? 'estimate' : listsAccess ? 'accessList' : 'call';
  const job = { ...ofMoment, block: { ...ofMoment.block, ...blockOverrides }, input, nextNum, overrides };
  return traces ? { ...job, kind: 'traceCalls', steps: [{ ...input, traces }, ...next] } : { ...job, kind };
}

/**
 * What PREVRANDAO shows: the hash of the block before. Networks take a running hash that the stream does not hold; it
 * is as little to be foreseen, fixed for the block, and never zero.
 */
function toRandom({ previousHash, hash }: CallBlock): bigint {
  const before = toWord(previousHash);
  return before === 0n ? toWord(hash) || 1n : before;
}

function toWord(hash: string): bigint {
  const digits = hash.replace(/^0x/, '').slice(0, 64);
  return digits === '' ? 0n : BigInt(`0x${digits}`);
}
