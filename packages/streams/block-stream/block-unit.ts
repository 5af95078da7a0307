// Transactions that share state changes: a client's transaction with its children, or a batch with its inner
// transactions. State changes are joined by consensus timestamp, never by position in the block, which the root does
// not cover.
import { findWireBytes } from '../../protocol/wire-fields.ts';
import type { PairedTransaction } from './block-sequence.ts';
import type { StateChanges } from './read-state-changes.ts';

export type BlockUnit = {
  /** In block order. */
  transactions: PairedTransaction[];
  /** In block order. */
  stateChanges: StateChanges[];
};

/**
 * In block order; the transactions are given their state changes. Changes at no transaction's time are not joined:
 * those before the first one are the ledger's opening state.
 */
export function toBlockUnits(
  transactions: readonly PairedTransaction[],
  stateChanges: readonly StateChanges[],
): BlockUnit[] {
  const byTimestamp = new Map<bigint, PairedTransaction>();
  for (const transaction of transactions) byTimestamp.set(transaction.result.consensusTimestamp, transaction);
  for (const changes of stateChanges) {
    const transaction = byTimestamp.get(changes.consensusTimestamp);
    if (!transaction) continue;
    // Most have one: a list that grows from nothing has room for sixteen.
    if (transaction.stateChanges.length === 0) transaction.stateChanges = [changes];
    else transaction.stateChanges.push(changes);
  }
  const units: BlockUnit[] = [];
  const names = createNames();
  for (const transaction of transactions) {
    const unit = units.at(-1);
    // A child that came before its cause, such as an account that a transfer creates, names no parent and has no
    // changes.
    if (unit && (unit.stateChanges.length === 0 || names.isCause(unit, transaction))) {
      unit.transactions.push(transaction);
      for (const changes of transaction.stateChanges) unit.stateChanges.push(changes);
    } else {
      units.push({ transactions: [transaction], stateChanges: [...transaction.stateChanges] });
      names.beginUnit();
    }
    names.add(transaction);
  }
  return units;
}

/**
 * The ways in which a transaction names its cause in the unit: a parent's time, or the id of what was scheduled. Hardly
 * any does, so times are listed when one is asked for.
 */
function createNames() {
  let timestamps: Set<bigint> | null = null;
  const scheduled = new Set<string>();
  return {
    beginUnit(): void {
      timestamps = null;
      if (scheduled.size > 0) scheduled.clear();
    },
    add({ result, outputs }: PairedTransaction): void {
      timestamps?.add(result.consensusTimestamp);
      for (const { createSchedule, signSchedule } of outputs) {
        const id = (createSchedule ?? signSchedule)?.scheduledTransactionId;
        if (id?.length) scheduled.add(id.toString('latin1'));
      }
    },
    isCause(unit: BlockUnit, { result: { parentTimestamp }, transaction: { bodyBytes } }: PairedTransaction): boolean {
      if (parentTimestamp !== null) {
        timestamps ??= new Set(unit.transactions.map(({ result }) => result.consensusTimestamp));
        if (timestamps.has(parentTimestamp)) return true;
      }
      if (scheduled.size === 0) return false;
      const id = findWireBytes(bodyBytes, transactionIdField);
      return id !== null && scheduled.has(id.toString('latin1'));
    },
  };
}

/** Field of TransactionBody. */
const transactionIdField = 1;
