// Imports stored blocks again if this version makes other rows of them: rows of single moments are replaced, state
// (accounts, balances …) stays. A block of the source must be the stored one, by its hash, which was proved before.
// What a row needs of the state is read as of its block; a block for which the database cannot tell it is refused, and
// stays as it is.

import type { Database } from '../../packages/postgres/wire/database.ts';
import type { StreamPosition, StreamSource } from '../../packages/sources/stream-source.ts';
import { type StoredBlock, selectBlockByNumber, selectLastBlock } from '../../packages/store/read/import-state.ts';
import type { BlockChanges, TableChanges } from '../../packages/store/write/block-changes.ts';
import type { BlockWriter } from '../../packages/store/write/block-writer.ts';
import type { StreamBlock } from '../../packages/streams/stream/stream-block.ts';
import type { ItemProblem } from './block/item-problems.ts';
import { createImportEnd, type StreamPoint } from './extent/stream-point.ts';
import type { PlacedDoubt } from './import-stream.ts';
import { blockStreamVersion, type LastBlock, loadLastBlock, toChainPosition, toPosition } from './last-block.ts';
import { type ImportStateOptions, loadImportState } from './load-import-state.ts';
import { afterLastBlock } from './open/after-last-block.ts';
import { loadWrappedChain } from './open/load-wrapped-chain.ts';
import { createUnitOpener } from './open/open-unit.ts';
import { ReimportError } from './reimport-error.ts';
import { createPastState, refuseUnknownPast } from './reimport-past.ts';
import { dropRepeatedRows } from './rows/unique-rows.ts';
import { completeTransactions } from './whole-block/complete-transactions.ts';
import { doubtRows, listDoubts } from './whole-block/doubt-rows.ts';

export type ReimportOptions = Pick<ImportStateOptions, 'row' | 'filter' | 'system'> & {
  source: StreamSource;
  db: Database;
  writer: BlockWriter;
  /** Number of the first block; all up to the newest stored one, or up to `until`, are imported again. */
  first: bigint;
  until?: StreamPoint;
  /** Transactions that one commit may have. */
  commitTransactions: number;
  signal: AbortSignal;
  /** After each commit. */
  onProgress?(progress: { block: bigint; last: bigint }): void;
  onDoubt?(doubt: PlacedDoubt): void;
  onDefect?(problem: ItemProblem): void;
};

/** `last`: the newest replaced block; null = none. `isComplete`: it is the last one of those that were asked for. */
export type ReimportSummary = { blocks: number; last: bigint | null; isComplete: boolean };

/**
 * Throws ReimportError if the source does not have the stored blocks, or the database not the past that a block needs;
 * earlier ones are already replaced.
 */
export async function reimportBlocks(options: ReimportOptions): Promise<ReimportSummary> {
  const { writer, signal } = options;
  // Days of replaced rows are counted again.
  const countDays = async (): Promise<void> => {
    while (!signal.aborted && (await writer.advanceScans()));
  };
  try {
    const summary = await replaceBlocks(options);
    await countDays();
    return summary;
  } catch (error) {
    if (error instanceof ReimportError) await countDays();
    throw error;
  }
}

async function replaceBlocks(options: ReimportOptions): Promise<ReimportSummary> {
  const { source, db, first, signal, onDoubt, onDefect } = options;
  const newest = await selectLastBlock(db);
  const stored = await selectBlockByNumber(db, first);
  if (!newest || !stored) {
    throw new ReimportError(`Block ${first} is not stored: there is nothing to import again from there.`);
  }
  await refuseUnknownPast(db, stored);
  const before = await selectBlockByNumber(db, first - 1n);
  const begun = before && (await loadLastBlock(db, before));
  const { importer } = await loadImportState(db, { ...options, addressBook: null });
  const pastState = await createPastState(db, { first: stored, filter: options.filter ?? null });
  const chain = await loadWrappedChain(db, before);
  const opener = createUnitOpener(source, chain, begun && toChainPosition(begun, chain.root() ?? before!.wrappedRoot));
  const end = createReimportEnd(newest, options.until);
  const replaced = createReplacedBlocks(options, { after: before?.consensusEnd ?? -1n, last: newest.index });
  let position = begun ? toPosition(begun) : positionOfOldest(stored);
  let lastEnd = before?.consensusEnd ?? null;
  let next = first;
  let blocks = 0;
  let isComplete = end.isBefore(stored);

  const units = source.units({ position: () => position, live: false, isEnough: () => true, signal });
  if (!isComplete) {
    for await (const unit of units) {
      if (signal.aborted) break;
      const { block: opened, verification } = await opener.open(unit, null, () => next);
      const { block, doubts } = afterLastBlock(opened, lastEnd);
      const known = await selectBlockByNumber(db, next);
      if (!known || !isSameBlock(block, known)) {
        await replaced.commit();
        throw new ReimportError(
          `${block.name} is not block ${next}, which is stored${known ? ` (${known.name}, hash ${known.hash})` : ' nowhere'}. Blocks before it were imported again; name a --source that has this block, and --reimport-from ${next}.`,
        );
      }
      const { block: complete, doubts: unknown } = await completeTransactions(block, replaced.commit, (questions, at) =>
        pastState(known, questions, at),
      );
      const { changes, problems } = await importer.importBlock(complete, next, async () => {});
      for (const problem of problems) if (problem.defect) onDefect?.(problem);
      const all = listDoubts({ problems: [], doubts: [...verification.doubts, ...doubts, ...unknown] }, problems);
      for (const doubt of all) onDoubt?.({ ...doubt, file: block.name, block: next });
      changes.parts.push(...doubtRows(complete.consensusEnd, all));
      await replaced.add(known, changes, {
        transactions: block.transactions.length,
        isOldest: !before && next === first,
      });
      position = toPosition({ ...known, rootForms: null });
      lastEnd = known.consensusEnd;
      next += 1n;
      blocks += 1;
      isComplete = end.isReached(known);
      if (isComplete) break;
    }
  }
  await replaced.commit();
  if (!signal.aborted && !isComplete) {
    throw new ReimportError(
      `The source ends before block ${next}; stored are blocks up to ${newest.index}. Blocks before it were imported again; name a --source that has it, and --reimport-from ${next}.`,
    );
  }
  return { blocks, last: blocks > 0 ? next - 1n : null, isComplete };
}

