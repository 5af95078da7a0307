// The items of a block in order, decoded as far as pairing needs. An output, a trace or a state change that cannot be decoded
// is left out and counted; so are redacted items and those of unknown kinds.
import { isBadData } from '../ledger-value-error.ts';
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
  | { kind: 'result'; result: BlockResult }
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
  /** What is missing or not understood, one line a kind. */
  problems: string[];
};

/** Throws StreamFileError for transactions and results that cannot be read. */
export function readBlockSequence(blockItems: readonly BlockStreamItem[]): BlockSequence {
  const counts = createCounts();
  const items: SequenceItem[] = [];
  const stateChanges: StateChanges[] = [];
  for (let place = 0; place < blockItems.length; place++) {
    const { kind, content } = blockItems[place]!;
    if (kind === itemKinds.signedTransaction) {
      items.push({ place, kind: 'transaction', transaction: openSignedTransaction(content) });
    } else if (kind === itemKinds.transactionResult) {
      items.push({ place, kind: 'result', result: readResult(content) });
    } else if (kind === itemKinds.transactionOutput) {
      const output = tryRead(counts, 'output', readOutput, content);
      if (output) items.push({ place, kind: 'output', output });
      if (isEmpty(output)) counts.add('output of an unknown kind');
    } else if (kind === itemKinds.traceData) {
      const trace = tryRead(counts, 'trace', readTrace, content);
      if (trace) items.push({ place, kind: 'trace', trace });
      if (isEmpty(trace)) counts.add('trace of an unknown kind');
    } else if (kind === itemKinds.stateChanges) {
      const changes = tryRead(counts, 'state changes', (bytes) => readChanges(bytes, place), content);
      if (!changes) continue;
      stateChanges.push(changes);
      const { unknownKeys, unknownValues, faults } = changes;
      for (const fault of faults) counts.add(refusedChange, 1, fault);
      if (unknownKeys > 0) counts.add('state change under a key of an unknown kind', unknownKeys);
      if (unknownValues > 0) counts.add('state change with a value of an unknown kind', unknownValues);
    } else if (kind === itemKinds.redactedItem) {
      const subtree = subtrees[readRedactedItem(content).subtree] ?? null;
      counts.add(`redacted item (${subtree ?? 'of a later version'})`);
      if (subtree === 'inputs' || subtree === 'outputs') items.push({ place, kind: 'missing', subtree });
    } else if (kind === itemKinds.filteredItemHash) {
      counts.add('filtered part of the block');
      items.push({ place, kind: 'missing', subtree: null });
    } else if (kind >= firstLaterKind && findSubtree(kind) !== null) counts.add('item of an unknown kind');
  }
  const history = createStateHistory(stateChanges);
  for (const fault of history.faults) counts.add(refusedChange, 1, fault);
  return { items, stateChanges, history, problems: counts.problems() };
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

function createCounts() {
  const counts = new Map<string, { count: number; example: string | null }>();
  return {
    add(name: string, count = 1, example: string | null = null): void {
      const found = counts.get(name);
      if (found) found.count += count;
      else counts.set(name, { count, example });
    },
    problems: () =>
      [...counts].map(([name, { count, example }]) => `${name}: ${count}${example === null ? '' : ` (${example})`}`),
  };
}

/** null, counted, if it cannot be decoded. */
function tryRead<Message>(
  counts: ReturnType<typeof createCounts>,
  name: string,
  read: (content: Buffer) => Message,
  content: Buffer,
): Message | null {
  try {
    return read(content);
  } catch (error) {
    if (!isBadData(error)) throw error;
    counts.add(`${name} that cannot be decoded`, 1, error.message);
    return null;
  }
}

/** A transaction of a block with everything about its result. */
export type PairedTransaction = {
  transaction: SignedTransaction;
  /** Its bytes are only in the body of a batch. */
  isInner: boolean;
  result: BlockResult;
  outputs: BlockOutput[];
  traces: BlockMessages['TraceData'][];
  /** Those of its own consensus timestamp, in block order; `toBlockUnits` joins them. */
  stateChanges: StateChanges[];
};
