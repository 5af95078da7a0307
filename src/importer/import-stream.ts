// The import: units of the stream, checked, covered by a signature of the network or of its nodes, turned into rows and
// committed in order, one commit a block at the head of the stream and one for several small blocks behind it. While
// one commit is written the next is prepared; besides it, only the blocks that wait for a signature are in memory.
// Invariant: a run takes everything it knows from the database, so that a run can end anywhere and be started again.

import { setImmediate } from 'node:timers/promises';
import { isSettledWithin } from '../../packages/kit/is-settled-within.ts';
import type { StreamBlockFile, StreamUnit } from '../../packages/sources/stream-source.ts';
import type { Doubt } from '../../packages/streams/stream/doubt.ts';
import type { ItemProblem } from './block/item-problems.ts';
import { type CommitQueue, createCommitQueue } from './commit-queue.ts';
import { createProgressMeter, type ImportProgress, type ImportSummary, type ProgressMeter } from './import-progress.ts';
import { StreamCheckError, type StreamCheckFailure } from './open/stream-check-error.ts';
import { type Coverage, type CoverageOptions, type CoveredBlock, createCoverage } from './proving/cover-blocks.ts';
import type { KnownLedger } from './proving/ledger-change.ts';
import { loadKnownLedger } from './proving/load-known-ledger.ts';
import { createProofThread, type ProofThread } from './proving/start-proof-thread.ts';
import { type RetryOptions, retryTransient } from './retry-transient.ts';
import {
  type ImportedUnit,
  loadUnitPreparer,
  type OpenedBlock,
  type UnitPreparer,
  type UnitPreparerOptions,
} from './unit-preparer.ts';
import { toDoubt } from './whole-block/doubt-rows.ts';

export type { ImportSummary };

export type PlacedDoubt = Doubt & { file: string; block: bigint };

export type ImportStreamOptions = Omit<UnitPreparerOptions, 'trust'> &
  RetryOptions & {
    /**
     * Behind the head of the stream, maximum number of transactions in one commit; 0: one commit a block. Default
     * 5,000.
     */
    commitTransactions?: number;
    /**
     * The ledger that blocks of a block stream must be of, 32 or 64 bytes; default: the one that the stream publishes.
     */
    ledgerId?: Uint8Array | null;
    /** Hash of a hinTS key of it that nothing else vouches for. */
    ledgerKey?: Uint8Array | null;
    /** The message that published its id, for a stream that begins later. */
    ledgerPublication?: Uint8Array | null;
    /** How blocks are covered, for tests and measurements. */
    coverage?: Partial<Pick<CoverageOptions, 'maxCollected' | 'maxWaiting' | 'checker'>>;
    /** A block without a good proof waits. */
    onUncovered?: CoverageOptions['onUncovered'];
    /** The network goes on under another ledger id. */
    onHandover?: CoverageOptions['onHandover'];
    /** It is no part that was left out: the transaction is imported as any other. */
    onBadPublication?: CoverageOptions['onBadPublication'];
    /** After every commit. */
    onProgress?(progress: ImportProgress): void;
    /** What of a proved block is not shown, or shown in part. */
    onDoubt?(doubt: PlacedDoubt): void;
    /** A defect of this program left out a part of a transaction, although the data is good. */
    onDefect?(problem: ItemProblem): void;
    onCutover?(cutover: NonNullable<ImportedUnit['cutover']>): void;
  };

/**
 * Resolves when the files or the signal end the import. Not live, it throws StreamCheckError at a file that cannot be
 * proved; everything before it is stored, and the next import begins with it. Live, it waits at that file until it is
 * repaired.
 */
export async function importStream(options: ImportStreamOptions): Promise<ImportSummary> {
  const meter = createProgressMeter();
  const thread = createProofThread();
  try {
    await retryTransient((madeProgress) => runWithOtherCopies(options, { meter, thread, madeProgress }), options);
  } finally {
    await thread.close();
  }
  return meter.summary();
}

type RunParts = { meter: ProgressMeter; thread: ProofThread; madeProgress: () => void };

/** By number of the block: the copy to take, because the proofs of the others were refused. */
type OtherCopies = Map<bigint, { file: StreamBlockFile; failures: readonly StreamCheckFailure[] }>;

/** Where the proof of a block is refused, another copy of it, of this place or another one, may have a good one. */
async function runWithOtherCopies(options: ImportStreamOptions, parts: RunParts): Promise<void> {
  const seen = new Set<string>();
  const copies: OtherCopies = new Map();
  for (;;) {
    try {
      return await run(options, { ...parts, copies });
    } catch (error) {
      const refused = error instanceof StreamCheckError ? error.refusedBlock : null;
      if (!refused) throw error;
      const copy = `${refused.location}/${refused.name}`;
      const file = seen.has(copy) ? null : await options.source.passOver?.(refused);
      if (!file) throw error;
      seen.add(copy);
      const failures = (error as StreamCheckError).failures.map((failure) => ({ ...failure, node: copy }));
      copies.set(file.number, { file, failures: [...(copies.get(file.number)?.failures ?? []), ...failures] });
    }
  }
}

/**
 * The unit, or the copy that is to be taken in its place: the block after it, of the place of the first one, proves
 * nothing about that.
 */
async function openUnit(preparer: UnitPreparer, unit: StreamUnit, copies: OtherCopies): Promise<OpenedBlock> {
  const other = unit.kind === 'block' ? copies.get(unit.block.number) : undefined;
  const opened = await preparer.open(other ? { kind: 'block', block: other.file } : unit);
  if (other) opened.verification.rejected.push(...other.failures);
  return opened;
}

