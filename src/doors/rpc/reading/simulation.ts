// What eth_simulateV1 is asked, in the form of ethereum/execution-apis: blocks of calls, each with what is said of block
// and state. Blocks that are left out in between are empty.
import type { AskedBlock, SimulatedCall } from '../../../calls/simulate/simulation.ts';
import { rpcError } from '../terms/rpc-error.ts';
import { simulationError } from '../terms/simulation-error.ts';
import { blockOverrideMembers } from './block-overrides.ts';
import { contractCall } from './contract-call.ts';
import { type Kind, listOf, objectOf } from './kind.ts';
import { boolean, hexAmount } from './kinds.ts';
import { simulatedOverrides } from './state-overrides.ts';
import { transactionType, upTo } from './transaction-kinds.ts';

/** As many as BLOCKHASH knows. */
const maxBlocks = 256;
/** Of all blocks together. */
const maxCalls = 1_000;
const maxOverrides = 1_000;
/** Between blocks, seconds: as the network writes them. */
const blockSeconds = 2n;

const noWithdrawals: Kind<never[]> = {
  error: 'The network has no withdrawals: expected an empty array',
  read: (value) => (Array.isArray(value) && value.length === 0 ? [] : undefined),
};

const overrides = objectOf(
  'BlockOverrides',
  { ...blockOverrideMembers, withdrawals: noWithdrawals },
  { error: 'Expected BlockOverrides object', isClosed: true },
);

/** What a call says of its transaction, beside what it runs. */
const ofTransaction = objectOf(
  'TransactionObject',
  {
    type: transactionType,
    nonce: upTo(2n ** 64n - 2n),
    ...{ gasPrice: hexAmount, maxFeePerGas: hexAmount, maxPriorityFeePerGas: hexAmount },
  },
  { error: contractCall.error },
);

export const simulatedCall: Kind<SimulatedCall> = {
  error: contractCall.error,
  read(value) {
    const [run, given] = [contractCall.read(value), ofTransaction.read(value)];
    if (!run || !given) return undefined;
    const { from, to, data, gas, value: tinybar, accessList = [], signed = [] } = run;
    const type = typeOf(given, accessList.length > 0, signed.length > 0);
    return {
      ...{ type, from, to, data, gas, value: tinybar, accessList, signed, nonce: given.nonce ?? null },
      ...pricesOf(given),
    };
  },
};

type Given = NonNullable<ReturnType<typeof ofTransaction.read>>;

function typeOf({ type, gasPrice }: Given, isListed: boolean, isSigned: boolean): SimulatedCall['type'] {
  if (isSigned) return 4;
  if (gasPrice != null) return isListed ? 1 : 0;
  return type === 0n && !isListed ? 0 : type === 1n ? 1 : 2;
}

function pricesOf({ gasPrice, maxFeePerGas, maxPriorityFeePerGas }: Given) {
  if (gasPrice != null) {
    if (maxFeePerGas != null || maxPriorityFeePerGas != null)
      throw refuse('gasPrice', 'It excludes maxFeePerGas and maxPriorityFeePerGas');
    return { maxFeePerGas: gasPrice, maxPriorityFeePerGas: gasPrice };
  }
  const [max, tip] = [maxFeePerGas ?? 0n, maxPriorityFeePerGas ?? 0n];
  if (tip > max) throw refuse('maxPriorityFeePerGas', 'It is higher than maxFeePerGas');
  return { maxFeePerGas: max, maxPriorityFeePerGas: tip };
}

function refuse(member: string, text: string) {
  return rpcError.invalidParameter(`'${member}' for TransactionObject`, text);
}

const block = objectOf(
  'BlockStateCall',
  {
    blockOverrides: overrides,
    stateOverrides: simulatedOverrides,
    calls: listOf(simulatedCall, 'Expected an array of TransactionObject'),
  },
  { error: 'Expected { blockOverrides, stateOverrides, calls }', isClosed: true },
);
type ReadBlock = NonNullable<ReturnType<typeof block.read>>;

const payload = objectOf(
  'EthSimulatePayload',
  {
    blockStateCalls: listOf(block, 'Expected an array of { blockOverrides, stateOverrides, calls }'),
    ...{ traceTransfers: boolean, validation: boolean, returnFullTransactions: boolean },
  },
  { error: 'Expected EthSimulatePayload' },
);

