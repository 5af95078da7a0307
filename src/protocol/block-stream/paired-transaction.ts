// A transaction of a block with all that stands for what became of it.
import type { BlockMessages } from './block-messages.generated.ts';
import type { BlockResult } from './block-sequence.ts';
import type { SignedTransaction } from './signed-transaction.ts';

export type PairedTransaction = {
  transaction: SignedTransaction;
  /** Its bytes stand in the body of a batch, and nowhere else. */
  isInner: boolean;
  result: BlockResult;
  outputs: BlockMessages['TransactionOutput'][];
  traces: BlockMessages['TraceData'][];
};
