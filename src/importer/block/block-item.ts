// A transaction as the importer sees it: among the others of its block.
import type { TransactionItem } from '../../protocol/stream/stream-block.ts';

/** A transaction with what only its surroundings in the block tell. */
export type BlockItem = TransactionItem & {
  /** The resolved parent, null without one. */
  parent: BlockItem | null;
  /** Own status is a success and the parent, if any, was successful too. */
  successful: boolean;
  topLevel: boolean;
  payerAccountId: bigint;
  /** Set by the handler's `entityId` before any row is written; 0n = none. */
  entityId: bigint;
  /** Position among the block's EVM transactions, null for others; `assignEvmIndex` sets it once `entityId` is known. */
  evmIndex: number | null;
};
