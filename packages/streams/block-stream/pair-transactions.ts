// Transactions of a block with their results. Their order in the block is only a claim: the root covers the order of
// transactions, and that of results with their outputs, not where results stand among transactions. Counts and contents
// decide; what they leave open is not shown.
import { createDoubtCounts, type Doubt, type DoubtCounts, type DoubtKind } from '../stream/doubt.ts';
import { assignTraces } from './assign-traces.ts';
import type { PairedTransaction, SequenceItem } from './block-sequence.ts';
import { type FilledSlots, fillSlots, type Slot } from './fill-slots.ts';
import type { NamedAt } from './named-by-changes.ts';
import { hasBatch, hasCause, isTransaction, pairByOrder } from './pair-by-order.ts';
import { createPairEvidence, fitsType, mayBelong } from './pair-evidence.ts';
import type { BlockResult } from './read-result.ts';
import type { SignedTransaction } from './signed-transaction.ts';

export type PairedTransactions = {
  /** In block order. */
  transactions: PairedTransaction[];
  /** Whether these are all that the block has results of. */
  isWhole: boolean;
  doubts: Doubt[];
};

type PairedSlot = Slot & { transaction: SignedTransaction; result: BlockResult };

/** @param namedAt what the state changes of a moment are about */
export function pairTransactions(items: readonly SequenceItem[], namedAt: NamedAt): PairedTransactions {
  const filled = fillSlots(items);
  const doubts = createDoubtCounts();
  if (filled.strayOutputs > 0) doubts.add('output', 'outputs before any result', { count: filled.strayOutputs });
  const certain = listCertain(filled, namedAt);
  const pairs = withoutContradictions(certain.filter(isPaired), filled, doubts);
  countUnshown(filled, pairs, doubts);
  const isWhole = pairs.length === filled.slots.length && filled.missing.outputs === 0;
  const results = filled.slots.filter(({ result }) => result !== 'none').length;
  return {
    isWhole: isWhole || (filled.missing.outputs === 0 && pairs.length === results),
    transactions: assignTraces(pairs, filled.traces, { isWhole, doubts }),
    doubts: doubts.list(),
  };
}

function isPaired(slot: Slot): slot is PairedSlot {
  return isTransaction(slot.transaction) && slot.result !== null && typeof slot.result !== 'string';
}

function isLeftOver({ transaction, result }: Slot): boolean {
  return transaction === 'none' || result === 'none';
}

function listCertain(filled: FilledSlots, namedAt: NamedAt): readonly Slot[] {
  const { slots } = filled;
  const isWhole = filled.missing.inputs + filled.missing.outputs === 0;
  if (slots.some(isLeftOver)) return isWhole ? pairByOrder(filled, namedAt) : [];
  if (isWhole) return slots;
  const isCertain = createCertainty(filled);
  const evidence = { namedAt, isSharedSender: () => true };
  // A batch may have made what has a cause, and its results stand without transactions.
  const mayHaveBatch = filled.lacksTransaction || hasBatch(slots);
  const isFitting = (slot: Slot): boolean =>
    isPaired(slot) && !(mayHaveBatch && (slot.isInner || hasCause(slot))) && mayBelong(slot, evidence);
  return slots.filter((slot) => isCertain(slot) && isFitting(slot));
}

/**
 * A contradiction between transaction and result means that others were moved, too, where counts do not decide: between
 * the results of a batch, and between parts that are missing. Elsewhere it costs the outputs that are no such
 * transaction's.
 */
function withoutContradictions(pairs: PairedSlot[], filled: FilledSlots, doubts: DoubtCounts): PairedSlot[] {
  const findContradiction = createPairEvidence(pairs);
  const isBatched = hasBatch(filled.slots);
  const isCounted = (slot: PairedSlot): boolean =>
    isOutside(slot, filled.missing) && !(isBatched && (slot.isInner || hasCause(slot)));
  const contradicted = pairs.filter((pair) => {
    const example = findContradiction(pair);
    if (example === null) return false;
    const kind = isCounted(pair) ? 'output' : 'uncertainResult';
    doubts.add(kind, 'results that contradict their transaction', { place: pair.place, example });
    return true;
  });
  if (contradicted.length === 0) return pairs;
  return pairs
    .filter(isCounted)
    .map((pair) => ({ ...pair, outputs: pair.outputs.filter((one) => fitsType(one, pair.transaction.type)) }));
}

function countUnshown({ slots, missing }: FilledSlots, pairs: readonly PairedSlot[], doubts: DoubtCounts): void {
  const add = (kind: DoubtKind, name: string, of: readonly Slot[], count = of.length): void => {
    if (count > 0) doubts.add(kind, name, { count, place: of[0]?.place ?? null });
  };
  const shown = new Set(pairs.map(({ place }) => place));
  const unshown = slots.filter(({ transaction, place }) => transaction !== 'none' && !shown.has(place));
  if (missing.inputs + missing.outputs > 0) {
    add('redacted', 'transactions that are not shown, since parts of them were taken out', unshown);
    return;
  }
  const taken = new Set<unknown>(pairs.map(({ result }) => result));
  const results = slots.filter(({ transaction, result }) => transaction === 'none' && !taken.has(result));
  add('uncertainResult', 'results that are not shown, since it is uncertain whose they are', results);
  const [unreadable, others] = [unshown.filter(isUnreadable), unshown.filter((slot) => !isUnreadable(slot))];
  add('transaction', 'transactions that are not shown, since their results cannot be read', unreadable);
  const surplus =
    slots.filter(({ transaction }) => transaction !== 'none').length -
    slots.filter(({ result }) => result !== 'none').length;
  const withoutResult = Math.min(Math.max(surplus, 0), others.length);
  const alone = others.filter(({ result }) => result === 'none');
  add('transactionWithoutResult', 'transactions that have no result', alone, withoutResult);
  const name = 'transactions that are not shown, since it is uncertain which result is theirs';
  add('uncertainResult', name, others, others.length - withoutResult);
}

function isUnreadable({ result }: Slot): boolean {
  return result === 'unreadable';
}

/** Before all missing parts, or after them: the order decides. */
function isOutside(slot: Pick<Slot, 'missingInputs' | 'missingOutputs'>, missing: FilledSlots['missing']): boolean {
  const { missingInputs: inputs, missingOutputs: outputs } = slot;
  return (inputs === 0 && outputs === 0) || (inputs === missing.inputs && outputs === missing.outputs);
}

/**
 * If parts are missing, the party that redacted them could have moved others between the first and the last of them. A
 * pair is certain before and after all missing parts; between them only if the counts determine whether each missing
 * input had a result, and each missing output was one.
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
  return (slot) => {
    if (slot.lacksOutputs && !areAllResults) return false;
    return areCounted || isOutside(slot, missing);
  };
}