type ReimportEnd = { isBefore(first: StoredBlock): boolean; isReached(last: StoredBlock): boolean };

function createReimportEnd(newest: StoredBlock, until: StreamPoint | undefined): ReimportEnd {
  const asked = until && createImportEnd(until);
  return {
    isBefore: ({ index: number, consensusStart }) => asked?.isBefore({ number, consensusStart }) ?? false,
    isReached: (last) => last.index >= newest.index || (asked?.isReached(last) ?? false),
  };
}

/** null: the source begins with it. Else earlier blocks were dropped, or never stored. */
function positionOfOldest({ index, version, consensusStart }: StoredBlock): StreamPosition | null {
  if (index === 0n) return null;
  return { timestamp: consensusStart - 1n, nextBlock: index, onlyBlocks: version === blockStreamVersion };
}

type ReplacedBlocks = {
  add(known: StoredBlock, changes: BlockChanges, block: { transactions: number; isOldest: boolean }): Promise<void>;
  commit(): Promise<void>;
};

/** Blocks that are written together. `after`: where the block before the first one ends. */
function createReplacedBlocks(
  { writer, commitTransactions, onProgress }: ReimportOptions,
  { after: begun, last }: { after: bigint; last: bigint },
): ReplacedBlocks {
  let after = begun;
  let waiting: { parts: BlockChanges['parts']; transactions: number; first: StoredBlock; last: StoredBlock } | null =
    null;

  const commit = async (): Promise<void> => {
    if (!waiting) return;
    const { parts, first, last: newest } = waiting;
    const span = { after, from: first.consensusStart, to: newest.consensusEnd };
    try {
      await writer.replaceRows({ parts }, span);
    } catch (error) {
      if ((error as { code?: string }).code !== uniqueViolation) throw error;
      await writer.replaceRows(dropRepeatedRows({ parts }).changes as BlockChanges, span);
    }
    waiting = null;
    after = span.to;
    onProgress?.({ block: newest.index, last });
  };

  return {
    commit,
    async add(known, { parts }, { transactions, isOldest }) {
      waiting ??= { parts: [], transactions: 0, first: known, last: known };
      for (const part of parts) waiting.parts.push('operation' in part ? part : withStored(part, known, isOldest));
      waiting.transactions += transactions;
      waiting.last = known;
      if (waiting.transactions >= commitTransactions) await commit();
    },
  };
}

/** The ledger repeats a key: the import kept the last one of each. */
const uniqueViolation = '23505';

function isSameBlock(block: StreamBlock, known: Pick<LastBlock, 'hash'>): boolean {
  const roots = block.rootForms ? [block.rootForms.newer, block.rootForms.older] : [block.hash];
  return roots.some((root) => root.toString('hex') === known.hash);
}

/**
 * Columns that do not follow from the block: when it was loaded, which form its root has, and what only the blocks
 * before it say, if not all of them are stored.
 */
function withStored(part: TableChanges, known: StoredBlock, isOldest: boolean): TableChanges {
  if (!part.record_file) return part;
  const stored = { hash: known.hash, load_start: known.loadStart, load_end: known.loadEnd };
  return {
    ...part,
    record_file: part.record_file.map((row) => ({
      ...row,
      ...stored,
      ...(isOldest ? { prev_hash: known.previousHash } : {}),
      previous_wrapped_record_block_hash: row.previous_wrapped_record_block_hash ?? known.previousWrappedRoot,
      wrapped_record_block_hash: row.wrapped_record_block_hash ?? known.wrappedRoot,
    })),
  };
}
