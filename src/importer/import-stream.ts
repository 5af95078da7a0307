// The import: units of the stream from the source, proved, turned into rows and committed strictly in order, one commit a
// block at the head of the stream and one for several small blocks behind it. While one commit is being written the blocks
// of the next are read, proved and decoded; no more than these two are in memory.
// Invariant: everything a run knows it took from the database, so that a run can end anywhere and be begun again.

import { setImmediate } from 'node:timers/promises';
import { isSettledWithin } from '../kit/is-settled-within.ts';
import type { SystemRealm } from '../protocol/hapi/system-entity.ts';
import type { StreamBlock } from '../protocol/stream/stream-block.ts';
import type { StreamSource, StreamUnit } from '../source/stream-source.ts';
import { selectLastBlock } from '../store/read/import-state.ts';
import { selectSnapshotState } from '../store/read/select-snapshot-state.ts';
import type { Database } from '../store/wire/database.ts';
import type { TableChanges } from '../store/write/block-changes.ts';
import type { BlockWriter } from '../store/write/block-writer.ts';
import { createRowCollector, encodeInsertedRows } from '../store/write/encoded-rows.ts';
import type { ItemProblem } from './block/item-problems.ts';
import { type CommitQueue, createCommitQueue, type PreparedBlock } from './commit-queue.ts';
import { findStart } from './extent/find-start.ts';
import type { StreamFilter } from './extent/stream-filter.ts';
import { createImportEnd, type StartPoint, type StreamPoint } from './extent/stream-point.ts';
import { createProgressMeter, type ImportProgress, type ImportSummary } from './import-progress.ts';
import type { TransactionRowOptions } from './item/transaction-row.ts';
import {
  blockStreamVersion,
  type LastBlock,
  loadLastBlock,
  nextBlockNumber,
  toChainPosition,
  toPosition,
} from './last-block.ts';
import { loadImportState, NoAddressBookError } from './load-import-state.ts';
import type { ConsensusRatio } from './open/consensus-ratio.ts';
import { loadWrappedChain } from './open/load-wrapped-chain.ts';
import { createUnitOpener } from './open/open-unit.ts';
import type { WrappedChain } from './open/wrapped-chain.ts';
import { retryTransient } from './retry-transient.ts';
import { createBalanceSnapshots, pendingRewardOperations } from './whole-block/balance-snapshot.ts';
import { blockProofRows, rootFormRows, settleRoot } from './whole-block/record-file-row.ts';

export type { ImportSummary };

export type ImportStreamOptions = {
  source: StreamSource;
  /** Reads what earlier blocks left. */
  db: Database;
  writer: BlockWriter;
  /**
   * Serialized NodeAddressBook to begin with; only needed while the database holds none, by record files and blocks that wrap them, and stored with the first block that
   * it proves. Later only a book that the database knows is accepted.
   */
  addressBook: Uint8Array | null;
  /** Wait for new files and retry what may pass or be repaired; otherwise the import ends with the files, or at the first error. */
  live: boolean;
  /** Number of the first block of an empty database whose file carries none (record files before v6); 0 unless said. */
  startBlockNumber?: bigint;
  /** Where to begin while the database is empty; with the first unit unless said. */
  start?: StartPoint;
  /** Where the import ends although there is more. */
  until?: StreamPoint;
  /** Shard and realm of the network, where somebody said them outright: the first block must be of these. */
  system?: SystemRealm | null;
  row?: TransactionRowOptions;
  /** Which transactions are stored; all unless said. */
  filter?: StreamFilter;
  /** Share of the stake that must have signed a file; one third unless said. */
  consensusRatio?: ConsensusRatio;
  /** Behind the head of the stream, transactions that one commit may have; 0: one commit a block. 5,000 unless said. */
  commitTransactions?: number;
  /** Ends the import after the block at hand. */
  signal?: AbortSignal;
  /** After every commit. */
  onProgress?(progress: ImportProgress): void;
  /** A part of a transaction that was left out, or a part of a proved file that cannot be read. */
  onProblem?(problem: ItemProblem | { file: string; problem: string }): void;
  /** Live: what failed and will be tried again. */
  onRetry?(error: Error, delayMs: number): void;
  /** Record files ended and the blocks of a block stream go on, from this one. */
  onCutover?(cutover: { block: bigint; isRootChecked: boolean }): void;
};

/**
 * Resolves when the files or the signal end the import. Not live, it throws StreamCheckError at a file that cannot be proved;
 * everything before it is stored, and the next import begins with it. Live, it stays at that file until it is repaired.
 */
export async function importStream(options: ImportStreamOptions): Promise<ImportSummary> {
  const meter = createProgressMeter();
  await retryTransient((madeProgress) => run(options, meter, madeProgress), options);
  return meter.summary();
}

