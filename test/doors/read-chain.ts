// Every block of a ledger as JSON-RPC tells it.
import type { TestRpc } from '../../packages/test-support/rpc/open-rpc.ts';

// biome-ignore lint/suspicious/noExplicitAny: what is judged.
export type Json = any;
export type Whole = { block: Json; receipts: Json[] };
export type Told = { transaction: Json; receipt: Json };

/** With whole transactions, from block 0 to the newest. */
export async function readChain(rpc: TestRpc): Promise<Whole[]> {
  const blocks: Whole[] = [];
  const newest = BigInt(await rpc.ask('eth_blockNumber'));
  for (let number = 0n; number <= newest; number++) {
    const name = `0x${number.toString(16)}`;
    const block = await rpc.ask('eth_getBlockByNumber', name, true);
    if (block) blocks.push({ block, receipts: await rpc.ask('eth_getBlockReceipts', name) });
  }
  return blocks;
}

export function allOf(blocks: readonly Whole[]): Told[] {
  return blocks.flatMap(({ block, receipts }) =>
    block.transactions.map((transaction: Json, at: number) => ({ transaction, receipt: receipts[at] })),
  );
}
