// The state of the import: what it reports, and what follows from that for the status, here and in other processes.

import { StreamSourceError } from '../../../../packages/sources/stream-source.ts';
import type { Facts, Signals } from '../../../../packages/status/signal-names.ts';
import type { ImporterState } from '../../../../packages/store/read/select-importer-state.ts';
import type { ImportProgress } from '../../../importer/import-progress.ts';
import { StreamCheckError } from '../../../importer/open/stream-check-error.ts';

export type ImportWatch = ReturnType<typeof createImportWatch>;

/** Minimum number of blocks to look at: a short time may hold none. */
const blocksRemembered = 60;

type SeenBlock = { files: number; rejected: number; durationMs: number };

export function createImportWatch(clock: () => number) {
  const blocks: SeenBlock[] = [];
  let busySeconds = 0;
  let gap: { since: number; message: string } | null = null;
  let sourceProblem: string | null = null;
  let writeProblem: string | null = null;
  let halted: { file: string | null; reason: string } | null = null;
  let isEnded = false;
  let lastBlockAt: number | null = null;

  return {
    /** Consensus instant of the newest block of this run, ms since 1970; null before the first. */
    lastBlockAt: () => lastBlockAt,
    onProgress({ block, seconds }: ImportProgress): void {
      lastBlockAt = Number(block.consensusEnd / 1_000_000n);
      const busy = seconds.open + seconds.rows + seconds.write;
      const { rejected, proofs } = block.verification;
      const present = proofs.reduce((sum, { signatures }) => sum + (signatures?.present ?? 0), 0);
      blocks.push({
        // Each node's signature counts, and so does the copy that was used.
        files: present + 1 + rejected.length,
        rejected: rejected.length,
        // A new run counts from 0.
        durationMs: (busy >= busySeconds ? busy - busySeconds : busy) * 1000,
      });
      if (blocks.length > blocksRemembered) blocks.shift();
      busySeconds = busy;
      gap = null;
      sourceProblem = null;
      writeProblem = null;
      halted = null;
      isEnded = false;
    },
    onRetry(error: Error): void {
      if (error instanceof StreamCheckError && !error.transient) {
        // The file is invalid, not late, and remains until it is replaced.
        halted = { file: error.file, reason: error.message };
        gap = null;
      } else if (error instanceof StreamCheckError) gap ??= { since: clock(), message: error.message };
      else if (error instanceof StreamSourceError) sourceProblem = error.message;
      else writeProblem = error.message;
    },
    /** `error`: why it has ended, null if it was asked to. */
    onEnd(error: Error | null): void {
      isEnded = true;
      if (error === null) return;
      halted = { file: error instanceof StreamCheckError ? error.file : null, reason: error.message };
    },
    /** An earlier run stopped at this file, which stays true until a block is stored. */
    resume({ haltedFile, haltedReason }: Pick<ImporterState, 'haltedFile' | 'haltedReason'>): void {
      if (haltedFile !== null) halted = { file: haltedFile, reason: haltedReason ?? '' };
    },
    state(now: number): Omit<ImporterState, 'newestFile'> {
      const files = blocks.reduce((sum, block) => sum + block.files, 0);
      const rejected = blocks.reduce((sum, block) => sum + block.rejected, 0);
      const lastBlocks = blocks.slice(-5);
      const busyMs = lastBlocks.reduce((sum, block) => sum + block.durationMs, 0);
      return {
        isEnded,
        rejectedPermille: BigInt(files > 0 ? Math.round((1000 * rejected) / files) : 0),
        blockMs: BigInt(Math.round(busyMs / Math.max(1, lastBlocks.length))),
        missingMs: BigInt(gap && !isEnded ? now - gap.since : 0),
        missing: shorten(gap?.message),
        sourceProblem: shorten(sourceProblem),
        writeProblem: shorten(writeProblem),
        haltedFile: halted?.file ?? null,
        haltedReason: shorten(halted?.reason),
      };
    },
  };
}

type ImportSignals = { values: Required<Omit<Signals<'import'>, 'import.absentMs'>>; facts: Facts };

export function toImportSignals(state: Omit<ImporterState, 'newestFile'>): ImportSignals {
  const { haltedFile, haltedReason, missing, sourceProblem, writeProblem } = state;
  return {
    values: {
      'import.halted': haltedReason === null ? 0 : 1,
      'import.rejectedShare': Number(state.rejectedPermille) / 1000,
      'import.blockMs': Number(state.blockMs),
      'import.sourceFails': sourceProblem === null ? 0 : 1,
      'stream.gapMs': Number(state.missingMs),
      'stream.broken': haltedFile === null ? 0 : 1,
      'database.writeFails': writeProblem === null ? 0 : 1,
    },
    facts: {
      'import.halted': haltedReason ?? '',
      'import.sourceFails': sourceProblem ?? '',
      'stream.broken': haltedReason ?? '',
      'stream.gapMs': missing ?? '',
      'database.writeFails': writeProblem ?? '',
    },
  };
}

/** Public text: one line, without long hashes. */
function shorten(message: string | null | undefined): string | null {
  if (message === null || message === undefined) return null;
  const line = message.replaceAll(/\s+/g, ' ').replaceAll(/[0-9a-f]{24,}/gi, (hex) => `${hex.slice(0, 12)}…`);
  return line.length > 400 ? `${line.slice(0, 399)}…` : line;
}
