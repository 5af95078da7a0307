// Everything that one block changes, as the importer passes it to `writeBlock`: one database transaction writes all of
// it or none.
import type { SystemRealm } from '../../protocol/hapi/system-entity.ts';
import type { Row, TableName } from '../../schema/tables.ts';
import type { DayCounts } from './day-counts.ts';

/**
 * Rows per table. For `versioned` tables the rows of one key are in order of time: closed versions first
 * (timestamp_range.to set), at most one open version last (to = null), or instead exactly one adjustment
 * (timestamp_range absent) that changes the stored current row if there is one and creates nothing otherwise. The rows
 * of one key have already inherited from each other, and their `add` members are sums since the part began (or since
 * the `reset`); what is still unset (undefined or null) inherits from the stored row as `merge` says. `upsert` tables:
 * one row a key. A row that would end without a required value is not written (the entity is unknown and this is only a
 * change of it).
 */
export type TableChanges = { [T in TableName]?: Row<T>[] };

/** Changes of many rows that only the database can enumerate. */
export type BulkOperation =
  /**
   * Treasury change of an NFT class: every living NFT of the old treasury moves, with history, and so do both balances.
   */
  | { operation: 'moveNfts'; tokenId: bigint; fromAccountId: bigint; toAccountId: bigint; timestamp: bigint }
  /** Dissociation from a deleted NFT class: all NFTs of the account are marked deleted, with history. */
  | {
      operation: 'deleteNftsOfAccount';
      tokenId: bigint;
      accountId: bigint;
      timestamp: bigint;
    }
  /** All balances after the block, at its consensus end. */
  | {
      operation: 'takeBalanceSnapshot';
      timestamp: bigint;
      treasuryId: bigint;
      /** null = there is none yet. */
      previousTimestamp: bigint | null;
      /** Every balance; otherwise those that changed since the previous snapshot. */
      whole: boolean;
      /** For account_balance_file. */
      name: string;
    }
  /**
   * The next block shows which of two forms the root of this block of a block stream has; by its consensus end.
   * `isNewer`: it cannot have the older one, and need not keep both.
   */
  | { operation: 'settleBlockRoot'; timestamp: bigint; hash: string; isNewer: boolean }
  /**
   * A signature of the network covers all blocks of the block stream before this consensus end that none covered so
   * far, or only one by a key that nothing vouches for.
   */
  | {
      operation: 'coverEarlierBlocks';
      timestamp: bigint;
      cover: Omit<Row<'block_verification'>, 'consensus_end'>;
    }
  /** Adds complete nodes of the tree over the roots of all blocks, of which there are so many. */
  | { operation: 'completeBlockHistory'; timestamp: bigint; blocks: bigint }
  /** The first imported block shows which network it is of. A value that is set already stays. */
  | { operation: 'rememberRealm'; timestamp: bigint; system: SystemRealm }
  /** A staking period ended: the node stakes of this consensus timestamp are stored. */
  | {
      operation: 'updatePendingRewards';
      timestamp: bigint;
      /** Of the account that pays the rewards. */
      rewardAccountId: bigint;
      /** Amounts that the block moved after that and does not store. */
      unstored?: readonly { accountId: bigint; amount: bigint }[];
    };

/** Parts run in order: the rows before an operation are stored when it runs. */
export type BlockChanges = { parts: (TableChanges | BulkOperation)[] };

/** First and last timestamp. */
export type TimeSpan = { from: bigint; to: bigint };

/** Rows of one table as COPY takes them. */
export type EncodedRows = {
  name: TableName;
  count: number;
  /** Consecutive rows; no row is divided. */
  chunks: Buffer[];
  /** Of the column that the table is partitioned by. */
  span: TimeSpan | null;
  /** Of transactions: what they say of their days; absent = it was not counted. */
  days?: DayCounts;
};

/** Rows that are only added, as `encodeInsertedRows` makes them. */
export type EncodedChanges = { encoded: EncodedRows[] };

/** What can be written: the same, with rows encoded or not. */
export type WritableChanges = { parts: (BlockChanges['parts'][number] | EncodedChanges)[] };
