// The hash of a block that never was, and what it stands on: transactions without a signature, receipts and a header as
// Ethereum encodes them. There is no tree of states, so the root of it is that of an empty one.
import { type Input, RLP } from '@ethereumjs/rlp';
import { writeWord } from '../../../packages/machine/base/word.ts';
import { bloomLength, logBloomOf } from '../../../packages/protocol/ethereum/log-bloom.ts';
import { merkleRoot } from '../../../packages/protocol/ethereum/merkle-root.ts';
import { keccak256 } from '../../../packages/protocol/keccak256.ts';
import type { AskedBlock, SimulatedBlock, SimulatedCall, SimulatedRun } from './simulation.ts';

const addressBytes = (address: bigint): Uint8Array => writeWord(address, 20);
export const weibarPerTinybar = 10_000_000_000n;

/** `weibar`: what is signed, of which less than a tinybar does not move; else the whole tinybars of the call. */
type Sent = Pick<SimulatedRun, 'gas' | 'nonce'> & { weibar?: bigint };

export function encodeTransaction(call: SimulatedCall, { gas, nonce, weibar }: Sent, chainId: bigint): Uint8Array {
  const { type, to, value, data, maxFeePerGas, maxPriorityFeePerGas, accessList, signed } = call;
  const noSignature = [0n, 0n, 0n];
  const receiver = to === null ? new Uint8Array() : addressBytes(to);
  const sent = [BigInt(gas), receiver, weibar ?? value * weibarPerTinybar, data];
  if (type === 0) return RLP.encode([nonce, maxFeePerGas, ...sent, ...noSignature]);
  const listed = accessList.map(({ address, slots }) => [addressBytes(address), slots.map((slot) => writeWord(slot))]);
  const fees = type === 1 ? [maxFeePerGas] : [maxPriorityFeePerGas, maxFeePerGas];
  const authorizations = signed.map(({ chainId: chain, code, nonce: of, signature: { yParity, r, s } }) => [
    ...[chain, addressBytes(code), of, BigInt(yParity), r, s],
  ]);
  const items: Input[] = [chainId, nonce, ...fees, ...sent, listed, ...(type === 4 ? [authorizations] : [])];
  return Buffer.concat([Buffer.of(type), RLP.encode([...items, ...noSignature])]);
}

type Contents = { runs: SimulatedRun[]; encoded: readonly Uint8Array[]; parentHash: bigint; baseFee: bigint };

export function sealBlock(block: AskedBlock, { runs, encoded, parentHash, baseFee }: Contents): SimulatedBlock {
  let cumulative = 0;
  const bloom = Buffer.alloc(bloomLength);
  const receipts = runs.map((run, at) => {
    cumulative += run.gasUsed;
    const logs = writtenLogs(run);
    const own = logBloomOf(logs);
    for (const [place, bits] of own.entries()) bloom[place]! |= bits;
    return encodeReceipt(run, { type: block.calls[at]!.type, cumulative, logs, bloom: own });
  });
  const roots = {
    transactionsRoot: rootOf(encoded),
    receiptsRoot: rootOf(receipts),
    bloom,
  };
  const header: Input = [
    ...[writeWord(parentHash), noUncles, addressBytes(block.coinbase ?? 0n), emptyRoot],
    ...[roots.transactionsRoot, roots.receiptsRoot, roots.bloom, 0n, block.number, block.gasLimit, BigInt(cumulative)],
    ...[block.timestamp, new Uint8Array(), writeWord(block.prevRandao), new Uint8Array(8), baseFee, emptyRoot],
  ];
  const transactions = encoded.map((one, at) => (block.calls[at]!.type === 0 ? RLP.decode(one) : one));
  return {
    ...{ hash: keccak256(RLP.encode(header)), parentHash, ...roots, baseFee, gasUsed: cumulative, runs },
    size: RLP.encode([header, transactions as Input, [], []]).length,
  };
}

const emptyRoot = keccak256(RLP.encode(''));
const noUncles = keccak256(RLP.encode([]));

function rootOf(items: readonly Uint8Array[]): Uint8Array {
  return merkleRoot(items.map((item, at) => [RLP.encode(BigInt(at)), item]));
}

type ReceiptParts = { type: number; cumulative: number; logs: ReturnType<typeof writtenLogs>; bloom: Uint8Array };

function encodeReceipt({ status }: SimulatedRun, { type, cumulative, logs, bloom }: ReceiptParts): Uint8Array {
  const encoded = RLP.encode([
    ...[status === 'SUCCESS' ? 1n : 0n, BigInt(cumulative), bloom],
    logs.map(({ address, topics, data }) => [address, topics, data]),
  ]);
  return type === 0 ? encoded : Buffer.concat([Buffer.of(type), encoded]);
}

/** Those of moved hbar are in no receipt. */
function writtenLogs({ logs }: SimulatedRun) {
  return logs
    .filter(({ isTransfer }) => !isTransfer)
    .map(({ address, topics, data }) => ({
      ...{ address: addressBytes(address), topics: topics.map((topic) => writeWord(topic)), data },
    }));
}
