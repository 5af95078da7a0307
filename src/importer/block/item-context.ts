// What the parts of an import may use while they make rows of a block's items.
import type { Row } from '../../../packages/schema/tables.ts';
import type { BlockRows } from '../rows/block-rows.ts';
import type { BlockItem } from './block-item.ts';
import type { EntityLookup } from './entity-lookup.ts';
import type { FileContents } from './file-contents.ts';
import type { StoredHoldings } from './stored-holdings.ts';

export type ItemContext = {
  rows: BlockRows;
  lookup: EntityLookup;
  /** Facts about the block that rules depend on. */
  block: {
    consensusStart: bigint;
    consensusEnd: bigint;
    /** null for record files v1 and v2. `isHapiAtLeast(block, 0, 27, 0)` compares. */
    hapiVersion: { major: number; minor: number; patch: number } | null;
  };
  evm: BlockEvm;
  /** Files after the items before this one. */
  files: FileContents;
  /** Start timestamp of the newest address book of each file; lives as long as the importer. */
  addressBookStarts: Map<bigint, bigint>;
  /** Stored holdings before this block. */
  stored: StoredHoldings;
  /** A bad part of a good item: counted and logged with the item's timestamp; the item is still stored generically. */
  report(item: BlockItem, problem: string): void;
  /**
   * Makes a part of an item's rows. An error is reported as bad data or as a defect; the result is then `otherwise`.
   */
  guard<Result>(item: BlockItem, make: () => Result, otherwise: Result): Result;
  /** The same for an error that was caught. */
  leaveOut(item: BlockItem, thrown: unknown): void;
};

/** State that EVM transactions of one block share, in item order; nothing else carries over between items. */
export type BlockEvm = {
  /** The next free EVM transaction index. */
  nextIndex: number;
  /** The next free log index; logs are numbered through the whole block. */
  nextLogIndex: number;
  /** Gas of the top-level items with a contract result. */
  gasUsed: bigint;
  /**
   * Bloom of those items and of synthetic logs: 256 bytes, zeros if none has a log; empty while there is no such item.
   */
  logsBloom: Uint8Array;
  /** The bloom of a log. */
  logBloom(address: Uint8Array, topics: readonly Uint8Array[]): Uint8Array;
  /** The results that the logs of later items may belong to. */
  results: Map<BlockItem, ResultRow>;
  /** The last call of the hook contract, which determines the index of the items it caused. */
  lastHookCall: BlockItem | null;
  /** Position of that call among the hook calls of its parent. */
  lastHookPosition: number;
};

/** The bloom grows with the logs of items that the contract caused. */
export type ResultRow = Omit<Row<'contract_result'>, 'bloom'> & { bloom: Uint8Array | null };

/** Whether the block is of that HAPI version or a later one; blocks without a version are older than any. */
export function isHapiAtLeast(block: ItemContext['block'], major: number, minor: number, patch: number): boolean {
  const version = block.hapiVersion;
  if (!version) return false;
  if (version.major !== major) return version.major > major;
  if (version.minor !== minor) return version.minor > minor;
  return version.patch >= patch;
}
