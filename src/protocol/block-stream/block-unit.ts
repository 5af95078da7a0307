// One transaction of a block with everything that stands after it: result, outputs, traces, state changes. A transaction
// without a result is one that nodes send each other; it is no part of the ledger.
import { StreamFileError } from '../stream-file-error.ts';
import { visitWireFields, wireBytes } from '../wire-fields.ts';
import { type BlockStreamItem, itemKinds } from './block-item.ts';
import {
  blockMessages,
  type StateChangesMessage,
  type TraceDataMessage,
  type TransactionResultMessage,
} from './block-messages.ts';

export type BlockUnit = {
  /** Serialized SignedTransaction. */
  signedTransaction: Buffer;
  result: TransactionResultMessage;
  /** Messages in TransactionOutput items. Their kind follows from the transaction: its number moved between versions. */
  outputs: Buffer[];
  traces: TraceDataMessage[];
  /** Those of a transaction's children often stand together after the last of them. */
  stateChanges: StateChangesMessage[];
};

/** In block order. Throws StreamFileError. */
export function readBlockUnits(items: readonly BlockStreamItem[]): BlockUnit[] {
  const units: BlockUnit[] = [];
  let signedTransaction: Buffer | null = null;
  for (const { kind, content } of items) {
    if (kind === itemKinds.signedTransaction) {
      signedTransaction = content;
    } else if (kind === itemKinds.transactionResult) {
      if (!signedTransaction) {
        throw new StreamFileError('malformed', 'block', 'a transaction before its result', 'a result without one');
      }
      const result = blockMessages.transactionResult.decode(content);
      units.push({ signedTransaction, result, outputs: [], traces: [], stateChanges: [] });
      signedTransaction = null;
    } else addPart(units.at(-1), kind, content);
  }
  return units;
}

function addPart(unit: BlockUnit | undefined, kind: number, content: Buffer): void {
  if (!unit) return;
  if (kind === itemKinds.transactionOutput) unit.outputs.push(...outputMessages(content));
  else if (kind === itemKinds.traceData) unit.traces.push(blockMessages.trace.decode(content));
  else if (kind === itemKinds.stateChanges) unit.stateChanges.push(blockMessages.stateChanges.decode(content));
}

function outputMessages(output: Buffer): Buffer[] {
  const messages: Buffer[] = [];
  visitWireFields(output, (_number, wireType, start, end) => {
    if (wireType === wireBytes) messages.push(output.subarray(start, end));
  });
  return messages;
}
