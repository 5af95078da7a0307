// The items of a block as transactions with their results, as they stand in the block. What is left over is kept, too:
// the root does not cover where results stand among transactions.
import { typeNumber } from '../../protocol/hapi/transaction-types.ts';
import { StreamFileError } from '../../protocol/stream-file-error.ts';
import { visitWireFields, wireBytes } from '../../protocol/wire-fields.ts';
import type { BlockMessages } from './block-messages.generated.ts';
import type { SequenceItem } from './block-sequence.ts';
import type { BlockOutput } from './created-contracts.ts';
import type { BlockResult } from './read-result.ts';
import { openSignedTransaction, type SignedTransaction, submittedBytes } from './signed-transaction.ts';

/** A transaction and its result, as they stand in the block: each may have been redacted, or be left over. */
export type Slot = {
  /** Among the items of the block. */
  place: number;
  /** For a batch: the transaction is in the batch's body. */
  isInner: boolean;
  /** none: a result stands where no transaction waits for one. */
  transaction: SignedTransaction | 'missing' | 'none';
  /** none: another transaction follows, or the end. null: it has not come. */
  result: BlockResult | 'unreadable' | 'missing' | 'none' | null;
  outputs: BlockOutput[];
  /** Inputs that are missing before the transaction. */
  missingInputs: number;
  /** Outputs that are missing before the result. */
  missingOutputs: number;
  /** An output after its result is missing, or the present one may belong to another missing result. */
  lacksOutputs: boolean;
};

export type PlacedTrace = {
  place: number;
  trace: BlockMessages['TraceData'];
  /** The last one before it with a result; null: there is none. */
  slot: Slot | null;
};

type Missing = { inputs: number; outputs: number };

export type FilledSlots = {
  /** In block order: transactions in theirs, results in theirs. */
  slots: Slot[];
  /** Transactions of a type that has no result, in block order. */
  signatures: Slot[];
  traces: PlacedTrace[];
  /** Outputs before any result. */
  strayOutputs: number;
  /** In the whole block. */
  missing: Missing;
  /** A transaction is missing, which may have been a batch. */
  lacksTransaction: boolean;
};

/** A batch whose inner transactions still wait for their results. */
type Batch = { consensusTimestamp: bigint; rest: SignedTransaction[] };

/** State signatures have no result; each other transaction of four networks (3,758) had one. */
const typeWithoutResult = typeNumber.stateSignatureTransaction;

export function fillSlots(items: readonly SequenceItem[]): FilledSlots {
  const filled: FilledSlots = {
    slots: [],
    signatures: [],
    traces: [],
    strayOutputs: 0,
    missing: { inputs: 0, outputs: 0 },
    lacksTransaction: false,
  };
  const { slots, signatures, traces, missing } = filled;
  let batch: Batch | null = null;
  for (const item of items) {
    if (item.kind === 'transaction') {
      endWait(slots);
      const slot = createSlot(item.place, item.transaction, missing);
      // Its bytes need not be repeated; if they are, they must be equal.
      if (isSame(batch?.rest[0], item.transaction)) {
        batch?.rest.shift();
        slot.isInner = true;
      }
      if (item.transaction.type !== typeWithoutResult) slots.push(slot);
      else signatures.push({ ...slot, result: 'none' });
    } else if (item.kind === 'result') {
      const slot: Slot = findWaiting(slots) ?? addSlotOfResult(filled, batch, item);
      slot.result = item.result;
      slot.missingOutputs = missing.outputs;
      batch = beginBatch(slot) ?? batch;
    } else if (item.kind === 'output') addOutput(filled, item.output);
    else if (item.kind === 'trace') traces.push({ place: item.place, trace: item.trace, slot: findLast(slots) });
    else addMissing(filled, item);
  }
  endWait(slots);
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
    missingInputs: missing.inputs,
    missingOutputs: missing.outputs,
    lacksOutputs: false,
  };
}

/** The last one whose result has come, or is missing. */
function findLast(slots: readonly Slot[]): Slot | null {
  return slots.findLast(({ result }) => result !== null && result !== 'none') ?? null;
}

function findWaiting(slots: readonly Slot[]): Slot | null {
  const last = slots.at(-1);
  return last?.result === null ? last : null;
}

/** A transaction that still waits has no result. */
function endWait(slots: readonly Slot[]): void {
  const waiting = findWaiting(slots);
  if (waiting && waiting.transaction !== 'missing') waiting.result = 'none';
}

/**
 * For the next inner transaction of the last batch, or for one that is not shown. After a failed one the others have no
 * result.
 */
function addSlotOfResult(
  { slots, missing, lacksTransaction }: FilledSlots,
  batch: Batch | null,
  { place, result }: Extract<SequenceItem, { kind: 'result' }>,
): Slot {
  const parentTimestamp = result === 'unreadable' ? null : result.parentTimestamp;
  const isOfBatch = batch !== null && parentTimestamp === batch.consensusTimestamp;
  const inner = isOfBatch ? batch.rest.shift() : undefined;
  const isOfMissing = parentTimestamp !== null && lacksTransaction;
  const slot = createSlot(place, inner ?? (isOfMissing ? 'missing' : 'none'), missing);
  slot.isInner = inner !== undefined || isOfMissing;
  slots.push(slot);
  return slot;
}

function addOutput(filled: FilledSlots, output: BlockOutput): void {
  const slot = findLast(filled.slots);
  if (slot) slot.outputs.push(output);
  else filled.strayOutputs += 1;
}

function beginBatch({ transaction, result }: Slot): Batch | null {
  if (typeof transaction === 'string' || transaction.type !== typeNumber.atomicBatch) return null;
  if (result === null || typeof result === 'string') return null;
  return { consensusTimestamp: result.consensusTimestamp, rest: readInnerTransactions(transaction) };
}

/** Fields of TransactionBody and AtomicBatchTransactionBody. */
const atomicBatchField = 74;
const transactionsField = 1;

/** None of a body that cannot be read to its end: its results then have no transactions. */
function readInnerTransactions({ bodyBytes }: SignedTransaction): SignedTransaction[] {
  const inner: SignedTransaction[] = [];
  try {
    visitWireFields(bodyBytes, (number, wireType, start, end) => {
      if (number !== atomicBatchField || wireType !== wireBytes) return;
      const batch = bodyBytes.subarray(start, end);
      visitWireFields(batch, (field, type, from, to) => {
        if (field === transactionsField && type === wireBytes)
          inner.push(openSignedTransaction(batch.subarray(from, to)));
      });
    });
  } catch (error) {
    if (!(error instanceof StreamFileError)) throw error;
    return [];
  }
  return inner;
}

function addMissing(filled: FilledSlots, { place, subtree }: Extract<SequenceItem, { kind: 'missing' }>): void {
  const { slots, missing } = filled;
  if (subtree === 'inputs') endWait(slots);
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
