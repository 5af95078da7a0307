// Transactions whose state changes are told together: what a client sent with all that it caused, or a batch with its inner
// transactions. State changes are joined by their consensus timestamp, never by their place in the block, which the root
// does not cover.
import type { StateChangesMessage } from './block-messages.ts';
import type { StampedStateChanges } from './block-sequence.ts';
import type { PairedTransaction } from './pair-transactions.ts';

export type UnitTransaction = PairedTransaction & {
  /** Those of its own consensus timestamp, in block order. */
  stateChanges: StateChangesMessage[];
};

export type BlockUnit = {
  /** In block order. */
  transactions: UnitTransaction[];
  /** In block order. */
  stateChanges: StateChangesMessage[];
};

/** In block order. Changes of no transaction's time are not joined: those before the first one open the ledger. */
export function toBlockUnits(
  transactions: readonly PairedTransaction[],
  stateChanges: readonly StampedStateChanges[],
): BlockUnit[] {
  const joined = transactions.map((paired): UnitTransaction => ({ ...paired, stateChanges: [] }));
  const byTimestamp = new Map(joined.map((transaction) => [transaction.result.consensusTimestamp, transaction]));
  for (const { consensusTimestamp, message } of stateChanges) {
    byTimestamp.get(consensusTimestamp)?.stateChanges.push(message);
  }
  const units: BlockUnit[] = [];
  let timestamps = new Set<bigint>();
  for (const transaction of joined) {
    const { consensusTimestamp, parentTimestamp } = transaction.result;
    const unit = units.at(-1);
    // One that came before its cause, as an account that a transfer creates, names no parent and has no changes.
    const isOfUnit =
      unit && ((parentTimestamp !== null && timestamps.has(parentTimestamp)) || unit.stateChanges.length === 0);
    if (isOfUnit) {
      unit.transactions.push(transaction);
      unit.stateChanges.push(...transaction.stateChanges);
    } else {
      units.push({ transactions: [transaction], stateChanges: [...transaction.stateChanges] });
      timestamps = new Set();
    }
    timestamps.add(consensusTimestamp);
  }
  return units;
}
