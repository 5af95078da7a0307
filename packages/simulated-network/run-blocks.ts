// Writes block after block: the past of a new network at once, then one an interval, or all as fast as possible.
import { pause } from '../kit/pause.ts';
import type { KeyRotation, NetworkState } from './files/journal.ts';
import {
  afterLast,
  defaultDuration,
  now,
  type WriteBlock,
  type WriteBlockOptions,
  type WrittenBlock,
} from './write-block.ts';

export type RunOptions = Pick<WriteBlockOptions, 'mix' | 'signal'> & {
  /** Time between blocks; 0 = as fast as possible, consensus time then moves on by 2 s a block. */
  intervalMs?: number;
  /** Stop after this many blocks. */
  blocks?: number;
  transactionsPerBlock?: number;
  /**
   * Of a block stream: one in this many blocks is signed, and proves those before it, which wait for it. Signing takes
   * 15 ms of CPU time. By default most are.
   */
  signEvery?: number;
  /**
   * Of a block stream with a ledger id of 64 bytes: another hinTS key signs every so many blocks, at least 3; default
   * never.
   */
  rotateEvery?: number;
  /** A new network begins this many days ago, with some blocks a day, so that there is a past to ask about. */
  historyDays?: number;
  onBlock?: (block: WrittenBlock) => void;
};

const blockNs = 2_000_000_000n;
const dayNs = 86_400_000_000_000n;
const historyBlocksPerDay = 4n;

type Parts = { state: NetworkState; writeBlock: WriteBlock; canRotateAt: (block: bigint) => boolean };

export async function runBlocks(parts: Parts, options: RunOptions): Promise<void> {
  const { state, writeBlock } = parts;
  const { intervalMs = 2000, blocks = Number.POSITIVE_INFINITY, historyDays = 0 } = options;
  const { transactionsPerBlock: transactions, signEvery, rotateEvery, mix, signal, onBlock } = options;
  let written = 0;
  const isOver = () => written >= blocks || signal?.aborted;
  async function write(consensusStart: bigint, duration?: bigint): Promise<void> {
    const rotation = rotateEvery === undefined ? undefined : findRotation(parts, rotateEvery);
    const block = await writeBlock({
      consensusStart: afterLast(state, consensusStart),
      duration,
      transactions,
      isProvedLater: written + 1 < blocks && isProvedLater(state.nextBlock, signEvery) && rotation !== 'named',
      rotation,
      mix,
      signal,
    });
    written += 1;
    onBlock?.(block);
  }

  for (const start of startsWithoutWaiting({ intervalMs, blocks, historyDays, last: state.lastConsensus })) {
    if (isOver()) return;
    await write(start);
  }
  // A block holds what happened since the last one, so it begins an interval ago.
  const interval = BigInt(Math.round(intervalMs)) * 1_000_000n;
  const duration = interval < blockNs ? (interval * 9n) / 10n : defaultDuration;
  for (let due = Date.now(); !isOver(); ) {
    await write(now() - interval, duration);
    due = Math.max(due + intervalMs, Date.now() - intervalMs);
    await pause(Math.max(0, due - Date.now()), signal);
  }
}

/** The first block is signed: no proof of an earlier one says who may sign. */
function isProvedLater(block: bigint, signEvery: number | undefined): boolean {
  if (signEvery !== undefined) return block % BigInt(signEvery) !== 0n;
  return seldomSigned.includes(block % 20n);
}

/** The key is named in a block that is signed, two blocks before it signs. */
function findRotation({ state, canRotateAt }: Parts, every: number): KeyRotation | undefined {
  const { nextBlock, isNextKeyNamed = false } = state;
  const place = nextBlock % BigInt(every);
  if (place === 0n) return isNextKeyNamed ? 'taken' : undefined;
  return place === BigInt(every) - blocksAhead && nextBlock > 0n && canRotateAt(nextBlock) ? 'named' : undefined;
}

const blocksAhead = 2n;

/** Last digits, to the base of 20: one block, and two in a row. */
const seldomSigned = [6n, 13n, 14n];

type Times = Required<Pick<RunOptions, 'intervalMs' | 'blocks' | 'historyDays'>> & { last: bigint };

/** Times of the blocks of a new network's past, and of all blocks where no interval is asked. */
function* startsWithoutWaiting({ intervalMs, blocks, historyDays, last }: Times): Generator<bigint> {
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
  for (let start = first > last + blockNs ? first : last + blockNs; ; start += blockNs) yield start;
}