async function run(
  options: ImportStreamOptions,
  { meter, thread, madeProgress, copies }: RunParts & { copies: OtherCopies },
): Promise<void> {
  const { source, db, writer, live, signal } = options;
  await writer.settle();
  const stored = await loadKnownLedger(db);
  const preparer = await loadUnitPreparer({ ...options, trust: stored.trust }, meter);
  const coverage = await openCoverage(options, stored, thread);
  if (preparer.isAtEnd()) return meter.reachEnd();
  // A block that could not be written also ends the wait for the next one.
  const failed = new AbortController();
  const queue: CommitQueue<ImportedUnit> = createCommitQueue({
    writer,
    maxTransactions: options.commitTransactions ?? 5_000,
    onCommitted(prepared, leftOut) {
      madeProgress();
      report(options, meter, prepared, leftOut);
    },
    onFailed: () => failed.abort(),
  });

  const units = source
    .units({
      position: preparer.position,
      live,
      isEnough: preparer.isEnough,
      onUpcoming: preparer.expect,
      signal: signal ? AbortSignal.any([signal, failed.signal]) : failed.signal,
    })
    [Symbol.asyncIterator]();
  async function write(covered: AsyncIterable<CoveredBlock<OpenedBlock>>): Promise<void> {
    for await (const one of covered) {
      if (one.opened.isBeyond) return;
      const prepared = await preparer.prepare(one, queue.flush);
      meter.begin('write');
      await queue.add(prepared, live && isRecent(prepared.block.consensusEnd));
      // Two blocks of this size must not be in memory at once.
      if (prepared.unpackedBytes > maxWrittenAside) await queue.flush();
      meter.begin('open');
    }
  }

  /** What was collected is stored before a file that does not pass ends the run. */
  async function orFlush<Result>(work: Promise<Result>): Promise<Result> {
    try {
      return await work;
    } catch (error) {
      await write(coverage.flush());
      throw error;
    }
  }

  try {
    for (;;) {
      meter.begin('wait');
      const next = units.next();
      if (live && queue.isCollecting() && !(await isSettledWithin(next, idleMs))) queue.hurry();
      if (live && coverage.isCollecting() && !(await isSettledWithin(next, coverIdleMs))) {
        // It fails where it is awaited.
        next.catch(() => {});
        await write(coverage.flush());
        queue.hurry();
      }
      const { value: unit, done } = await orFlush(next);
      if (signal?.aborted || failed.signal.aborted) break;
      if (done) {
        await write(coverage.end());
        break;
      }
      // Synchronous reads give nothing else its turn: writing, timers, signals.
      await setImmediate();
      const opened = await orFlush(openUnit(preparer, unit, copies));
      // Of a block after the end only its proof counts, where blocks before the end wait for one.
      if (opened.isBeyond && coverage.isEmpty()) {
        meter.reachEnd();
        break;
      }
      await write(coverage.add(opened, preparer.isAtEnd() || (live && isRecent(opened.block.consensusEnd))));
      if (preparer.isAtEnd() && coverage.isEmpty()) {
        meter.reachEnd();
        break;
      }
    }
    await queue.finish(signal);
  } finally {
    try {
      await queue.flush();
    } finally {
      await units.return?.();
    }
  }
}

/** Throws LedgerIdError if what the operator gave is not what is trusted already. */
async function openCoverage(
  options: ImportStreamOptions,
  stored: KnownLedger,
  thread: ProofThread,
): Promise<Coverage<OpenedBlock>> {
  const { ledgerId = null, ledgerKey = null, ledgerPublication: publication = null } = options;
  const coverage = createCoverage<OpenedBlock>({
    checker: thread,
    given: { stored, ledgerId, ledgerKey, publication },
    onUncovered: options.onUncovered,
    onHandover: options.onHandover,
    onBadPublication: options.onBadPublication ?? (() => {}),
    ...options.coverage,
  });
  if (publication || ledgerKey || (stored.trust && ledgerId)) await coverage.begin();
  return coverage;
}

/** Bytes, uncompressed: while a larger block is written, the next one is not read yet. */
const maxWrittenAside = 32 * 1024 * 1024;

/** Behind the head of a live stream: how long collected blocks wait for the next one before they are written. */
const idleMs = 20;
/** Behind the head: how long blocks wait for more that the same signature covers. */
const coverIdleMs = 250;
/** Readers wait for blocks that are newer than this. */
const recentMs = 10_000;

function isRecent(consensusEnd: bigint): boolean {
  return Date.now() - Number(consensusEnd / 1_000_000n) < recentMs;
}

function report(
  { onDoubt, onDefect, onProgress, onCutover }: ImportStreamOptions,
  meter: ReturnType<typeof createProgressMeter>,
  { block: imported, defects, cutover }: ImportedUnit,
  leftOut: string[],
): void {
  if (cutover) onCutover?.(cutover);
  const block = { ...imported, doubts: [...imported.doubts, ...leftOut.map((text) => toDoubt('repeatedRow', text))] };
  for (const doubt of block.doubts) onDoubt?.({ ...doubt, file: block.name, block: block.number });
  for (const defect of defects) onDefect?.(defect);
  meter.count(block, { problems: block.doubts.length + defects.length, defects: defects.length });
  onProgress?.(meter.progress(block));
}
