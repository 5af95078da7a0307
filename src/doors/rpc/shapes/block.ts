// A block as JSON-RPC shows it.
import { RLP } from '@ethereumjs/rlp';
import { merkleRoot } from '../../../../packages/protocol/ethereum/merkle-root.ts';
import type { ChainBlock } from '../../../ledger/chain/create-chain.ts';
import { emptyRoot, hash32OfText, quantity, zeroAddress, zeroWord } from '../terms/hex.ts';
import { joinBlooms, toBloom } from './bloom.ts';
import { encodeReceipt, type Receipt } from './raw-receipt.ts';

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
    withdrawalsRoot: emptyRoot,
  };
}

/** What geth shows of a header alone. */
export function headerOf(block: ReturnType<typeof toBlock>) {
  const { size: _, totalDifficulty: _total, transactions: _all, uncles: _none, withdrawals: _left, ...header } = block;
  return header;
}

/** The stored one is of executions: transfers of tokens have logs, too. */
function bloomOfBlock({ logsBloom }: ChainBlock, receipts: readonly BlockReceipt[]): string {
  const ofTransfers = receipts.flatMap(({ receipt, isSynthetic }) => (isSynthetic ? [receipt.logsBloom] : []));
  return joinBlooms([toBloom(logsBloom), ...ofTransfers]);
}

/** From version 0.69 of the network's interface on. */
const laterGasLimit = 150_000_000n;
const gasLimit = 30_000_000n;

export function gasLimitOf({ hapiVersionMajor: major, hapiVersionMinor: minor }: ChainBlock): bigint {
  if (major === null || minor === null) return gasLimit;
  return major > 0 || minor >= 69 ? laterGasLimit : gasLimit;
}

function receiptsRoot(receipts: readonly BlockReceipt[]): string {
  if (receipts.length === 0) return emptyRoot;
  // By position: a position that is not known counts as the first, as the relay has it.
  const leaves = new Map(
    receipts.map(({ receipt }) => [BigInt(receipt.transactionIndex ?? 0), encodeReceipt(receipt)] as const),
  );
  return `0x${merkleRoot([...leaves].map(([index, value]) => [RLP.encode(index), value])).toString('hex')}`;
}
