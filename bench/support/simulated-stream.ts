// Stream files of a simulated network for benchmarks. They are kept between runs, for making them takes a while.
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createNetwork } from '../../src/network/network.ts';

export type StreamShape = { blocks: number; transactionsPerBlock: number };

/** Folder with the files and their addressbook.bin; `fresh` makes them anew. */
export async function simulatedStream({ blocks, transactionsPerBlock }: StreamShape, fresh: boolean): Promise<string> {
  const folder = join(tmpdir(), 'ledger-mirror-bench', `network-${blocks}x${transactionsPerBlock}`);
  const mark = join(folder, 'complete');
  if (existsSync(mark) && !fresh) return folder;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  console.log(`Making ${blocks} blocks of ${transactionsPerBlock} transactions in ${folder} …`);
  const network = await createNetwork({ folder, seed: 'import benchmark', keepBlocks: 1_000_000 });
  try {
    // Genesis, two opening blocks and the one that prepares the load come on top.
    await network.run({ intervalMs: 0, blocks: blocks + 4, transactionsPerBlock, mix: 'bulk' });
  } finally {
    await network.close();
  }
  writeFileSync(mark, '');
  return folder;
}
