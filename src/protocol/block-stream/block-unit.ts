// Transactions that share state changes: a client's transaction with its children, or a batch with its inner transactions.
// State changes are joined by consensus timestamp, never by position in the block, which the root does not cover.
import { findWireBytes } from '../wire-fields.ts';
import type { BlockMessages } from './block-messages.generated.ts';
import type { PairedTransaction, StampedStateChanges } from './block-sequence.ts';

export type UnitTransaction = PairedTransaction & {
  /** Those of its own consensus timestamp, in block order. */
  stateChanges: BlockMessages['StateChanges'][];
};

export type BlockUnit = {
  /** In block order. */
  transactions: UnitTransaction[];
  /** In block order. */
  stateChanges: BlockMessages['StateChanges'][];
};

/** In block order. Changes at no transaction's time are not joined: those before the first one are the ledger's opening state. */
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
  let names = createNames();
  for (const transaction of joined) {
    const unit = units.at(-1);
    // A child that came before its cause, such as an account that a transfer creates, names no parent and has no changes.
    if (unit && (names.isCause(transaction) || unit.stateChanges.length === 0)) {
      unit.transactions.push(transaction);
      for (const changes of transaction.stateChanges) unit.stateChanges.push(changes);
    } else {
      units.push({ transactions: [transaction], stateChanges: [...transaction.stateChanges] });
      names = createNames();
    }
    names.add(transaction);
  }
  return units;
}

/** The ways in which a transaction names its cause in the unit: a parent's time, or the id of what was scheduled. */
function createNames() {
  const timestamps = new Set<bigint>();
  const scheduled = new Set<string>();
  return {
    add({ result, outputs }: UnitTransaction): void {
      timestamps.add(result.consensusTimestamp);
      for (const { createSchedule, signSchedule } of outputs) {
        const id = (createSchedule ?? signSchedule)?.scheduledTransactionId;
        if (id?.length) scheduled.add(id.toString('latin1'));
      }
    },
    isCause({ result: { parentTimestamp }, transaction: { bodyBytes } }: UnitTransaction): boolean {
      if (parentTimestamp !== null && timestamps.has(parentTimestamp)) return true;
      if (scheduled.size === 0) return false;
      const id = findWireBytes(bodyBytes, transactionIdField);
      return id !== null && scheduled.has(id.toString('latin1'));
    },
  };
}

/** Field of TransactionBody. */
const transactionIdField = 1;
