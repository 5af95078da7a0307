// What a transaction type contributes: which entity it is about, and the rows that only it makes. What all types share
// (transaction row, transfers, results, signatures …) is done once in `import-item.ts`.
import type { BodyField } from '../../protocol/hapi/transaction-types.ts';
import type { BlockEvm } from '../evm/block-evm.ts';
import type { BlockItem } from './block-item.ts';
import type { BlockRows } from '../rows/block-rows.ts';
import type { EntityLookup } from './entity-lookup.ts';
import type { FileContents } from './file-contents.ts';
import type { StoredHoldings } from './stored-holdings.ts';

export type { BlockItem };

export type HandlerContext = {
  rows: BlockRows;
  lookup: EntityLookup;
  /** Facts about the block that handlers depend on. */
  block: {
    consensusStart: bigint;
    consensusEnd: bigint;
    /** null for record files v1 and v2. `isHapiAtLeast(block, 0, 27, 0)` compares. */
    hapiVersion: { major: number; minor: number; patch: number } | null;
  };
  /** EVM numbering, gas and bloom of the block; `createBlockEvm` makes one a block. */
  evm: BlockEvm;
  /** Files as the items before this one left them; `createFileContents` makes one a block. */
  files: FileContents;
  /** Start timestamp of the newest address book of each file; lives as long as the importer. */
  addressBookStarts: Map<bigint, bigint>;
  /** What the database knew before this block. */
  stored: StoredHoldings;
  /** A bad part of a good item: counted and logged with the item's timestamp; the item is still stored generically. */
  report(item: BlockItem, problem: string): void;
  /**
   * Makes a part of an item's rows. Where the part's data is bad it is reported and left out; any other error is reported as
   * a defect of this program. `otherwise` is the result then.
   */
  guard<Result>(item: BlockItem, make: () => Result, otherwise: Result): Result;
  /** The same, of an error that was caught. */
  leaveOut(item: BlockItem, thrown: unknown): void;
};

export type TransactionHandler = {
  /** Which type it is for; it is only asked about items that have this field. */
  bodyField: BodyField;
  /** The entity that the transaction is about; 0n for none. May look up EVM addresses and aliases. */
  entityId(item: BlockItem, context: HandlerContext): bigint;
  /** Rows of a successful transaction. */
  onSuccess?(item: BlockItem, context: HandlerContext): void;
  /** Rows that are made whatever the status is, after `onSuccess`. */
  always?(item: BlockItem, context: HandlerContext): void;
};
