// Which result, outputs and traces belong to which transaction of a block. The root of a block does not cover the order
// between its subtrees, so whoever delivers the block could move results between transactions, and root and proof would stay
// valid. Therefore only one order is accepted: a result stands behind its transaction and before the next one, and none is
// without, except those that nodes send each other. With the order inside each subtree, which the root covers, this makes
// the pairs unique; what says the same a second time is compared as well.
import { assertFits } from './assert-fits.ts';
import { assertTraces } from './assert-traces.ts';
import type { TraceDataMessage, TransactionOutputMessage } from './block-messages.ts';
import type { BlockResult, SequenceItem } from './block-sequence.ts';
import { fillSlots, type Slot } from './fill-slots.ts';
import type { SignedTransaction } from './signed-transaction.ts';

export type PairedTransaction = {
  transaction: SignedTransaction;
  /** Its bytes stand in the body of a batch, and nowhere else. */
  isInner: boolean;
  result: BlockResult;
  outputs: TransactionOutputMessage[];
  traces: TraceDataMessage[];
};

export type PairedTransactions = {
  /** In block order. */
  transactions: PairedTransaction[];
  /** Transactions that are not shown because a part of the block was taken out. */
  unshown: number;
};

/** Throws StreamFileError when something is left over or does not fit. */
export function pairTransactions(items: readonly SequenceItem[]): PairedTransactions {
  const { slots, missing } = fillSlots(items);
  const [from, to] = uncertainRange(slots, missing);
  const transactions: (PairedTransaction & { place: number })[] = [];
  for (const [index, slot] of slots.entries()) {
    if (index >= from && index < to) continue;
    const { transaction, result } = slot;
    if (transaction === 'missing' || result === 'missing' || result === null) continue;
    const paired = { ...slot, transaction, result };
    assertFits(paired, slot.place);
    transactions.push(paired);
  }
  assertTraces(transactions);
  return { transactions, unshown: slots.length - transactions.length };
}

/**
 * Between the first and the last part that is missing, pairs are certain only where it follows from the counts whether each
 * missing input had a result, and each missing output was one. Elsewhere whoever took the parts out could have moved others.
 */
function uncertainRange(slots: readonly Slot[], missing: { inputs: number[]; outputs: number[] }): [number, number] {
  const places = [...missing.inputs, ...missing.outputs];
  if (places.length === 0) return [0, 0];
  const own = slots.filter(({ isInner }) => !isInner);
  const transactions = own.filter(({ transaction }) => transaction !== 'missing').length;
  const results = own.filter(({ result }) => result !== null && result !== 'missing').length;
  const [inputs, outputs] = [missing.inputs.length, missing.outputs.length];
  // Of the missing inputs `more` have results, if `more - (results - transactions)` missing outputs are results.
  const surplus = results - transactions;
  const possible = Array.from({ length: inputs + 1 }, (_, more) => more).filter(
    (more) => more - surplus >= 0 && more - surplus <= outputs,
  );
  const [only] = possible;
  const isCertain =
    possible.length === 1 && (only === 0 || only === inputs) && (only === surplus || only! - surplus === outputs);
  return isCertain ? [0, 0] : [Math.min(...places), Math.max(...places) + 1];
}
