// Limits the database to the newest part of the ledger: beside the import, at intervals of consensus time, it drops
// older blocks. Time is the stream's, so that the same files leave the same rows whenever they are read.

import type { Database } from '../../../packages/postgres/wire/database.ts';
import { selectLastBlockBefore } from '../../../packages/store/read/import-state.ts';
import { selectNewestBlock } from '../../../packages/store/read/select-newest-block.ts';
import { createRowDropper, type DroppedRows } from '../../../packages/store/retention/row-dropper.ts';
import { keepWrappedTree } from './keep-wrapped-tree.ts';

export type Retention = {
  /** After each commit. */
  onBlock(block: { consensusEnd: bigint }): void;
  /**
   * At the end of an import: drops everything that is older than what is kept, up to the newest stored block. Rejects
   * if it cannot. A stop ends it with its current step.
   */
  finish(): Promise<void>;
  /** Waits for the current drop; after a stop that ends with its current step. */
  close(): Promise<void>;
};

export type RetentionOptions = {
  connectionString: string;
  /** For reading what is stored. */
  db: Database;
  /** How much of the newest consensus time is kept. */
  keepNs: bigint;
  signal: AbortSignal;
  /** Blocks before this one were dropped. */
  onDropped(dropped: DroppedRows & { before: bigint; seconds: number }): void;
  /** It is tried again later. */
  onFailed(error: Error): void;
};

/** The surplus that may stay for a while, as a fraction of what is kept. */
const stepsOfKept = 20n;
const maxStepNs = 86_400_000_000_000n;

export function createRetention(options: RetentionOptions): Retention {
  const { connectionString, db, keepNs, signal, onDropped, onFailed } = options;
  const stepNs = keepNs / stepsOfKept < maxStepNs ? keepNs / stepsOfKept : maxStepNs;
  let droppedTo: bigint | null = null;
  let running: Promise<void> | null = null;
  /** Of the newest block while a drop runs: an import behind the head of the stream is faster than a drop. */
  let waiting: bigint | null = null;

  async function drop(horizon: bigint): Promise<void> {
    const started = performance.now();
    const last = await selectLastBlockBefore(db, horizon);
    if (!last) return;
    const dropper = await createRowDropper(connectionString);
    try {
      if (last.wrappedRoot) await keepWrappedTree(db, last.index);
      const before = last.consensusEnd + 1n;
      const dropped = await dropper.dropBefore(before, signal);
      onDropped({ ...dropped, before, seconds: (performance.now() - started) / 1000 });
    } finally {
      await dropper.close();
    }
  }

  function onBlock({ consensusEnd }: { consensusEnd: bigint }): void {
    const horizon = consensusEnd - keepNs;
    if (running) waiting = consensusEnd;
    if (running || signal.aborted || (droppedTo !== null && horizon < droppedTo + stepNs)) return;
    droppedTo = horizon;
    running = drop(horizon)
      .catch((error: Error) => {
        droppedTo = horizon - stepNs + stepNs / stepsOfKept;
        onFailed(error);
      })
      .finally(() => {
        running = null;
        const next = waiting;
        waiting = null;
        if (next !== null) onBlock({ consensusEnd: next });
      });
  }

  async function close(): Promise<void> {
    while (running) await running;
  }

  return {
    onBlock,
    async finish() {
      await close();
      const newest = await selectNewestBlock(db);
      if (newest && !signal.aborted) await drop(newest.consensusEnd - keepNs);
    },
    close,
  };
}
