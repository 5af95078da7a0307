// Prepared blocks on their way into the database. While one database transaction runs, the blocks after it are collected;
// behind the head of the stream as many as a transaction should have are waited for. What a block began over whole tables
// goes on after each commit, one range at a time. Invariant: blocks are committed in order, each whole, and never one
// without those before it.
import type { WritableChanges } from '../store/write/block-changes.ts';
import type { BlockWriter } from '../store/write/block-writer.ts';
import { advanceScans, type WrittenBlock, writeBlocks } from './write-blocks.ts';

export type PreparedBlock = {
  block: WrittenBlock & { transactions: number };
  changes: WritableChanges;
  /** Of the file as stored: a measure of what its rows take. */
  sizeBytes: number;
};

export type CommitQueueOptions<Block extends PreparedBlock> = {
  writer: BlockWriter;
  /** Most transactions of one commit; a larger block is a commit of its own. 0: every block is. */
  maxTransactions: number;
  /** After each commit, once for each of its blocks. */
  onCommitted(block: Block, leftOut: string[]): void;
  /** The failure itself is thrown by the next call. */
  onFailed(): void;
};

export type CommitQueue<Block extends PreparedBlock> = {
  /**
   * Resolves when the next block may be prepared: at most what one commit takes is waiting.
   * @param isUrgent it is not known when the next block comes: this one is written as soon as the writer is free
   */
  add(block: Block, isUrgent: boolean): Promise<void>;
  /** Whether there are blocks that wait for more to come. */
  isCollecting(): boolean;
  /** What waits is written as soon as the writer is free. */
  hurry(): void;
  /** Resolves when every block is committed. */
  flush(): Promise<void>;
  /** Resolves when also that is done which blocks began over whole tables, or the signal says to leave it. */
  finish(signal?: AbortSignal): Promise<void>;
};

/** Stored bytes of the files of one commit: what their rows take is some ten times as much. */
const maxSizeBytes = 8 * 1024 * 1024;
/** A slow stream shows its blocks all the same. */
const maxWaitMs = 1_000;

export function createCommitQueue<Block extends PreparedBlock>(options: CommitQueueOptions<Block>): CommitQueue<Block> {
  const { writer, maxTransactions, onCommitted, onFailed } = options;
  let waiting: Block[] = [];
  let waitingSinceMs = 0;
  let size = { transactions: 0, bytes: 0 };
  let isUrgent = false;
  let isClosed = false;
  let writing: Promise<void> | null = null;
  let hasScans = false;
  let flushes = 0;
  let failure: unknown = null;

  function start(): void {
    const blocks = waiting;
    waiting = [];
    size = { transactions: 0, bytes: 0 };
    isUrgent = false;
    isClosed = false;
    run(async () => {
      await writeBlocks(writer, blocks, onCommitted);
      await scan();
    });
  }

  function run(work: () => Promise<void>): void {
    writing = work().then(
      () => {
        writing = null;
        if (isDue()) start();
        else if (hasScans && flushes === 0) run(scan);
      },
      (error: unknown) => {
        writing = null;
        failure = error;
        onFailed();
      },
    );
  }

  async function scan(): Promise<void> {
    hasScans = await advanceScans(writer);
  }

  function isDue(): boolean {
    if (waiting.length === 0) return false;
    return isUrgent || isClosed || isFull() || performance.now() - waitingSinceMs > maxWaitMs;
  }

  const isFull = (): boolean => size.transactions >= maxTransactions || size.bytes >= maxSizeBytes;

  const check = (): void => {
    if (failure !== null) throw failure;
  };

  async function flush(): Promise<void> {
    flushes += 1;
    try {
      while (waiting.length > 0 || writing) {
        check();
        if (writing) await writing;
        else start();
      }
      check();
    } finally {
      flushes -= 1;
    }
  }

  return {
    async add(prepared, urgent) {
      const { block, changes, sizeBytes } = prepared;
      // What waits goes first where it would be too much with this block.
      while (waiting.length > 0 && (isClosed || size.transactions + block.transactions > maxTransactions)) {
        check();
        if (!writing) start();
        else await writing;
      }
      check();
      if (waiting.length === 0) waitingSinceMs = performance.now();
      waiting.push(prepared);
      size.transactions += block.transactions;
      size.bytes += sizeBytes;
      isClosed = endsCommit(changes);
      isUrgent ||= urgent;
      if (!writing && isDue()) start();
      // A full commit waits: another block would have nowhere to go.
      while (writing && (isClosed || isFull()) && waiting.length > 0) await writing;
      check();
    },
    isCollecting: () => waiting.length > 0 && !isUrgent,
    hurry() {
      isUrgent = waiting.length > 0;
      if (isUrgent && !writing) start();
    },
    flush,
    async finish(signal) {
      await flush();
      while (!signal?.aborted && (await advanceScans(writer)));
    },
  };
}

/** Bulk operations that look at the tables once more when the whole commit is in place. */
function endsCommit({ parts }: WritableChanges): boolean {
  return parts.some((part) => 'operation' in part && part.operation === 'deleteNftsOfAccount');
}