export type AskedSimulation = Omit<NonNullable<ReturnType<typeof payload.read>>, 'blockStateCalls'> & {
  blocks: ReadBlock[];
};

/** Counted before anything of it is read. */
export const simulatePayload: Kind<AskedSimulation> = {
  error: payload.error,
  read(value) {
    refuseMuch(value);
    const given = payload.read(value);
    if (!given) return undefined;
    const { blockStateCalls: blocks, ...rest } = given;
    if (!blocks?.length)
      throw rpcError.invalidParameter(`'blockStateCalls' for EthSimulatePayload`, 'It has no blocks');
    for (const { stateOverrides = [] } of blocks) refuseMoves(stateOverrides);
    return { ...rest, blocks };
  },
};

function refuseMuch(value: unknown): void {
  const blocks: unknown = Object(value).blockStateCalls;
  if (!Array.isArray(blocks)) return;
  if (blocks.length > maxBlocks) throw simulationError('tooMuch', `${blocks.length} blocks, at most ${maxBlocks}`);
  const count = (member: string, size: (one: object) => number): number =>
    blocks.reduce((sum: number, one) => sum + size(Object(Object(one)[member])), 0);
  const calls = count('calls', (one) => (Array.isArray(one) ? one.length : 0));
  if (calls > maxCalls) throw simulationError('tooMuch', `${calls} calls, at most ${maxCalls}`);
  const accounts = count('stateOverrides', (one) => Object.keys(one).length);
  if (accounts > maxOverrides)
    throw simulationError('tooMuch', `${accounts} accounts with overrides, at most ${maxOverrides}`);
}

function refuseMoves(given: NonNullable<ReadBlock['stateOverrides']>): void {
  const targets = new Set<bigint>();
  for (const { address, movePrecompileTo: target } of given) {
    if (target === undefined) continue;
    const shown = `0x${target.toString(16).padStart(40, '0')}`;
    if (target === address) throw simulationError('movedToItself', shown);
    if (targets.has(target)) throw simulationError('movedTwice', shown);
    targets.add(target);
  }
}

type Base = Pick<AskedBlock, 'number' | 'timestamp' | 'gasLimit'>;

/** With the empty ones in between. Throws RpcError where numbers or timestamps do not rise. */
export function planBlocks(blocks: readonly ReadBlock[], base: Base): AskedBlock[] {
  const planned: AskedBlock[] = [];
  let last = base;
  const add = (one: AskedBlock): void => {
    planned.push(one);
    last = one;
  };
  for (const { blockOverrides = {}, stateOverrides = [], calls = [] } of blocks) {
    const {
      number = last.number + 1n,
      time,
      gasLimit,
      baseFeePerGas,
      blobBaseFee,
      feeRecipient,
      prevRandao,
    } = blockOverrides;
    if (number <= last.number) throw simulationError('blockNumber', `${number} <= ${last.number}`);
    if (number - base.number > BigInt(maxBlocks))
      throw simulationError('tooMuch', `block ${number}, at most ${maxBlocks} after ${base.number}`);
    while (last.number + 1n < number) add(emptyAfter(last, base));
    const timestamp = time ?? last.timestamp + blockSeconds;
    if (timestamp <= last.timestamp) throw simulationError('blockTime', `${timestamp} <= ${last.timestamp}`);
    add({
      ...emptyAfter(last, base),
      ...{ timestamp, overrides: stateOverrides, calls, isGasLimitGiven: gasLimit !== undefined },
      ...{ gasLimit: gasLimit ?? base.gasLimit, baseFee: baseFeePerGas ?? null, blobBaseFee: blobBaseFee ?? null },
      ...{ coinbase: feeRecipient ?? null, prevRandao: prevRandao ?? 0n },
    });
  }
  return planned;
}

function emptyAfter({ number, timestamp }: Base, { gasLimit }: Base): AskedBlock {
  return {
    ...{ number: number + 1n, timestamp: timestamp + blockSeconds, gasLimit, isGasLimitGiven: false, prevRandao: 0n },
    ...{ coinbase: null, baseFee: null, blobBaseFee: null, overrides: [], calls: [] },
  };
}
