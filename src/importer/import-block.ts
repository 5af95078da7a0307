// A checked block → all its changes. Pure but for names and files: a pass over the block that lacked a name is
// discarded, the name is fetched and the pass repeated, so that handlers never wait.

import { setImmediate } from 'node:timers/promises';
import type { Row } from '../../packages/schema/tables.ts';
import type { BlockChanges } from '../../packages/store/write/block-changes.ts';
import type { StreamBlock } from '../../packages/streams/stream/stream-block.ts';
import type { BlockItem } from './block/block-item.ts';
import { toBlockItems } from './block/block-items.ts';
import type { EntityLookup, EntityNames } from './block/entity-lookup.ts';
import { createFileContents, mentionedFiles } from './block/file-contents.ts';
import type { ItemContext } from './block/item-context.ts';
import { createItemProblems, type ItemProblem } from './block/item-problems.ts';
import { createBlockHoldings, type SelectHolding, type StoredHoldings } from './block/stored-holdings.ts';
import { createBlockEvm } from './evm/block-evm.ts';
import { nameLogEmitters } from './evm/name-log-emitters.ts';
import { filterRows } from './extent/filter-rows.ts';
import type { StreamFilter } from './extent/stream-filter.ts';
import { collectInnerTransactions, importItem } from './item/import-item.ts';
import type { TransactionRowOptions } from './item/transaction-row.ts';
import { type BlockRows, createBlockRows } from './rows/block-rows.ts';
import { addOpeningState } from './whole-block/opening-state-rows.ts';
import { packBlockTransfers } from './whole-block/pack-block-transfers.ts';
import { recordFileRow, sidecarFileRows } from './whole-block/record-file-row.ts';

export type ImportedBlock = {
  changes: BlockChanges;
  rows: BlockRows;
  problems: ItemProblem[];
  /** hbar transfers that the filter leaves out. */
  leftOutTransfers: readonly Row<'crypto_transfer'>[];
};

export type BlockImporterOptions = {
  names: EntityNames;
  /** Contents of a file as stored, null when unknown. */
  selectFileContents(fileId: bigint, before: bigint): Promise<Uint8Array | null>;
  selectHolding: SelectHolding;
  /** Start timestamps of the newest stored address books, by file id. */
  addressBookStarts: ReadonlyMap<bigint, bigint>;
  row?: TransactionRowOptions;
  /** Which transactions are stored; default all. */
  filter?: StreamFilter;
  /** Seconds since the epoch. */
  now?: () => bigint;
};

export type BlockImporter = {
  /** @param earlierBlocksStored resolves when all earlier blocks can be read from the database */
  importBlock(
    block: StreamBlock,
    blockNumber: bigint,
    earlierBlocksStored: () => Promise<void>,
  ): Promise<ImportedBlock>;
};

export function createBlockImporter(options: BlockImporterOptions): BlockImporter {
  const { names, selectFileContents, selectHolding, row = {}, filter, now = epochSeconds } = options;
  let addressBookStarts = new Map(options.addressBookStarts);

  async function importBlock(
    block: StreamBlock,
    blockNumber: bigint,
    earlierBlocksStored: () => Promise<void>,
  ): Promise<ImportedBlock> {
    const loadStart = now();
    const storedFiles = new Map<bigint, Uint8Array>();
    for (const fileId of mentionedFiles(block)) {
      await earlierBlocksStored();
      const contents = await selectFileContents(fileId, block.consensusStart);
      if (contents) storedFiles.set(fileId, contents);
    }
    const holdings = createBlockHoldings(selectHolding, block.consensusStart);
    const blockNames = names.forBlock(block.consensusStart);
    for (;;) {
      const lookup = blockNames.beginPass();
      const starts = new Map(addressBookStarts);
      const pass = await runPass(block, { lookup, storedFiles, holdings, addressBookStarts: starts }, row);
      if (blockNames.hasMissing() || holdings.hasMissing()) {
        await earlierBlocksStored();
        await blockNames.fetchMissing();
        await holdings.fetchMissing();
        continue;
      }
      blockNames.keep();
      addressBookStarts = starts;
      const { rows, context, problems, items } = pass;
      rows.insert('record_file', recordFileRow(block, blockNumber, context.evm, { loadStart, loadEnd: now() }));
      for (const sidecar of sidecarFileRows(block)) rows.insert('sidecar_file', sidecar);
      packBlockTransfers(rows);
      nameLogEmitters(rows);
      const changes = rows.changes();
      const filtered = filter ? filterRows(changes, items, filter) : { changes, leftOutTransfers: [] };
      return { ...filtered, rows, problems };
    }
  }

  return { importBlock };
}

// In between, the block before can be written: otherwise PostgreSQL would wait for the pass to end.
const itemsAtATime = 100;

type Pass = { rows: BlockRows; context: ItemContext; problems: ItemProblem[]; items: readonly BlockItem[] };

type PassInput = {
  lookup: EntityLookup;
  storedFiles: ReadonlyMap<bigint, Uint8Array>;
  holdings: StoredHoldings;
  addressBookStarts: Map<bigint, bigint>;
};

async function runPass(
  block: StreamBlock,
  { lookup, storedFiles, holdings, addressBookStarts }: PassInput,
  row: TransactionRowOptions,
): Promise<Pass> {
  const { list: problems, report, guard, leaveOut } = createItemProblems();
  const rows = createBlockRows();
  const context: ItemContext = {
    rows,
    lookup,
    block,
    evm: createBlockEvm(),
    files: createFileContents(storedFiles),
    addressBookStarts,
    stored: holdings,
    report,
    guard,
    leaveOut,
  };
  if (block.openingState) addOpeningState(context, block.openingState, block.consensusStart - 1n);
  const items = toBlockItems(block, context);
  const innerTransactions = collectInnerTransactions(items);
  for (let index = 0; index < items.length; index++) {
    if (index % itemsAtATime === itemsAtATime - 1) await setImmediate();
    const item = items[index]!;
    importItem(item, innerTransactions.get(item.consensusTimestamp) ?? null, context, row);
  }
  return { rows, context, problems, items };
}

function epochSeconds(): bigint {
  return BigInt(Math.floor(Date.now() / 1000));
}
