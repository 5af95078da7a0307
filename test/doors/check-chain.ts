// What has to hold of a whole chain as JSON-RPC shows it: blocks, transactions, receipts and logs are one story.
import { isDeepStrictEqual } from 'node:util';

// biome-ignore lint/suspicious/noExplicitAny: what is judged.
type Json = any;
type Ask = (method: string, ...params: unknown[]) => Promise<Json>;

export type CheckedChain = { blocks: number; transactions: number; logs: Json[] };

/** Throws for what does not hold. Bounds are inclusive. */
export async function checkChain(ask: Ask, { from, to }: { from: bigint; to: bigint }): Promise<CheckedChain> {
  const logs: Json[] = [];
  let transactions = 0;
  let before: Json = null;
  for (let number = from; number <= to; number++) {
    const block = await ask('eth_getBlockByNumber', hex(number), true);
    const receipts = await ask('eth_getBlockReceipts', block.hash);
    hold(before === null || block.parentHash === before.hash, `the parent of ${number}`);
    hold(before === null || BigInt(block.timestamp) >= BigInt(before.timestamp), `the time of ${number}`);
    checkBlock(block, receipts);
    const own = receipts.flatMap((receipt: Json) => receipt.logs);
    const found = await ask('eth_getLogs', { blockHash: block.hash });
    hold(isDeepStrictEqual(found, own), `the logs of ${number}`);
    for (const log of own) logs.push(log);
    transactions += receipts.length;
    before = block;
  }
  const all = await ask('eth_getLogs', { fromBlock: hex(from), toBlock: hex(to) });
  hold(isDeepStrictEqual(all, logs), 'the logs of all blocks');
  return { blocks: Number(to - from) + 1, transactions, logs };
}

function checkBlock(block: Json, receipts: Json[]): void {
  const name = `block ${block.number}`;
  hold(block.transactions.length === receipts.length, `${name} has a receipt of each transaction`);
  let gas = 0n;
  let [lastIndex, logIndex] = [-1n, 0];
  for (const [at, receipt] of receipts.entries()) {
    const transaction = block.transactions[at];
    const of = `${name}, transaction ${transaction.hash}`;
    hold(transaction.hash === receipt.transactionHash && receipt.blockHash === block.hash, `${of}: its receipt`);
    hold(transaction.transactionIndex === receipt.transactionIndex, `${of}: the index of its receipt`);
    hold(BigInt(receipt.transactionIndex) > lastIndex, `${of}: indexes rise`);
    lastIndex = BigInt(receipt.transactionIndex);
    gas += BigInt(receipt.gasUsed);
    hold(BigInt(receipt.cumulativeGasUsed) === gas, `${of}: gas together`);
    hold(BigInt(receipt.gasUsed) <= BigInt(transaction.gas), `${of}: gas within its limit`);
    hold(transaction.to === receipt.to, `${of}: its receiver`);
    const isMade = transaction.to === null && receipt.status === '0x1';
    hold(!isMade || receipt.contractAddress, `${of}: the contract that it made`);
    for (const log of receipt.logs) {
      const { transactionHash, transactionIndex, blockHash, removed } = log;
      hold(Number(log.logIndex) === logIndex, `${of}: log ${log.logIndex} is number ${logIndex}`);
      hold(transactionHash === transaction.hash && blockHash === block.hash && !removed, `${of}: its log's place`);
      hold(transactionIndex === receipt.transactionIndex, `${of}: its log's index`);
      logIndex += 1;
    }
    hold(receipt.status === '0x1' || receipt.logs.length === 0, `${of}: what failed has no logs`);
    hold(isWithin(receipt.logsBloom, block.logsBloom), `${of}: its bloom is in the block's`);
  }
  hold(BigInt(block.gasUsed) >= gas, `${name}: gas used`);
}

/** Every bit. */
function isWithin(one: string, other: string): boolean {
  const bits = BigInt(one);
  return (bits & BigInt(other)) === bits;
}

function hold(does: unknown, what: string): void {
  if (!does) throw new Error(`Does not hold: ${what}`);
}

const hex = (number: bigint): string => `0x${number.toString(16)}`;
