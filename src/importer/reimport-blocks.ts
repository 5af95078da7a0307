// Imports stored blocks again if this version makes other rows of them: rows of single moments are replaced, state (accounts,
// balances …) stays. A block of the source must be the stored one, by its hash, which was proved before.
import type { StreamBlock } from '../protocol/stream/stream-block.ts';
import type { StreamSource } from '../source/stream-source.ts';
import { type StoredBlock, selectBlockByNumber, selectLastBlock } from '../store/read/import-state.ts';
import type { Database } from '../store/wire/database.ts';
import type { BlockChanges, TableChanges } from '../store/write/block-changes.ts';
import type { BlockWriter } from '../store/write/block-writer.ts';
import type { ItemProblem } from './block/item-problems.ts';
import { loadLastBlock, toChainPosition, toPosition } from './last-block.ts';
import { type ImportStateOptions, loadImportState } from './load-import-state.ts';
import { loadWrappedChain } from './open/load-wrapped-chain.ts';
import { createUnitOpener } from './open/open-unit.ts';
import { completeTransactions } from './whole-block/complete-transactions.ts';
import { selectStateBefore } from './whole-block/select-state-before.ts';

export type ReimportOptions = Pick<ImportStateOptions, 'row' | 'filter' | 'system'> & {
  source: StreamSource;
  db: Database;
  writer: BlockWriter;
  /** Number of the first block; all up to the newest stored one are imported again. */
  first: bigint;
  /** Transactions that one commit may have. */
  commitTransactions: number;
  signal: AbortSignal;
  /** After each commit. */
  onProgress?(progress: { block: bigint; last: bigint }): void;
  onProblem?(problem: ItemProblem): void;
};

/** `last`: the newest replaced block; null = none. */
export type ReimportSummary = { blocks: number; last: bigint | null; isComplete: boolean };

/** Throws ReimportError if the source does not have the stored blocks; earlier ones are already replaced. */
export async function reimportBlocks(options: ReimportOptions): Promise<ReimportSummary> {
  const { source, db, writer, first, commitTransactions, signal, onProgress, onProblem } = options;
  const newest = await selectLastBlock(db);
  const stored = await selectBlockByNumber(db, first);
  if (!newest || !stored) {
    throw new ReimportError(`Block ${first} is not stored: there is nothing to import again from there.`);
  }
  const before = await selectBlockByNumber(db, first - 1n);
  const begun = before && (await loadLastBlock(db, before));
  const { importer } = await loadImportState(db, { ...options, addressBook: null });
  const chain = await loadWrappedChain(db, before);
  const opener = createUnitOpener(source, chain, begun && toChainPosition(begun, chain.root() ?? before!.wrappedRoot));
  let position = begun && toPosition(begun);
  let next = first;
  let waiting: { parts: BlockChanges['parts']; transactions: number; from: bigint; to: bigint } | null = null;
  let blocks = 0;

  const commit = async (): Promise<void> => {
    if (!waiting) return;
    const { parts, from, to } = waiting;
    await writer.replaceRows({ parts }, { from, to });
    waiting = null;
    onProgress?.({ block: next - 1n, last: newest.index });
  };

  const units = source.units({ position: () => position, live: false, isEnough: () => true, signal });
  for await (const unit of units) {
    if (signal.aborted) break;
    const { block } = await opener.open(unit, null, () => next);
    const known = await selectBlockByNumber(db, next);
    if (!known || !isSameBlock(block, known)) {
      await commit();
      throw new ReimportError(
        `${block.name} is not block ${next}, which is stored${known ? ` (${known.name}, hash ${known.hash})` : ' nowhere'}. Blocks before it were imported again; name a --source that has this block, and --reimport-from ${next}.`,
      );
    }
    const { block: complete } = await completeTransactions(block, commit, (...asked) =>
      selectStateBefore(db, ...asked),
    );
    const { changes, problems } = await importer.importBlock(complete, next, async () => {});
    for (const problem of problems) onProblem?.(problem);
    waiting ??= { parts: [], transactions: 0, from: known.consensusStart, to: known.consensusEnd };
    for (const part of changes.parts) waiting.parts.push('operation' in part ? part : withStored(part, known));
    waiting.transactions += block.transactions.length;
    waiting.to = known.consensusEnd;
    position = toPosition({ ...known, rootForms: null });
    next += 1n;
    blocks += 1;
    if (waiting.transactions >= commitTransactions) await commit();
    if (next > newest.index) break;
  }
  await commit();
  if (!signal.aborted && next <= newest.index) {
    throw new ReimportError(
      `The source ends before block ${next}; stored are blocks up to ${newest.index}. Blocks before it were imported again; name a --source that has it, and --reimport-from ${next}.`,
    );
  }
  const isComplete = next > newest.index;
  if (isComplete) await writer.noteReimport(before?.consensusEnd ?? -1n);
  return { blocks, last: blocks > 0 ? next - 1n : null, isComplete };
}

class ReimportError extends Error {
  override name = 'ReimportError';
}

function isSameBlock(block: StreamBlock, known: StoredBlock): boolean {
  const roots = block.rootForms ? [block.rootForms.newer, block.rootForms.older] : [block.hash];
  return roots.some((root) => root.toString('hex') === known.hash);
}

/** Columns that do not follow from the stream: when the block was loaded, and which form its root has. */
function withStored(part: TableChanges, { hash, loadStart, loadEnd }: StoredBlock): TableChanges {
  if (!part.record_file) return part;
  const stored = { hash, load_start: loadStart, load_end: loadEnd };
  return { ...part, record_file: part.record_file.map((row) => ({ ...row, ...stored })) };
}
