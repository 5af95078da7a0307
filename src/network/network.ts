// A small simulated network in a folder: nodes that sign what really happened on a ledger, block after block. Killed at any
// moment and started again, it continues the same chain; published files never change.
import { join } from 'node:path';
import { pause } from '../kit/pause.ts';
import type { SemanticVersion } from '../protocol/stream/stream-block.ts';
import { createFileOnce } from './atomic-file.ts';
import { newBlockChain, withRoot } from './block-chain.ts';
import { createRunEvm } from './evm/run-evm.ts';
import { openExplorerFolder } from './explorer-records/explorer-folder.ts';
import { type BlockPlan, type NetworkState, openJournal } from './journal.ts';
import { createEmptyTables, createLedger, type LedgerTables } from './ledger.ts';
import { createMakeBlock } from './make-block.ts';
import { encodeAddressBook, loadSigningNodes } from './node-keys.ts';
import { createFullDisk } from './outlast-full-disk.ts';
import { makeOutputFolder } from './output-folder.ts';
import { createSeededRandom } from './seeded-random.ts';
import { createSigningKeys } from './signing-keys.ts';
import { openStreamFolder, type StreamFormat } from './stream-folder.ts';

export type NetworkOptions = {
  folder: string;
  seed?: string;
  /** Number of signing nodes, 0.0.3 and up. */
  nodes?: number;
  /** Published blocks that stay in the folder. */
  keepBlocks?: number;
  hapiVersion?: SemanticVersion;
  /** What it writes; records unless said. */
  format?: StreamFormat;
  /** The first block that is written as a block of a block stream. */
  cutoverAt?: bigint | null;
  /** Every so many items of a block stream one is redacted; none unless said. */
  redactEvery?: number | null;
  /** Told when the disk is full and blocks wait, and when they go on (null). */
  onFullDisk?: (error: Error | null) => void;
  /** Ends the wait for room on the disk while blocks of an earlier run are made again. */
  signal?: AbortSignal;
};

type WriteBlockOptions = {
  /** ns; must lie after the last block. The wall clock if not given. */
  consensusStart?: bigint;
  /** ns that the block's transactions spread over; 1.8 s if not given. */
  duration?: bigint;
  /** Transactions submitted in the block; 5 to 10 if not given. Genesis and the two blocks after it have their own. */
  transactions?: number;
  mix?: BlockPlan['mix'];
  /** Ends the wait for room on the disk; the block is then made when the network is opened again. */
  signal?: AbortSignal;
};

type WrittenBlock = {
  number: bigint;
  /** File name of the record file. */
  name: string;
  consensusStart: bigint;
  consensusEnd: bigint;
  /** Items, children included. */
  transactions: number;
  sizeBytes: number;
};

type RunOptions = {
  /** Time between blocks; 0 = as fast as possible, consensus time then moves on by 2 s a block. */
  intervalMs?: number;
  /** Stop after so many blocks. */
  blocks?: number;
  transactionsPerBlock?: number;
  mix?: BlockPlan['mix'];
  /** A new network begins so many days ago, with some blocks a day, so that there is a past to ask about. */
  historyDays?: number;
  signal?: AbortSignal;
  onBlock?: (block: WrittenBlock) => void;
};

export type Network = {
  writeBlock(options?: WriteBlockOptions): Promise<WrittenBlock>;
  run(options?: RunOptions): Promise<void>;
  /** The ledger's truth at this moment; not to be changed. */
  state(): { lastBlock: bigint; lastConsensus: bigint; tables: LedgerTables };
  /** Serialized NodeAddressBook to start a mirror with. */
  addressBookPath: string;
  close(): Promise<void>;
};

/** Below a network's folder: what its block explorer knows, one file a contract. */
export const explorerFolderName = 'explorer';