async function run(
  options: ImportStreamOptions,
  meter: ReturnType<typeof createProgressMeter>,
  madeProgress: () => void,
): Promise<void> {
  const { source, db, writer, live, signal, start, until, startBlockNumber = 0n } = options;
  await writer.settle();
  const state = await loadImportState(db, options);
  const snapshots = createBalanceSnapshots(await selectSnapshotState(db));
  const stored = await selectLastBlock(db);
  const begun = stored && (await loadLastBlock(db, stored));
  let last: LastBlock | null = begun;
  const end = until ? createImportEnd(until) : null;
  if (last && end?.isReached(last)) return meter.reachEnd();
  const begin = last === null && start ? await findStart(source, start) : null;
  const chain = await loadWrappedChain(db, stored);
  const opener = createUnitOpener(source, chain, begun && toChainPosition(begun, chain.root() ?? stored!.wrappedRoot));
  // A block that could not be written also ends the wait for the next one.
  const failed = new AbortController();
  const collector = createRowCollector();
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
      position: () => (last ? toPosition(last) : begin),
      live,
      isEnough: (group) => state.signers()?.isEnough(group) ?? true,
      onUpcoming: (groups) => opener.prepare(groups, state.signers()),
      signal: signal ? AbortSignal.any([signal, failed.signal]) : failed.signal,
    })
    [Symbol.asyncIterator]();
  try {
    for (;;) {
      meter.begin('wait');
      const next = units.next();
      if (live && queue.isCollecting() && !(await isSettledWithin(next, idleMs))) queue.hurry();
      const { value: unit, done } = await next;
      if (done || signal?.aborted || failed.signal.aborted) break;
      // Files that are read at once give nothing else its turn: what is being written, timers, signals.
      await setImmediate();
      const prepared = await prepare(unit);
      if (prepared) {
        meter.begin('write');
        await queue.add(prepared, live && isRecent(prepared.block.consensusEnd));
        // Two of this size are not in memory at once.
        if (prepared.unpackedBytes > maxWrittenAside) await queue.flush();
      }
      if (!prepared || (last && end?.isReached(last))) {
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

  // Of a large block the decoded transactions are the largest part: nothing that outlives this call holds them.
  // null = it lies behind the end.
  async function prepare(unit: StreamUnit): Promise<ImportedUnit | null> {
    meter.begin('open');
    const signers = state.signers();
    if (!signers && unit.kind === 'record') throw new NoAddressBookError(`The record file of ${unit.group.instant}`);
    const numberOf = (opened: StreamBlock) => nextBlockNumber(opened, last, startBlockNumber).number;
    const { block, verification, unpackedBytes } = await opener.open(unit, signers, numberOf);
    if (!signers && block.version !== blockStreamVersion) {
      throw new NoAddressBookError(`The record file ${block.name} in block ${block.blockNumber}`);
    }
    const { number, shift } = nextBlockNumber(block, last, startBlockNumber);
    if (end?.isBefore({ number, consensusStart: block.consensusStart })) return null;
    const isCutover = last !== null && last.version !== blockStreamVersion && block.version === blockStreamVersion;
    const cutover = isCutover ? { block: number, isRootChecked: verification.checks.includes('previousHash') } : null;
    if (shift !== 0n) {
      await queue.flush();
      await writer.shiftBlockNumbers(shift);
    }
    meter.begin('rows');
    const learnt = state.realm.learn(block);
    const { changes, rows, problems, leftOutTransfers } = await state.importer.importBlock(block, number, queue.flush);
    state.follow(rows);
    const system = state.realm.current();
    changes.parts.unshift(...learnt, ...state.takeOpening());
    changes.parts.push(...pendingRewardOperations(rows, system, leftOutTransfers));
    changes.parts.push(...snapshots.operations(block, system));
    changes.parts.push(...blockProofRows(block.consensusEnd, verification.proofs), ...wrappedTreeRows(chain));
    changes.parts.push(...rootFormRows(block));
    if (last && isRootNamed(last, block)) changes.parts.push(...settleRoot(last, block.previousHash));
    const { name, version, consensusEnd, transactions } = block;
    const { rootForms = null } = block;
    last = { index: number, hash: block.hash.toString('hex'), version, consensusEnd, rootForms };
    const facts = { name, number, consensusEnd, transactions: transactions.length, verification };
    return {
      block: facts,
      changes: encodeInsertedRows(changes, collector),
      sizeBytes: block.sizeBytes,
      unpackedBytes,
      problems,
      cutover,
    };
  }
}

function wrappedTreeRows(chain: WrappedChain): TableChanges[] {
  const trees = chain.takeReached();
  const rows = trees.map(({ leafCount, hashes }) => ({ leaf_count: leafCount, hashes }));
  return rows.length > 0 ? [{ wrapped_block_tree: rows }] : [];
}

/** Record files name hashes of other kinds. */
function isRootNamed(last: LastBlock, { version }: StreamBlock): boolean {
  return version === blockStreamVersion && last.version === blockStreamVersion;
}

/** Bytes, without compression: while a larger block is written, the next one is not read yet. */
const maxWrittenAside = 32 * 1024 * 1024;

/** Behind the head of a stream that is followed, a block is waited for so long before those at hand are written. */
const idleMs = 20;
/** Blocks of the last so many milliseconds are those that readers wait for. */
const recentMs = 10_000;

function isRecent(consensusEnd: bigint): boolean {
  return Date.now() - Number(consensusEnd / 1_000_000n) < recentMs;
}

type ImportedUnit = PreparedBlock & {
  block: ImportProgress['block'];
  problems: ItemProblem[];
  /** Without compression. */
  unpackedBytes: number;
  cutover: Parameters<NonNullable<ImportStreamOptions['onCutover']>>[0] | null;
};
function report(
  { onProblem, onProgress, onCutover }: ImportStreamOptions,
  meter: ReturnType<typeof createProgressMeter>,
  { block, problems, cutover }: ImportedUnit,
  leftOut: string[],
): void {
  if (cutover) onCutover?.(cutover);
  const ofFile = [...block.verification.problems, ...leftOut];
  for (const problem of ofFile) onProblem?.({ file: block.name, problem });
  for (const problem of problems) onProblem?.(problem);
  const defects = problems.filter(({ defect }) => defect !== undefined).length;
  meter.count(block, { problems: ofFile.length + problems.length, defects });
  onProgress?.(meter.progress(block));
}
