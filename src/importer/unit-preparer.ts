// Units of the stream, one after the other → checked blocks, and these → their changes, ready to be written: rows, with
// those of the whole block. In between the network's signature of a block is waited for. Everything it knows it read
// from the database.

import type { Database } from '../../packages/postgres/wire/database.ts';
import type { StoredTrust } from '../../packages/proof/trust.ts';
import type {
  StreamFileGroup,
  StreamPosition,
  StreamSource,
  StreamUnit,
} from '../../packages/sources/stream-source.ts';
import { selectLastBlock } from '../../packages/store/read/import-state.ts';
import { selectSnapshotState } from '../../packages/store/read/select-snapshot-state.ts';
import {
  selectFirstUnprovedBlock,
  selectFirstUnverifiedBlock,
} from '../../packages/store/read/select-unverified-proofs.ts';
import type { TableChanges } from '../../packages/store/write/block-changes.ts';
import type { BlockWriter } from '../../packages/store/write/block-writer.ts';
import { createRowCollector, encodeInsertedRows } from '../../packages/store/write/encoded-rows.ts';
import type { StreamBlock } from '../../packages/streams/stream/stream-block.ts';
import type { ItemProblem } from './block/item-problems.ts';
import type { PreparedBlock } from './commit-queue.ts';
import { findStart } from './extent/find-start.ts';
import { createImportEnd, type StartPoint, type StreamPoint } from './extent/stream-point.ts';
import type { ImportProgress, ProgressMeter } from './import-progress.ts';
import {
  blockStreamVersion,
  type LastBlock,
  loadLastBlock,
  nextBlockNumber,
  toChainPosition,
  toPosition,
} from './last-block.ts';
import { type ImportStateOptions, loadImportState, NoAddressBookError } from './load-import-state.ts';
import { afterLastBlock } from './open/after-last-block.ts';
import { loadWrappedChain } from './open/load-wrapped-chain.ts';
import { createUnitOpener, type OpenedUnit } from './open/open-unit.ts';
import type { WrappedChain } from './open/wrapped-chain.ts';
import type { CoveredBlock } from './proving/cover-blocks.ts';
import type { LedgerChange } from './proving/ledger-change.ts';
import { createBalanceSnapshots, pendingRewardOperations } from './whole-block/balance-snapshot.ts';
import { createVerificationRows } from './whole-block/block-verification-rows.ts';
import { completeTransactions } from './whole-block/complete-transactions.ts';
import { doubtRows, listDoubts } from './whole-block/doubt-rows.ts';
import {
  blockHistory,
  blockPathRows,
  blockProofRows,
  keptFileRows,
  rootFormRows,
  settleRoot,
} from './whole-block/record-file-row.ts';
import { selectStateBefore } from './whole-block/select-state-before.ts';

export type ImportedUnit = PreparedBlock & {
  block: ImportProgress['block'];
  /** What defects of this program left out. */
  defects: ItemProblem[];
  /** Uncompressed. */
  unpackedBytes: number;
  /** Record files ended and a block stream continues, from this block. */
  cutover: { block: bigint; isRootChecked: boolean } | null;
};

/** A block whose content and place in the chain were checked, and nothing of it is stored. */
export type OpenedBlock = OpenedUnit & {
  number: bigint;
  /** To be added to stored numbers before it is stored. */
  shift: bigint;
  /** The block before it. */
  previous: LastBlock | null;
  /** It lies after the end of the import, and is not imported. */
  isBeyond: boolean;
};

export type UnitPreparerOptions = ImportStateOptions & {
  source: StreamSource;
  /** Reads what earlier blocks stored. */
  db: Database;
  writer: BlockWriter;
  /** Number of the first block of an empty database whose file carries none (record files before v6); default 0. */
  startBlockNumber?: bigint;
  /** Where to begin while the database is empty; default: the first unit. */
  start?: StartPoint;
  /** Where the import ends although more follows. */
  until?: StreamPoint;
  /** Files of the stream are stored with the block, for proofs. */
  keepsFiles?: boolean;
  /** The ledger as it is stored. */
  trust: StoredTrust | null;
};

export type UnitPreparer = {
  /** Where the source has to continue; null = with its first unit. */
  position(): StreamPosition | null;
  /** The last opened block is the end, or lies after it. */
  isAtEnd(): boolean;
  isEnough(group: StreamFileGroup): boolean;
  /** These record files come next. */
  expect(groups: readonly StreamFileGroup[]): void;
  /** Throws StreamCheckError if it is not the block that is due, or its nodes have not signed it. */
  open(unit: StreamUnit): Promise<OpenedBlock>;
  /**
   * In the order in which they were opened.
   * @param earlierBlocksStored resolves when all earlier blocks can be read from the database
   */
  prepare(covered: CoveredBlock<OpenedBlock>, earlierBlocksStored: () => Promise<void>): Promise<ImportedUnit>;
};