const defaultHapiVersion: SemanticVersion = { major: 0, minor: 75, patch: 1 };
const blockNs = 2_000_000_000n;
/** The rest stays free, so that one block ends well before the next. */
const defaultDuration = 1_800_000_000n;
const dayNs = 86_400_000_000_000n;
const blocksBetweenSavedStates = 25n;
const blocksBetweenPruning = 50n;
const historyBlocksPerDay = 4n;
/** Files that a restart may have to make again are not pruned. */
const minKeptBlocks = 60;

export async function createNetwork(options: NetworkOptions): Promise<Network> {
  const { folder, seed = 'ledger mirror', hapiVersion = defaultHapiVersion, keepBlocks = 5000 } = options;
  makeOutputFolder(folder);
  const journal = await openJournal(folder);
  const state = (await journal.load()) ?? beginning(seed, options.nodes ?? 4);
  assertSame(folder, state, { seed: options.seed ?? state.seed, nodes: options.nodes ?? state.nodes });

  const nodes = await loadSigningNodes(folder, state.nodes);
  const addressBookPath = join(folder, 'addressbook.bin');
  await createFileOnce(addressBookPath, encodeAddressBook(nodes));
  const { format = 'records', cutoverAt = null, redactEvery = null } = options;
  const stream = await openStreamFolder({ folder, nodes, hapiVersion, format, cutoverAt, redactEvery });
  const ledger = createLedger(state.tables);
  const explorer = await openExplorerFolder(join(folder, explorerFolderName), ledger);
  const keys = createSigningKeys({ seed: state.seed, ledger });
  const { outlast } = createFullDisk({ onChange: options.onFullDisk ?? (() => {}) });
  const makeBlock = createMakeBlock({ ledger, keys, runEvm: await createRunEvm(ledger), nodes });

  async function carryOut(plan: BlockPlan, signal?: AbortSignal): Promise<WrittenBlock> {
    // Changes the ledger, so it happens once; what follows can be repeated.
    const units = await makeBlock(plan, state);
    const items = units.flatMap((unit) => unit.items);
    const content = {
      number: plan.number,
      startRunningHash: state.runningHash,
      chain: state.blockChain ?? newBlockChain,
      nextEntity: state.tables.counters.get('nextEntity')!,
      units,
    };
    const block = await outlast(() => stream.publish(content), signal);
    const consensusEnd = items.at(-1)!.consensusTimestamp;
    state.runningHash = block.endRunningHash;
    state.blockChain = withRoot(content.chain, block.root);
    state.nextBlock = plan.number + 1n;
    state.lastConsensus = consensusEnd;
    await outlast(() => explorer.publish(), signal);
    return {
      number: plan.number,
      name: block.name,
      consensusStart: items[0]!.consensusTimestamp,
      consensusEnd,
      transactions: items.length,
      sizeBytes: block.sizeBytes,
    };
  }

  for (const plan of await journal.plansFrom(state.nextBlock)) await carryOut(plan, options.signal);
  if (state.nextBlock === 0n) await journal.save(state);

  async function writeBlock(blockOptions: WriteBlockOptions = {}): Promise<WrittenBlock> {
    const { consensusStart, duration = defaultDuration, transactions, mix = 'demo', signal } = blockOptions;
    const number = state.nextBlock;
    const start = consensusStart ?? maximum(now(), state.lastConsensus + 1000n);
    if (start <= state.lastConsensus) {
      throw new RangeError(`Block ${number} cannot begin at ${start}: the last one ended at ${state.lastConsensus}`);
    }
    const random = createSeededRandom(state.seed, `size of block ${number}`);
    const plan = { number, consensusStart: start, duration, transactions: transactions ?? random.integer(5, 10), mix };
    await outlast(() => journal.announce(plan), signal);
    const block = await carryOut(plan, signal);
    if (state.nextBlock % blocksBetweenSavedStates === 0n) await outlast(() => journal.save(state), signal);
    const kept = Math.max(keepBlocks, minKeptBlocks);
    // Before there are more, nothing can go: whole folders are listed for it.
    if (state.nextBlock > kept && state.nextBlock % blocksBetweenPruning === 0n) await stream.prune(kept);
    return block;
  }

  async function run(runOptions: RunOptions = {}): Promise<void> {
    // Only a wait that the signal ends throws this.
    await writeBlocks(runOptions).catch(ignoreAbort);
  }

  async function writeBlocks(runOptions: RunOptions): Promise<void> {
    const {
      intervalMs = 2000,
      blocks = Number.POSITIVE_INFINITY,
      transactionsPerBlock,
      mix,
      historyDays = 0,
    } = runOptions;
    const { signal, onBlock } = runOptions;
    const starts = blockStarts({ intervalMs, blocks, historyDays, last: state.lastConsensus });
    let written = 0;
    for (const start of starts) {
      if (written >= blocks || signal?.aborted) return;
      const block = await writeBlock({
        consensusStart: maximum(start, state.lastConsensus + 1000n),
        transactions: transactionsPerBlock,
        mix,
        signal,
      });
      written += 1;
      onBlock?.(block);
    }
    for (let due = Date.now(); written < blocks && !signal?.aborted; written++) {
      // A block holds what happened since the last one, so it begins an interval ago.
      const interval = BigInt(Math.round(intervalMs)) * 1_000_000n;
      const start = maximum(now() - interval, state.lastConsensus + 1000n);
      const duration = interval < blockNs ? (interval * 9n) / 10n : defaultDuration;
      const block = await writeBlock({
        consensusStart: start,
        duration,
        transactions: transactionsPerBlock,
        mix,
        signal,
      });
      onBlock?.(block);
      due = Math.max(due + intervalMs, Date.now() - intervalMs);
      await pause(Math.max(0, due - Date.now()), signal);
    }
  }

  return {
    writeBlock,
    run,
    state: () => ({ lastBlock: state.nextBlock - 1n, lastConsensus: state.lastConsensus, tables: state.tables }),
    addressBookPath,
    close: () => journal.close(),
  };
}

