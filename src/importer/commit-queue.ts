// Prepared blocks on their way into the database, committed in order and whole. While one database transaction runs,
// the next one is collected, up to its full size when behind the head of the stream. Deferred work over whole tables
// continues after each commit, one range at a time.
import type { WritableChanges } from '../../packages/store/write/block-changes.ts';
import type { BlockWriter } from '../../packages/store/write/block-writer.ts';
import { advanceScans, type WrittenBlock, writeBlocks } from './write-blocks.ts';

export type PreparedBlock = {
  block: WrittenBlock & { transactions: number };
  changes: WritableChanges;
  /** Of the file as stored, as a measure of the size of its rows. */
  sizeBytes: number;
};

export type CommitQueueOptions<Block extends PreparedBlock> = {
  writer: BlockWriter;
  /** Maximum number of transactions in one commit; a larger block is committed alone. 0: every block is. */
  maxTransactions: number;
  /** After each commit, once for each of its blocks. */
  onCommitted(block: Block, leftOut: string[]): void;
  /** The failure itself is thrown by the next call. */
  onFailed(): void;
};

export type CommitQueue<Block extends PreparedBlock> = {
  /**
   * Resolves when the next block may be prepared: at most one commit is waiting.
   * @param isUrgent it is unknown when the next block comes: this one is written as soon as the writer is free
   */
  add(block: Block, isUrgent: boolean): Promise<void>;
  /** Whether blocks wait for more to come. */
  isCollecting(): boolean;
  /** Waiting blocks are written as soon as the writer is free. */
  hurry(): void;
  /** Resolves when every block is committed. */
  flush(): Promise<void>;
  /** Resolves when deferred work over whole tables is done, too, or the signal aborts it. */
  finish(signal?: AbortSignal): Promise<void>;
};

/** Stored bytes of the files of one commit: their rows take some ten times as much. */
const maxSizeBytes = 8 * 1024 * 1024;
/** So that blocks of a slow stream become visible. */
const maxWaitMs = 1_000;

export function createCommitQueue<Block extends PreparedBlock>(options: CommitQueueOptions<Block>): CommitQueue<Block> {
  const { writer, maxTransactions, onCommitted, onFailed } = options;
  const next = createNextCommit<Block>(maxTransactions);
  let writing: Promise<void> | null = null;
  let hasScans = false;
  let flushes = 0;
  let failure: unknown = null;

  function start(): void {
    const blocks = next.take();
    run(async () => {
      await writeBlocks(writer, blocks, onCommitted);
      await scan();
    });
  }

  function run(work: () => Promise<void>): void {
    writing = work().then(
      () => {
        writing = null;
        if (next.isDue()) start();
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

  function check(): void {
    if (failure !== null) throw failure;
  }

  /** Writes while there is something that must not wait any longer. */
  async function writeWhile(mustWrite: () => boolean): Promise<void> {
    while (mustWrite()) {
      check();
      if (writing) await writing;
      else start();
    }
    check();
  }

  async function flush(): Promise<void> {
    flushes += 1;
    try {
      await writeWhile(() => !next.isEmpty() || writing !== null);
    } finally {
      flushes -= 1;
    }
  }

  return {
    async add(prepared, urgent) {
      await writeWhile(() => !next.hasRoomFor(prepared));
      next.add(prepared, urgent);
      if (!writing && next.isDue()) start();
      // A full commit waits: there is no room for another block.
      while (writing && next.isFull()) await writing;
      check();
    },
    isCollecting: () => !next.isEmpty() && !next.isUrgent(),
    hurry() {
      next.hurry();
      if (next.isUrgent() && !writing) start();
    },
    flush,
    async finish(signal) {
      await flush();
      while (!signal?.aborted && (await advanceScans(writer)));
    },
  };
}

/** The blocks that wait to be written in one commit. */
function createNextCommit<Block extends PreparedBlock>(maxTransactions: number) {
  let blocks: Block[] = [];
  let sinceMs = 0;
  let transactions = 0;
  let bytes = 0;
  let isUrgent = false;
  /** No block may follow the last one. */
  let isClosed = false;
  const isFull = (): boolean =>
    blocks.length > 0 && (isClosed || transactions >= maxTransactions || bytes >= maxSizeBytes);

  return {
    isEmpty: () => blocks.length === 0,
    isUrgent: () => isUrgent,
    isFull,
    isDue: () => blocks.length > 0 && (isUrgent || isFull() || performance.now() - sinceMs > maxWaitMs),
    hasRoomFor: ({ block }: Block) =>
      blocks.length === 0 || (!isClosed && transactions + block.transactions <= maxTransactions),
    add(prepared: Block, urgent: boolean): void {
      if (blocks.length === 0) sinceMs = performance.now();
      blocks.push(prepared);
      transactions += prepared.block.transactions;
      bytes += prepared.sizeBytes;
      isClosed = endsCommit(prepared.changes);
      isUrgent ||= urgent;
    },
    hurry(): void {
      isUrgent = blocks.length > 0;
    },
    take(): Block[] {
      const taken = blocks;
      blocks = [];
      [transactions, bytes, isUrgent, isClosed] = [0, 0, false, false];
      return taken;
    },
  };
}

/** Bulk operations that read the tables after the whole commit is written. */
function endsCommit({ parts }: WritableChanges): boolean {
  return parts.some((part) => 'operation' in part && part.operation === 'deleteNftsOfAccount');
}
