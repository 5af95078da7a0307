// The items of a block in order, decoded as far as pairing needs. An output, a trace or a state change that cannot be
// decoded is left out and counted; so are redacted items and those of unknown kinds. A result that cannot be read keeps
// its place.
import { isBadData } from '../../protocol/ledger-value-error.ts';
import { createDoubtCounts, type Doubt, type DoubtCounts, type DoubtKind } from '../stream/doubt.ts';
import { assertFieldCount } from './assert-field-count.ts';
import { type BlockStreamItem, itemKinds } from './block-item.ts';
import type { BlockMessages } from './block-messages.generated.ts';
import { blockMessages } from './block-messages.ts';
import { type BlockOutput, readCreatedContracts } from './created-contracts.ts';
import { findSubtree, firstLaterKind, readRedactedItem, subtrees } from './item-subtree.ts';
import { type BlockResult, readResult } from './read-result.ts';
import { readStateChanges, type StateChanges } from './read-state-changes.ts';
import { openSignedTransaction, type SignedTransaction } from './signed-transaction.ts';
import { createStateHistory, type StateHistory } from './state-history.ts';

/** `place`: among the items of the block. */
export type SequenceItem = { place: number } & (
  | { kind: 'transaction'; transaction: SignedTransaction }
  | { kind: 'result'; result: BlockResult | 'unreadable' }
  | { kind: 'output'; output: BlockOutput }
  | { kind: 'trace'; trace: BlockMessages['TraceData'] }
  /** Redacted from the block; null: from an unspecified subtree. */
  | { kind: 'missing'; subtree: 'inputs' | 'outputs' | null }
);

export type BlockSequence = {
  items: SequenceItem[];
  /** In block order. */
  stateChanges: StateChanges[];
  /** Of all of them. */
  history: StateHistory;
  /** State changes, or parts that may have been some, were taken out. */
  lacksStateChanges: boolean;
  /** What is missing or not understood, one a kind. */
  doubts: Doubt[];
};

/** Throws StreamFileError for a redacted item that cannot be read: the root depends on it. */
export function readBlockSequence(blockItems: readonly BlockStreamItem[]): BlockSequence {
  const counts = createDoubtCounts();
  const items: SequenceItem[] = [];
  const stateChanges: StateChanges[] = [];
  let lacksStateChanges = false;
  for (let place = 0; place < blockItems.length; place++) {
    const { kind, content } = blockItems[place]!;
    if (kind === itemKinds.signedTransaction) {
      items.push({ place, kind: 'transaction', transaction: openSignedTransaction(content) });
    } else if (kind === itemKinds.transactionResult) {
      const result = tryRead(counts, place, ['transaction', 'result'], readResult, content);
      items.push({ place, kind: 'result', result: result ?? 'unreadable' });
    } else if (kind === itemKinds.transactionOutput) {
      const output = tryRead(counts, place, ['output', 'output'], readOutput, content);
      if (output) items.push({ place, kind: 'output', output });
      if (isEmpty(output)) counts.add('unknownItem', 'output of an unknown kind', { place });
    } else if (kind === itemKinds.traceData) {
      const trace = tryRead(counts, place, ['trace', 'trace'], readTrace, content);
      if (trace) items.push({ place, kind: 'trace', trace });
      if (isEmpty(trace)) counts.add('unknownItem', 'trace of an unknown kind', { place });
    } else if (kind === itemKinds.stateChanges) {
      const named = ['stateChange', 'state changes'] as const;
      const changes = tryRead(counts, place, named, (bytes) => readChanges(bytes, place), content);
      if (!changes) lacksStateChanges = true;
      if (!changes) continue;
      stateChanges.push(changes);
      const { unknownKeys, unknownValues, faults } = changes;
      for (const example of faults) counts.add('stateChange', refusedChange, { place, example });
      if (unknownKeys > 0)
        counts.add('unknownItem', 'state change under a key of an unknown kind', { count: unknownKeys, place });
      if (unknownValues > 0)
        counts.add('unknownItem', 'state change with a value of an unknown kind', { count: unknownValues, place });
    } else if (kind === itemKinds.redactedItem) {
      const subtree = subtrees[readRedactedItem(content).subtree] ?? null;
      counts.add('redacted', `redacted item (${subtree ?? 'of a later version'})`, { place });
      lacksStateChanges ||= subtree === 'stateChanges' || subtree === null;
      if (subtree === 'inputs' || subtree === 'outputs') items.push({ place, kind: 'missing', subtree });
    } else if (kind === itemKinds.filteredItemHash) {
      counts.add('redacted', 'filtered part of the block', { place });
      items.push({ place, kind: 'missing', subtree: null });
      lacksStateChanges = true;
    } else if (kind >= firstLaterKind && findSubtree(kind) !== null)
      counts.add('unknownItem', 'item of an unknown kind', { place });
  }
  const history = createStateHistory(stateChanges);
  for (const example of history.faults) counts.add('stateChange', refusedChange, { example });
  return { items, stateChanges, history, lacksStateChanges, doubts: counts.list() };
}

const refusedChange = 'state change that is refused';

function readOutput(content: Buffer): BlockOutput {
  assertFieldCount(content, 'transaction output');
  const output: BlockOutput = blockMessages.transactionOutput.decode(content);
  const created = readCreatedContracts(content);
  if (created.length > 0) output.createdContracts = created;
  return output;
}

function readTrace(content: Buffer): BlockMessages['TraceData'] {
  assertFieldCount(content, 'trace');
  return blockMessages.trace.decode(content);
}

function readChanges(content: Buffer, place: number): StateChanges {
  assertFieldCount(content, 'state changes');
  return readStateChanges(content, place);
}

/** For a decoded message with one oneof: no field of it is known. */
function isEmpty(message: object | null): boolean {
  return message !== null && Object.keys(message).length === 0;
}

/** null, counted, if it cannot be decoded. */
function tryRead<Message>(
  counts: DoubtCounts,
  place: number,
  [kind, name]: readonly [DoubtKind, string],
  read: (content: Buffer) => Message,
  content: Buffer,
): Message | null {
  try {
    return read(content);
  } catch (error) {
    if (!isBadData(error)) throw error;
    counts.add(kind, `${name} that cannot be decoded`, { place, example: error.message });
    return null;
  }
}

/** A transaction of a block with everything about its result. */
export type PairedTransaction = {
  /** Among the items of the block. */
  place: number;
  transaction: SignedTransaction;
  /** Its bytes are only in the body of a batch. */
  isInner: boolean;
  result: BlockResult;
  outputs: BlockOutput[];
  traces: BlockMessages['TraceData'][];
  /** Those of its own consensus timestamp, in block order; `toBlockUnits` joins them. */
  stateChanges: StateChanges[];
};
