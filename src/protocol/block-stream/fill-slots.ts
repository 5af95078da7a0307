// The items of a block as transactions with their results, in the one order that is accepted.
import { typeNumber } from '../hapi/transaction-types.ts';
import { StreamFileError } from '../stream-file-error.ts';
import { visitWireFields, wireBytes } from '../wire-fields.ts';
import type { BlockMessages } from './block-messages.generated.ts';
import type { SequenceItem } from './block-sequence.ts';
import type { BlockOutput } from './created-contracts.ts';
import type { BlockResult } from './read-result.ts';
import type { StateChanges } from './read-state-changes.ts';
import { openSignedTransaction, type SignedTransaction, submittedBytes } from './signed-transaction.ts';

/** A transaction and its result, each of which may have been redacted. */
export type Slot = {
  /** Among the items of the block. */
  place: number;
  /** For a batch: the transaction is in the batch's body. */
  isInner: boolean;
  transaction: SignedTransaction | 'missing';
  /** null: it has not come. */
  result: BlockResult | 'missing' | null;
  outputs: BlockOutput[];
  traces: BlockMessages['TraceData'][];
  /** Empty until units are formed. */
  stateChanges: StateChanges[];
  /** Inputs that are missing before the transaction. */
  missingInputs: number;
  /** Outputs that are missing before the result. */
  missingOutputs: number;
  /** An output after its result is missing, or the present one may belong to another missing result. */
  lacksOutputs: boolean;
};

type Missing = { inputs: number; outputs: number };

export type FilledSlots = {
  /** In block order. */
  slots: Slot[];
  /** In the whole block. */
  missing: Missing;
  /** A transaction is missing, which may have been a batch. */
  lacksTransaction: boolean;
};

/** A batch whose inner transactions still wait for their results. */
type Batch = { consensusTimestamp: bigint; rest: SignedTransaction[] };

/** State signatures have no result; each other transaction of four networks (3,758) had one. */
const typeWithoutResult = typeNumber.stateSignatureTransaction;

/** Throws StreamFileError if a transaction or a result would be left over. */
export function fillSlots(items: readonly SequenceItem[]): FilledSlots {
  const filled: FilledSlots = { slots: [], missing: { inputs: 0, outputs: 0 }, lacksTransaction: false };
  const { slots, missing } = filled;
  let batch: Batch | null = null;
  for (const item of items) {
    if (item.kind === 'transaction') {
      assertNoneWaits(slots);
      const slot = createSlot(item.place, item.transaction, missing);
      // Its bytes need not be repeated; if they are, they must be equal.
      if (isSame(batch?.rest[0], item.transaction)) {
        batch?.rest.shift();
        slot.isInner = true;
      }
      if (item.transaction.type !== typeWithoutResult) slots.push(slot);
    } else if (item.kind === 'result') {
      const slot: Slot = findWaiting(slots) ?? addInnerSlot(filled, batch, item);
      slot.result = item.result;
      slot.missingOutputs = missing.outputs;
      batch = beginBatch(slot) ?? batch;
    } else if (item.kind === 'missing') addMissing(filled, item);
    else addPart(slots, item);
  }
  assertNoneWaits(slots);
  return filled;
}

function isSame(inner: SignedTransaction | undefined, other: SignedTransaction): boolean {
  return inner?.bodyBytes.equals(other.bodyBytes) === true && submittedBytes(inner).equals(submittedBytes(other));
}

function createSlot(place: number, transaction: Slot['transaction'], missing: Missing): Slot {
  return {
    place,
    isInner: false,
    transaction,
    result: null,
    outputs: [],
    traces: [],
    stateChanges: [],
    missingInputs: missing.inputs,
    missingOutputs: missing.outputs,
    lacksOutputs: false,
  };
}

/** The last one whose result has come, or is missing. */
function findLast(slots: readonly Slot[]): Slot | null {
  return slots.findLast(({ result }) => result !== null) ?? null;
}

function findWaiting(slots: readonly Slot[]): Slot | null {
  const last = slots.at(-1);
  return last?.result === null ? last : null;
}

function assertNoneWaits(slots: readonly Slot[]): void {
  const waiting = findWaiting(slots);
  if (!waiting || waiting.transaction === 'missing') return;
  throw unpaired(waiting.place, 'the result of this transaction behind it', 'none');
}

/** For the next inner transaction of the last batch, or for one that is not shown. After a failed one the others have no result. */
function addInnerSlot(
  { slots, missing, lacksTransaction }: FilledSlots,
  batch: Batch | null,
  { place, result: { parentTimestamp } }: Extract<SequenceItem, { kind: 'result' }>,
): Slot {
  const isOfBatch = batch !== null && parentTimestamp === batch.consensusTimestamp;
  const inner = isOfBatch ? batch.rest.shift() : undefined;
  const isOfMissing = parentTimestamp !== null && lacksTransaction;
  if (!inner && !isOfMissing) throw unpaired(place, 'a transaction before its result', 'a result without one');
  const slot = { ...createSlot(place, inner ?? 'missing', missing), isInner: true };
  slots.push(slot);
  return slot;
}

function beginBatch({ transaction, result }: Slot): Batch | null {
  if (transaction === 'missing' || transaction.type !== typeNumber.atomicBatch) return null;
  if (result === null || result === 'missing') return null;
  return { consensusTimestamp: result.consensusTimestamp, rest: readInnerTransactions(transaction) };
}

/** Fields of TransactionBody and AtomicBatchTransactionBody. */
const atomicBatchField = 74;
const transactionsField = 1;

function readInnerTransactions({ bodyBytes }: SignedTransaction): SignedTransaction[] {
  const inner: SignedTransaction[] = [];
  visitWireFields(bodyBytes, (number, wireType, start, end) => {
    if (number !== atomicBatchField || wireType !== wireBytes) return;
    const batch = bodyBytes.subarray(start, end);
    visitWireFields(batch, (field, type, from, to) => {
      if (field === transactionsField && type === wireBytes)
        inner.push(openSignedTransaction(batch.subarray(from, to)));
    });
  });
  return inner;
}

function addMissing(filled: FilledSlots, { place, subtree }: Extract<SequenceItem, { kind: 'missing' }>): void {
  const { slots, missing } = filled;
  if (subtree === 'inputs') assertNoneWaits(slots);
  const waiting = findWaiting(slots);
  const last = findLast(slots);
  if (last && subtree !== 'inputs') last.lacksOutputs = true;
  if (waiting && subtree !== 'inputs' && (subtree === 'outputs' || waiting.transaction !== 'missing')) {
    waiting.result = 'missing';
  } else if (subtree !== 'outputs') {
    slots.push(createSlot(place, 'missing', missing));
    filled.lacksTransaction = true;
  }
  if (subtree !== 'outputs') missing.inputs += 1;
  if (subtree !== 'inputs') missing.outputs += 1;
}

/** Outputs follow their result in the same subtree; traces are in another one, and their position has to agree. */
function addPart(slots: readonly Slot[], item: Extract<SequenceItem, { kind: 'output' | 'trace' }>): void {
  const slot = findLast(slots);
  if (!slot) throw unpaired(item.place, `a result before the ${item.kind}`, 'none');
  if (item.kind === 'output') return void slot.outputs.push(item.output);
  assertNoneWaits(slots);
  slot.traces.push(item.trace);
}

/** The item at that position does not belong there. */
export function unpaired(place: number, expected: string, found: string): StreamFileError {
  return new StreamFileError('malformed', `block item ${place}`, expected, found);
}
