// A block as JSON-RPC shows it.
import { RLP } from '@ethereumjs/rlp';
import type { ChainBlock } from '../../../ledger/chain/create-chain.ts';
import { emptyRoot, hash32OfText, quantity, zeroAddress, zeroWord } from '../terms/hex.ts';
import { joinBlooms, toBloom } from './bloom.ts';
import { merkleRoot } from './merkle-root.ts';
import type { toReceipt, toSyntheticReceipt } from './receipt.ts';

type Receipt = ReturnType<typeof toReceipt> | ReturnType<typeof toSyntheticReceipt>;
/** `isSynthetic`: nothing ran, only its logs tell of it. */
export type BlockReceipt = { receipt: Receipt; isSynthetic: boolean };

type BlockContents = {
  /** Hashes, or all of each. */
  transactions: readonly unknown[];
  receipts: readonly BlockReceipt[];
  /** weibar; null = unknown. */
  gasPrice: bigint | null;
};

export function toBlock(block: ChainBlock, { transactions, receipts, gasPrice }: BlockContents) {
  const hash = hash32OfText(block.hash);
  return {
    baseFeePerGas: quantity(gasPrice),
    difficulty: '0x0',
    extraData: '0x',
    gasLimit: quantity(gasLimitOf(block)),
    gasUsed: quantity(block.gasUsed),
    hash,
    logsBloom: bloomOfBlock(block, receipts),
    miner: zeroAddress,
    mixHash: zeroWord,
    nonce: '0x0000000000000000',
    number: quantity(block.number),
    parentHash: hash32OfText(block.previousHash),
    receiptsRoot: receiptsRoot(receipts),
    sha3Uncles: '0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347',
    size: quantity(block.size),
    stateRoot: emptyRoot,
    timestamp: quantity(block.consensusStart / 1_000_000_000n),
    totalDifficulty: '0x0',
    transactions,
    transactionsRoot: transactions.length === 0 ? emptyRoot : hash,
    uncles: [],
    withdrawals: [],
    withdrawalsRoot: zeroWord,
  };
}

/** The stored one is of executions: transfers of tokens have logs, too. */
function bloomOfBlock({ logsBloom }: ChainBlock, receipts: readonly BlockReceipt[]): string {
  const ofTransfers = receipts.flatMap(({ receipt, isSynthetic }) => (isSynthetic ? [receipt.logsBloom] : []));
  return joinBlooms([toBloom(logsBloom), ...ofTransfers]);
}

/** From version 0.69 of the network's interface on. */
const laterGasLimit = 150_000_000n;
const gasLimit = 30_000_000n;

function gasLimitOf({ hapiVersionMajor: major, hapiVersionMinor: minor }: ChainBlock): bigint {
  if (major === null || minor === null) return gasLimit;
  return major > 0 || minor >= 69 ? laterGasLimit : gasLimit;
}

function receiptsRoot(receipts: readonly BlockReceipt[]): string {
  if (receipts.length === 0) return zeroWord;
  // By position: a position that is not known counts as the first, as the relay has it.
  const leaves = new Map<bigint, Uint8Array>();
  for (const one of receipts) leaves.set(BigInt(one.receipt.transactionIndex ?? 0), encodeReceipt(one));
  return `0x${merkleRoot([...leaves].map(([index, value]) => [RLP.encode(index), value])).toString('hex')}`;
}

function encodeReceipt({ receipt, isSynthetic }: BlockReceipt): Uint8Array {
  const { status, cumulativeGasUsed, logsBloom, logs, type } = receipt;
  // Without an execution the place of the outcome has zeros, as the relay writes it.
  const outcome = isSynthetic ? toBytes(zeroWord) : status === '0x0' ? new Uint8Array() : Uint8Array.of(1);
  const encoded = RLP.encode([
    outcome,
    // One zero byte where none was used, as the relay writes it.
    toEvenBytes(cumulativeGasUsed),
    toBytes(logsBloom),
    logs.map(({ address, topics, data }) => [toBytes(address), topics.map(toBytes), toBytes(data)]),
  ]);
  return type === '0x0' ? encoded : Buffer.concat([toEvenBytes(type), encoded]);
}

function toBytes(text: string): Uint8Array {
  return Buffer.from(text.slice(2), 'hex');
}

function toEvenBytes(text: string): Uint8Array {
  return toBytes(text.length % 2 === 0 ? text : `0x0${text.slice(2)}`);
}