function beginning(seed: string, nodes: number): NetworkState {
  return {
    seed,
    nodes,
    nextBlock: 0n,
    runningHash: Buffer.alloc(48),
    lastConsensus: 0n,
    stakeDay: 0n,
    tables: createEmptyTables(),
  };
}

function assertSame(folder: string, state: NetworkState, asked: { seed: string; nodes: number }): void {
  if (state.seed === asked.seed && state.nodes === asked.nodes) return;
  throw new Error(
    `The network in ${folder} was begun with seed "${state.seed}" and ${state.nodes} nodes, not with seed "${asked.seed}" ` +
      `and ${asked.nodes}. Give the same values, or another folder.`,
  );
}

/** Times of blocks that are written without waiting: the past of a new network, and everything when no interval is asked. */
function* blockStarts({
  intervalMs,
  blocks,
  historyDays,
  last,
}: {
  intervalMs: number;
  blocks: number;
  historyDays: number;
  last: bigint;
}) {
  if (last === 0n && historyDays > 0) {
    const today = (now() / dayNs) * dayNs;
    for (let day = BigInt(historyDays); day >= 1n; day--) {
      const midnight = today - day * dayNs;
      for (let block = 0n; block < historyBlocksPerDay; block++) {
        yield midnight + (block * dayNs) / historyBlocksPerDay + (block + 1n) * blockNs;
      }
    }
  }
  if (intervalMs > 0) return;
  // A limited number of blocks ends about now; consensus time is never ahead of the clock without need.
  const first = Number.isFinite(blocks) ? now() - BigInt(blocks) * blockNs : now();
  for (let start = maximum(first, last + blockNs); ; start += blockNs) yield start;
}

function now(): bigint {
  return BigInt(Date.now()) * 1_000_000n;
}

function maximum(left: bigint, right: bigint): bigint {
  return left > right ? left : right;
}

function ignoreAbort(error: unknown): void {
  if (!(error instanceof Error && error.name === 'AbortError')) throw error;
}
