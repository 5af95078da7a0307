// Pairs of a block in which a transaction or a result is left over. Nodes write no result for the transactions of an
// event whose creator has left the roster. The root covers the order of transactions and that of results: a result
// belongs to a transaction in that order, or to none of another.

import { typeNumber } from '../../protocol/hapi/transaction-types.ts';
import type { FilledSlots, Slot } from './fill-slots.ts';
import { findOnly } from './find-only.ts';
import type { NamedAt } from './named-by-changes.ts';
import { isCaused, mayBelong, type Pair, readTransactionId, senderOf } from './pair-evidence.ts';
import type { BlockResult } from './read-result.ts';
import type { SignedTransaction } from './signed-transaction.ts';

type SlotOfTransaction = Slot & { transaction: SignedTransaction };
type SlotOfResult = Slot & { result: BlockResult | 'unreadable' };

/**
 * The slots whose transaction and result certainly belong together, in block order: they stand together, and order and
 * contents allow neither another partner.
 */
export function pairByOrder({ slots, signatures }: FilledSlots, namedAt: NamedAt): Slot[] {
  const isBatched = hasBatch(slots);
  // Between the results of a batch a child's transaction could have been moved: what has a cause is left out.
  const own = slots.filter(isOfTransaction).filter((slot) => !isBatched || !(slot.isInner || isMade(slot)));
  const results = slots.filter(isOfResult).filter((slot) => !isBatched || !(slot.isInner || isOfMade(slot)));
  // More results than transactions: those between nodes may have some.
  const transactions =
    results.length <= own.length ? own : [...own, ...signatures.filter(isOfTransaction)].sort(byPlace);
  // As many of both: the order decides.
  const isCounted = transactions.length === results.length && !isBatched;
  const only = isCounted ? transactions : alignByEvidence(transactions, results, namedAt);
  return results.filter((slot, index) => only[index]?.place === slot.place);
}

export function hasBatch(slots: readonly Slot[]): boolean {
  const { atomicBatch } = typeNumber;
  return slots.some(({ transaction }) => isTransaction(transaction) && transaction.type === atomicBatch);
}

function isOfTransaction(slot: Slot): slot is SlotOfTransaction {
  return isTransaction(slot.transaction);
}

const byPlace = (one: Slot, other: Slot): number => one.place - other.place;

export function isTransaction(transaction: Slot['transaction']): transaction is SignedTransaction {
  return typeof transaction !== 'string';
}

function isOfResult(slot: Slot): slot is SlotOfResult {
  const { result } = slot;
  return result === 'unreadable' || (result !== null && typeof result !== 'string');
}

/** Whether another transaction made it: its result names a parent, or its id counts on from one. */
export function hasCause(slot: Slot): boolean {
  return isMade(slot) || isOfMade(slot);
}

function isMade({ transaction }: Slot): boolean {
  const id = isTransaction(transaction) ? readTransactionId(transaction) : null;
  return id !== null && (id.nonce ?? 0) !== 0;
}

function isOfMade({ result }: Slot): boolean {
  return result !== null && typeof result !== 'string' && result.parentTimestamp !== null;
}

/** For each result the only transaction that order and contents leave it. */
function alignByEvidence(
  transactions: readonly SlotOfTransaction[],
  results: readonly SlotOfResult[],
  namedAt: NamedAt,
): (SlotOfTransaction | null)[] {
  const senders = countSenders(transactions);
  const evidence = {
    namedAt,
    isSharedSender: (id: Parameters<typeof senderOf>[0]) => (senders.get(senderOf(id)) ?? 0) > 1,
  };
  return findOnly(transactions, results, ({ transaction, place, isInner }, { result, outputs }) => {
    if (result === 'unreadable') return true;
    const pair: Pair = { place, isInner, transaction, result, outputs };
    return mayBelong(pair, evidence);
  });
}

function countSenders(transactions: readonly SlotOfTransaction[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { transaction } of transactions) {
    const id = readTransactionId(transaction);
    if (!id || isCaused(id)) continue;
    const sender = senderOf(id);
    counts.set(sender, (counts.get(sender) ?? 0) + 1);
  }
  return counts;
}
