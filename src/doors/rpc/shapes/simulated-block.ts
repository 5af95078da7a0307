// A simulated block as JSON-RPC shows it: a block of the chain, and what each call of it answers.
import { readRevertReason } from '../../../../packages/abi/revert-reason.ts';
import type { AskedBlock, SimulatedBlock, SimulatedCall, SimulatedRun } from '../../../calls/simulate/simulation.ts';
import { emptyRoot, hex, quantity, weibarPerTinybar, zeroWord } from '../terms/hex.ts';
import { revertCode } from '../terms/rpc-error.ts';

type Shown = { chainId: bigint; isWhole: boolean };
type Place = { blockHash: string; blockNumber: string; blockTimestamp: string };

export function toSimulatedBlock(asked: AskedBlock, block: SimulatedBlock, { chainId, isWhole }: Shown) {
  const place: Place = {
    ...{ blockHash: bytes(block.hash), blockNumber: quantity(asked.number), blockTimestamp: quantity(asked.timestamp) },
  };
  const { runs } = block;
  let logIndex = 0;
  return {
    baseFeePerGas: quantity(block.baseFee),
    difficulty: '0x0',
    extraData: '0x',
    gasLimit: quantity(asked.gasLimit),
    gasUsed: quantity(block.gasUsed),
    hash: place.blockHash,
    logsBloom: bytes(block.bloom),
    miner: address(asked.coinbase ?? 0n),
    mixHash: word(asked.prevRandao),
    nonce: '0x0000000000000000',
    number: place.blockNumber,
    parentHash: word(block.parentHash),
    receiptsRoot: bytes(block.receiptsRoot),
    sha3Uncles: '0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347',
    size: quantity(block.size),
    stateRoot: emptyRoot,
    timestamp: place.blockTimestamp,
    totalDifficulty: '0x0',
    transactions: runs.map((run, at) =>
      isWhole ? toTransaction(asked.calls[at]!, run, { ...place, chainId, at }) : bytes(run.hash),
    ),
    transactionsRoot: bytes(block.transactionsRoot),
    uncles: [],
    withdrawals: [],
    withdrawalsRoot: emptyRoot,
    calls: runs.map((run, at) => {
      const shown = toCallResult(run, { ...place, at, logIndex });
      logIndex += shown.logs.length;
      return shown;
    }),
  };
}

/** As a call by itself says it, with the codes of ethereum/execution-apis. */
function toCallResult(run: SimulatedRun, { at, logIndex, ...place }: Place & { at: number; logIndex: number }) {
  const isSuccess = run.status === 'SUCCESS';
  return {
    returnData: bytes(run.output),
    logs: run.logs.map(({ address: of, topics, data }, index) => ({
      ...{
        address: address(of),
        topics: topics.map(word),
        data: bytes(data),
        ...place,
        transactionHash: bytes(run.hash),
      },
      ...{ transactionIndex: quantity(at), logIndex: quantity(logIndex + index), removed: false },
    })),
    gasUsed: quantity(run.gasUsed),
    maxUsedGas: quantity(run.maxUsedGas),
    status: isSuccess ? '0x1' : '0x0',
    ...(isSuccess ? {} : { error: toError(run) }),
  };
}

const vmError = -32015;

function toError({ status, output, failedChildren, isCut }: SimulatedRun) {
  if (status !== 'CONTRACT_REVERT_EXECUTED') {
    const cut = isCut && status === 'INSUFFICIENT_GAS' ? ' (its gas was cut to what one request may use)' : '';
    return { code: vmError, message: `vm execution error: ${status}${cut}` };
  }
  const reasons = [readRevertReason(output), ...new Set(failedChildren)].filter((one) => one !== '');
  const message = reasons.length === 0 ? 'execution reverted' : `execution reverted: ${reasons.join(', ')}`;
  return { code: revertCode, message, data: bytes(output) };
}

type TransactionPlace = Place & { chainId: bigint; at: number };

function toTransaction(call: SimulatedCall, run: SimulatedRun, { at, ...place }: TransactionPlace) {
  return toUnsigned(
    call,
    { ...run, weibar: call.value * weibarPerTinybar },
    { ...place, transactionIndex: quantity(at) },
  );
}

type Unsigned = Pick<SimulatedRun, 'hash' | 'from' | 'gas' | 'nonce'> & {
  weibar: bigint;
  /** null: not known before it ran. */
  gasPrice: bigint | null;
};

/** It has no signature. */
export function toUnsigned(
  call: SimulatedCall,
  { hash, from, gas, gasPrice, nonce, weibar }: Unsigned,
  { chainId, ...place }: { chainId: bigint } & Partial<Place> & { transactionIndex?: string },
) {
  const { type, to, data, maxFeePerGas, maxPriorityFeePerGas, accessList, signed } = call;
  const common = {
    ...{ ...place, hash: bytes(hash), from: address(from), to: to === null ? null : address(to) },
    ...{ gas: quantity(gas), ...(gasPrice === null ? {} : { gasPrice: quantity(gasPrice) }) },
    ...{ input: bytes(data), nonce: quantity(nonce), value: quantity(weibar) },
    ...{ type: quantity(type), chainId: quantity(chainId), r: '0x0', s: '0x0', v: '0x0' },
  };
  if (type === 0) return { ...common, gasPrice: quantity(maxFeePerGas) };
  const listed = {
    ...{ ...common, yParity: '0x0' },
    accessList: accessList.map((one) => ({ address: address(one.address), storageKeys: one.slots.map(word) })),
  };
  if (type === 1) return { ...listed, gasPrice: quantity(maxFeePerGas) };
  const fees = { maxFeePerGas: quantity(maxFeePerGas), maxPriorityFeePerGas: quantity(maxPriorityFeePerGas) };
  if (type === 2) return { ...listed, ...fees };
  return {
    ...{ ...listed, ...fees },
    authorizationList: signed.map(({ chainId: chain, code, nonce, signature: { yParity, r, s } }) => ({
      ...{ chainId: quantity(chain), address: address(code), nonce: quantity(nonce), yParity: quantity(yParity) },
      ...{ r: quantity(r), s: quantity(s) },
    })),
  };
}

function bytes(of: Uint8Array): string {
  return hex(Buffer.from(of.buffer, of.byteOffset, of.length));
}

function address(of: bigint): string {
  return `0x${of.toString(16).padStart(40, '0')}`;
}

function word(of: bigint): string {
  return of === 0n ? zeroWord : `0x${of.toString(16).padStart(64, '0')}`;
}
