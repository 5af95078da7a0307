// A transaction in the context of its block.
import type { TransactionItem } from '../../../packages/streams/stream/stream-block.ts';

/** A transaction with the facts that follow from its position in the block. */
export type BlockItem = TransactionItem & {
  /** The resolved parent, null without one. */
  parent: BlockItem | null;
  /** Its status is a success, and so is that of its parent, if any. */
  successful: boolean;
  topLevel: boolean;
  payerAccountId: bigint;
  /** Set by the handler's `entityId` before any row is written; 0n = none. */
  entityId: bigint;
  /**
   * Position among the block's EVM transactions, null for others; `assignEvmIndex` sets it once `entityId` is known.
   */
  evmIndex: number | null;
};
