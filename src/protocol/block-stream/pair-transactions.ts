// Which result, outputs and traces belong to which transaction of a block. The root does not cover the order between
// subtrees: results could be moved between transactions, with root and proof still valid. Therefore only one order is
// accepted: a result follows its transaction and precedes the next one, and only messages between nodes have none. With the
// order within each subtree, which the root covers, the pairs are unique; duplicate facts are compared as well.
import { assertFit } from './assert-fit.ts';
import { assertTraces } from './assert-traces.ts';
import type { PairedTransaction, SequenceItem } from './block-sequence.ts';
import { type FilledSlots, fillSlots, type Slot } from './fill-slots.ts';

export type PairedTransactions = {
  /** In block order. */
  transactions: PairedTransaction[];
  /** Transactions that are not shown because a part of the block was redacted. */
  unshown: number;
};

/** Throws StreamFileError if something is left over or does not fit. */
export function pairTransactions(items: readonly SequenceItem[]): PairedTransactions {
  const filled = fillSlots(items);
  const isCertain = createCertainty(filled);
  const transactions = filled.slots.filter(isPaired).filter(isCertain);
  assertFit(transactions);
  assertTraces(transactions);
  return { transactions, unshown: filled.slots.length - transactions.length };
}

function isPaired(slot: Slot): slot is Slot & PairedTransaction {
  const { transaction, result } = slot;
  return transaction !== 'missing' && result !== 'missing' && result !== null;
}

/**
 * If parts are missing, the party that redacted them could have moved others between the first and the last of them. A pair
 * is certain before and after all missing parts; between them only if the counts determine whether each missing input had a
 * result, and each missing output was one.
 */
function createCertainty({ slots, missing }: FilledSlots): (slot: Slot) => boolean {
  const own = slots.filter(({ isInner }) => !isInner);
  const transactions = own.filter(({ transaction }) => transaction !== 'missing').length;
  const results = own.filter(({ result }) => result !== null && result !== 'missing').length;
  const surplus = results - transactions;
  // If this many missing inputs have results, `count - surplus` missing outputs are results.
  const possible = Array.from({ length: missing.inputs + 1 }, (_, count) => count).filter(
    (count) => count >= surplus && count - surplus <= missing.outputs,
  );
  const [only] = possible;
  const isAllOrNone = (count: number, of: number): boolean => count === 0 || count === of;
  const areCounted =
    possible.length === 1 && isAllOrNone(only!, missing.inputs) && isAllOrNone(only! - surplus, missing.outputs);
  const areAllResults = areCounted && only! - surplus === missing.outputs;
  return ({ missingInputs: inputs, missingOutputs: outputs, lacksOutputs }) => {
    if (lacksOutputs && !areAllResults) return false;
    const isBefore = inputs === 0 && outputs === 0;
    return areCounted || isBefore || (inputs === missing.inputs && outputs === missing.outputs);
  };
}
