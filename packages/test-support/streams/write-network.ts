// Blocks of a simulated network in a folder, for tests that need its files only.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LedgerTables } from '../../simulated-network/ledger/ledger.ts';
import { createNetwork, type NetworkOptions } from '../../simulated-network/network.ts';
import { unpackBlockFile } from '../../streams/block-stream/unpack-block-file.ts';
import { openNetwork } from './open-network.ts';

export type WriteNetworkOptions = NetworkOptions & {
  blocks: number;
  /** In each block; 5 to 10 by default. */
  transactions?: number;
  /** ns; time of the first block. By default the last block ends about now. */
  start?: bigint;
  /** ns between blocks that begin at `start`; 2 s by default. */
  blockTime?: bigint;
  /**
   * One in this many blocks of a block stream is signed, and proves those before it: to sign takes 15 ms, to verify it
   * 0.1 s. By default all with `start`, else most.
   */
  signEvery?: number;
  /** Nodes that no other network of the run has, as those of a stranger. */
  ownKeys?: boolean;
  /** Without `start`: blocks between changes of the hinTS key, of a ledger id of 64 bytes. */
  rotateEvery?: number;
};

export type WrittenNetwork = {
  addressBook: Buffer;
  /** The state of the network at the end. */
  tables: LedgerTables;
};

export async function writeNetwork(options: WriteNetworkOptions): Promise<WrittenNetwork> {
  const {
    blocks,
    transactions,
    start,
    blockTime = 2_000_000_000n,
    signEvery,
    rotateEvery,
    ownKeys = false,
    ...others
  } = options;
  const open = ownKeys ? createNetwork : openNetwork;
  const network = await open({ nodes: 3, ...others });
  const run = { intervalMs: 0, blocks, transactionsPerBlock: transactions, signEvery, rotateEvery };
  if (start === undefined) await network.run(run);
  else {
    for (let block = 0n; block < blocks; block++) {
      const isProvedLater = block + 1n < blocks && block % BigInt(signEvery ?? 1) !== 0n;
      await network.writeBlock({ consensusStart: start + block * blockTime, transactions, isProvedLater });
    }
  }
  const { tables } = network.state();
  await network.close();
  return { addressBook: readFileSync(network.addressBookPath), tables };
}

/** The block files of a folder, unpacked, in the order of their names. */
export function readBlocks(folder: string): Buffer[] {
  const names = readdirSync(folder).sort();
  return names.map((name) => unpackBlockFile(readFileSync(join(folder, name))));
}
