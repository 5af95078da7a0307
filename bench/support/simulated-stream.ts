// Stream files of a simulated network for benchmarks. They are kept between runs, because making them takes a while.
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StreamFormat } from '../../packages/simulated-network/files/stream-folder.ts';
import { createNetwork } from '../../packages/simulated-network/network.ts';

export type StreamShape = {
  format: StreamFormat;
  blocks: number;
  transactionsPerBlock: number;
  /** That sign: most of the cost of small files. */
  nodes: number;
};

export const defaultNodes = 4;

/** Folder with the files and their addressbook.bin; `fresh` makes them again. */
export async function simulatedStream(shape: StreamShape, fresh: boolean): Promise<string> {
  const { format, blocks, transactionsPerBlock, nodes } = shape;
  const signers = nodes === defaultNodes ? '' : `-${nodes}-nodes`;
  const folder = join(tmpdir(), 'ledger-mirror-bench', `${format}-${blocks}x${transactionsPerBlock}${signers}`);
  const mark = join(folder, 'complete');
  if (existsSync(mark) && !fresh) return folder;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  console.log(`Making ${blocks} blocks of ${transactionsPerBlock} transactions as ${format} in ${folder} …`);
  const network = await createNetwork({ folder, seed: 'import benchmark', nodes, keepBlocks: 1_000_000, format });
  try {
    // Genesis, two opening blocks and the one that prepares the load come on top.
    await network.run({ intervalMs: 0, blocks: blocks + 4, transactionsPerBlock, mix: 'bulk' });
  } finally {
    await network.close();
  }
  writeFileSync(mark, '');
  return folder;
}