export async function loadUnitPreparer(options: UnitPreparerOptions, meter: ProgressMeter): Promise<UnitPreparer> {
  const { source, db, writer, start, until, startBlockNumber = 0n, keepsFiles = false } = options;
  const state = await loadImportState(db, options);
  const snapshots = createBalanceSnapshots(await selectSnapshotState(db));
  const stored = await selectLastBlock(db);
  const begun = stored && (await loadLastBlock(db, stored));
  let last: LastBlock | null = begun;
  const end = until ? createImportEnd(until) : null;
  const isAtEnd = () => last !== null && end?.isReached(last) === true;
  const begin = last === null && start ? await findStart(source, start) : null;
  const chain = await loadWrappedChain(db, stored);
  const position = begun && toChainPosition(begun, chain.root() ?? stored!.wrappedRoot);
  const opener = createUnitOpener(source, chain, position, { keepsFiles });
  const collector = createRowCollector();
  const verificationRows = createVerificationRows({
    hasUncovered: (await selectFirstUnverifiedBlock(db)) !== null,
    hasUnproved: (await selectFirstUnprovedBlock(db)) !== null,
    trust: options.trust,
  });

  async function openUnit(unit: StreamUnit): Promise<OpenedUnit> {
    const signers = state.signers();
    if (!signers && unit.kind === 'record') throw new NoAddressBookError(`The record file of ${unit.group.instant}`);
    const numberOf = (opened: StreamBlock) => nextBlockNumber(opened, last, startBlockNumber).number;
    const opened = await opener.open(unit, signers, numberOf);
    const { version, name, blockNumber } = opened.block;
    if (signers || version === blockStreamVersion) return opened;
    throw new NoAddressBookError(`The record file ${name} in block ${blockNumber}`);
  }

  async function change(block: StreamBlock, number: bigint, earlierBlocksStored: () => Promise<void>) {
    const learnt = state.realm.learn(block);
    const imported = await state.importer.importBlock(block, number, earlierBlocksStored);
    const { changes, rows, problems, leftOutTransfers } = imported;
    state.follow(rows);
    const system = state.realm.current();
    changes.parts.unshift(...learnt, ...state.takeOpening());
    changes.parts.push(...pendingRewardOperations(rows, system, leftOutTransfers));
    changes.parts.push(...snapshots.operations(block, system));
    return { changes, problems };
  }

  return {
    position: () => (last ? toPosition(last) : begin),
    isAtEnd,
    isEnough: (group) => state.signers()?.isEnough(group) ?? true,
    expect: (groups) => opener.prepare(groups, state.signers()),
    async open(unit) {
      meter.begin('open');
      const opened = await openUnit(unit);
      const { block, doubts } = afterLastBlock(opened.block, last?.consensusEnd ?? null);
      opened.verification.doubts.push(...doubts);
      const { number, shift } = nextBlockNumber(block, last, startBlockNumber);
      const { version, consensusStart, consensusEnd, rootForms = null } = block;
      const isBeyond = end?.isBefore({ number, consensusStart }) === true || isAtEnd();
      const previous = last;
      last = { index: number, hash: block.hash.toString('hex'), version, consensusEnd, rootForms };
      return { ...opened, block, number, shift, previous, isBeyond };
    },
    // The decoded transactions are the largest part of a large block: nothing that outlives this call holds them.
    async prepare({ opened, change: ofLedger }, earlierBlocksStored) {
      const { verification, unpackedBytes, number, shift, previous, kept } = opened;
      const { block, doubts: unknown } = await completeTransactions(opened.block, earlierBlocksStored, (...asked) =>
        selectStateBefore(db, ...asked),
      );
      verification.doubts.push(...unknown);
      const { name, version, consensusEnd, sizeBytes } = block;
      const isCutover = previous !== null && previous.version !== blockStreamVersion && version === blockStreamVersion;
      const cutover = isCutover ? { block: number, isRootChecked: verification.checks.includes('previousHash') } : null;
      if (shift !== 0n) {
        await earlierBlocksStored();
        await writer.shiftBlockNumbers(shift);
      }
      meter.begin('rows');
      const { changes, problems } = await change(block, number, earlierBlocksStored);
      changes.parts.push(...blockProofRows(consensusEnd, verification.proofs), ...wrappedTreeRows(chain));
      changes.parts.push(...rootFormRows(block), ...blockPathRows(block), ...keptFileRows(consensusEnd, kept));
      changes.parts.push(...verificationRows(block, number, verification.cover ?? null, ofLedger ?? noChange));
      if (previous && isRootNamed(previous, block)) changes.parts.push(...settleRoot(previous, block.previousHash));
      const doubts = listDoubts(verification, problems);
      changes.parts.push(...blockHistory(block, number), ...doubtRows(consensusEnd, doubts));
      return {
        block: {
          name,
          number,
          consensusEnd,
          transactions: block.transactions.length,
          verification,
          doubts,
          ...unreadOf(ofLedger),
        },
        changes: encodeInsertedRows(changes, collector),
        sizeBytes,
        unpackedBytes,
        defects: problems.filter(({ defect }) => defect !== undefined),
        cutover,
      };
    },
  };
}

const noChange: LedgerChange = { trust: null };

function unreadOf(change: LedgerChange | null): Pick<ImportProgress['block'], 'unread'> {
  return change?.unread === undefined ? {} : { unread: change.unread };
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
