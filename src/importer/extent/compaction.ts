// A database in the compact form stays compact beside the import: once an hour, at the head of the stream, the rows of
// an hour of a day ago are moved.

import { type Compacted, compactRows, newestCompactable } from '../../../packages/store/compact/compact-rows.ts';

export type Compaction = {
  /** After each commit. */
  onBlock(block: { consensusEnd: bigint }): void;
  /** Waits for the current slice. */
  close(): Promise<void>;
};

export type CompactionOptions = {
  connectionString: string;
  signal: AbortSignal;
  /** Now, ns: behind the head of the stream the import comes first. */
  clock: () => bigint;
  onCompacted(compacted: Compacted): void;
  /** It is tried again an hour later. */
  onFailed(error: Error): void;
};

const hourNs = 3_600_000_000_000n;

export function createCompaction(options: CompactionOptions): Compaction {
  const { connectionString, signal, clock, onCompacted, onFailed } = options;
  let begunAt: bigint | null = null;
  let running: Promise<void> | null = null;

  async function compact(): Promise<void> {
    const before = await newestCompactable(connectionString);
    const compacted = await compactRows({ connectionString, before, signal, keepsFiles: true });
    if (compacted.transactions > 0) onCompacted(compacted);
  }

  return {
    onBlock({ consensusEnd }) {
      const isBehind = clock() - consensusEnd > hourNs;
      if (running || isBehind || signal.aborted || (begunAt !== null && consensusEnd < begunAt + hourNs)) return;
      begunAt = consensusEnd;
      running = compact()
        .catch(onFailed)
        .finally(() => {
          running = null;
        });
    },
    async close() {
      await running;
    },
  };
}
