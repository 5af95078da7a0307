// How the import is doing, from what it reports of itself: blocks, copies that failed, what it waits for, why it ended.

import type { ImportProgress } from '../../../importer/import-progress.ts';
import { StreamCheckError } from '../../../importer/open/stream-check-error.ts';
import type { Facts, Signals } from './signals.ts';

export type ImportWatch = {
  onProgress(progress: ImportProgress): void;
  onRetry(error: Error): void;
  /** It has ended, though nobody asked it to. */
  onEnd(error: Error): void;
  signals(now: number): { values: Signals; facts: Facts };
};

/** What is looked at, at least in blocks: a short time may hold none. */
const blocksRemembered = 60;

type SeenBlock = { files: number; rejected: number; durationMs: number };

export function createImportWatch(clock: () => number): ImportWatch {
  const blocks: SeenBlock[] = [];
  let busySeconds = 0;
  let gap: { since: number; message: string } | null = null;
  let writing: { message: string } | null = null;
  let ended: Error | null = null;

  return {
    onProgress({ block, seconds }) {
      const busy = seconds.open + seconds.rows + seconds.write;
      const { rejected, signatures } = block.verification;
      blocks.push({
        // A node's signature is one, the copy that was taken another.
        files: signatures.present + 1 + rejected.length,
        rejected: rejected.length,
        durationMs: (busy - busySeconds) * 1000,
      });
      if (blocks.length > blocksRemembered) blocks.shift();
      busySeconds = busy;
      gap = null;
      writing = null;
    },
    onRetry(error) {
      if (error instanceof StreamCheckError) gap ??= { since: clock(), message: error.message };
      else writing = { message: error.message };
    },
    onEnd(error) {
      ended = error;
    },
    signals(now) {
      const files = blocks.reduce((sum, block) => sum + block.files, 0);
      const rejected = blocks.reduce((sum, block) => sum + block.rejected, 0);
      const lastBlocks = blocks.slice(-5);
      return {
        values: {
          'import.halted': ended ? 1 : 0,
          'import.rejectedShare': files > 0 ? rejected / files : 0,
          'import.blockMs':
            lastBlocks.reduce((sum, block) => sum + block.durationMs, 0) / Math.max(1, lastBlocks.length),
          'stream.gapMs': gap && !ended ? now - gap.since : 0,
          'stream.broken': ended instanceof StreamCheckError ? 1 : 0,
          'database.writeFails': writing ? 1 : 0,
        },
        facts: {
          'import.halted': shorten(ended?.message),
          'stream.broken': shorten(ended?.message),
          'stream.gapMs': shorten(gap?.message),
          'database.writeFails': shorten(writing?.message),
        },
      };
    },
  };
}

/** What is shown to the world: one line, without hashes at length. */
function shorten(message = ''): string {
  const line = message.replaceAll(/\s+/g, ' ').replaceAll(/[0-9a-f]{24,}/gi, (hex) => `${hex.slice(0, 12)}…`);
  return line.length > 400 ? `${line.slice(0, 399)}…` : line;
}
