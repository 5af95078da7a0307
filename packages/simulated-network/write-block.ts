// Writes the next block of a network: announced in the journal, executed on the ledger, published. Every step that
// writes to disk waits while the disk is full.

import type { ExplorerFolder } from './explorer-records/explorer-folder.ts';
import { newBlockChain, withRoot } from './files/block-chain.ts';
import type { BlockPlan, Journal, KeyRotation, NetworkState } from './files/journal.ts';
import type { FullDisk } from './files/outlast-full-disk.ts';
import type { StreamFolder } from './files/stream-folder.ts';
import { createSeededRandom } from './ledger/seeded-random.ts';
import type { MakeBlock } from './make-block.ts';

export type WriteBlockOptions = {
  /** ns; must lie after the last block. The wall clock if not given. */
  consensusStart?: bigint;
  /** ns that the block's transactions spread over; 1.8 s if not given. */
  duration?: bigint;
  /**
   * Transactions submitted in the block; 5 to 10 if not given. Genesis and the two blocks after it have fixed numbers.
   */
  transactions?: number;
  mix?: BlockPlan['mix'];
  /** Of a block stream: not signed, but published and proved with the next block that is. */
  isProvedLater?: boolean;
  /**
   * Of a block stream with a ledger id of 64 bytes. named: this block's state names the hinTS key that will sign next.
   * taken: it signs from this block on, also where no block has named it, as no honest network does.
   */
  rotation?: KeyRotation;
  /** Ends the wait for room on the disk; the block is then made when the network is opened again. */
  signal?: AbortSignal;
};

export type WrittenBlock = {
  number: bigint;
  /** File name of the record file. */
  name: string;
  consensusStart: bigint;
  consensusEnd: bigint;
  /** Items, children included. */
  transactions: number;
};

export type WriteBlock = (options?: WriteBlockOptions) => Promise<WrittenBlock>;

type Parts = {
  state: NetworkState;
  journal: Journal;
  makeBlock: MakeBlock;
  stream: StreamFolder;
  explorer: ExplorerFolder;
  outlast: FullDisk['outlast'];
  /** Published blocks that stay. */
  keepBlocks: number;
};

/** The rest of the 2 s stays free, so that a block ends well before the next one. */
export const defaultDuration = 1_800_000_000n;
const blocksBetweenSavedStates = 25n;
const blocksBetweenPruning = 50n;
/** Files that a restart may have to make again are not pruned. */
const minKeptBlocks = 60;

export function createWriteBlock({ state, journal, makeBlock, stream, explorer, outlast, keepBlocks }: Parts): {
  writeBlock: WriteBlock;
  /** Makes a block again that was announced before the end of the last run. */
  carryOut(plan: BlockPlan, signal?: AbortSignal): Promise<WrittenBlock>;
} {
  async function carryOut(plan: BlockPlan, signal?: AbortSignal): Promise<WrittenBlock> {
    // Changes the ledger, so it happens once; what follows can be repeated.
    const units = await makeBlock(plan, state);
    const items = units.flatMap((unit) => unit.items);
    const before = state.keyNumber ?? 0;
    const keyNumber = plan.rotation === 'taken' ? before + 1 : before;
    const content = {
      number: plan.number,
      startRunningHash: state.runningHash,
      chain: state.blockChain ?? newBlockChain,
      nextEntity: state.tables.counters.get('nextEntity')!,
      units,
      unproved: state.unproved ?? [],
      isProvedLater: plan.isProvedLater,
      keyNumber,
      rotation: plan.rotation ?? null,
    };
    const { name, endRunningHash, root, unproved } = await outlast(() => stream.publish(content), signal);
    const consensusStart = items[0]!.consensusTimestamp;
    const consensusEnd = items.at(-1)!.consensusTimestamp;
    state.runningHash = endRunningHash;
    state.blockChain = withRoot(content.chain, root);
    state.unproved = unproved;
    state.keyNumber = keyNumber;
    if (plan.rotation) state.isNextKeyNamed = plan.rotation === 'named';
    state.nextBlock = plan.number + 1n;
    state.lastConsensus = consensusEnd;
    await outlast(() => explorer.publish(), signal);
    return { number: plan.number, name, consensusStart, consensusEnd, transactions: items.length };
  }

  async function writeBlock(options: WriteBlockOptions = {}): Promise<WrittenBlock> {
    const { duration = defaultDuration, mix = 'demo', isProvedLater = false, rotation, signal } = options;
    const number = state.nextBlock;
    if (rotation && !stream.canRotateAt(number)) {
      throw new RangeError(
        `Block ${number} is not of a block stream with a ledger id of 64 bytes: its key cannot rotate`,
      );
    }
    const consensusStart = options.consensusStart ?? afterLast(state, now());
    if (consensusStart <= state.lastConsensus) {
      const last = state.lastConsensus;
      throw new RangeError(`Block ${number} cannot begin at ${consensusStart}: the last one ended at ${last}`);
    }
    const random = createSeededRandom(state.seed, `size of block ${number}`);
    const transactions = options.transactions ?? random.integer(5, 10);
    const plan = {
      number,
      consensusStart,
      duration,
      transactions,
      mix,
      isProvedLater,
      ...(rotation ? { rotation } : {}),
    };
    await outlast(() => journal.announce(plan), signal);
    const block = await carryOut(plan, signal);
    if (state.nextBlock % blocksBetweenSavedStates === 0n) await outlast(() => journal.save(state), signal);
    const kept = Math.max(keepBlocks, minKeptBlocks);
    // Pruning lists whole folders, so not before there are more.
    if (state.nextBlock > kept && state.nextBlock % blocksBetweenPruning === 0n) await stream.prune(kept);
    return block;
  }

  return { writeBlock, carryOut };
}

/** This time, or the first that is free after the last block. */
export function afterLast({ lastConsensus }: Pick<NetworkState, 'lastConsensus'>, time: bigint): bigint {
  const free = lastConsensus + 1000n;
  return time > free ? time : free;
}

/** ns */
export function now(): bigint {
  return BigInt(Date.now()) * 1_000_000n;
}
