// The transactions of a block stream from the items of the second decoder: their results, and the units that they
// share. Written from the description of the format, not from the importer.
import type { LayOverParts } from './lay-over-parts.ts';
import type { Plain, SecondDecoder } from './second-decoder.ts';

export type SecondTransaction = {
  /** The serialized SignedTransaction. */
  signed: Buffer;
  body: Plain;
  isInner: boolean;
  result: Plain;
  outputs: Plain[];
  traces: Plain[];
  /** State changes right after it. */
  changes: Plain[] | null;
};

/** Transactions that share their state changes. */
export type SecondUnit = { transactions: SecondTransaction[]; changes: Plain[] };

export type SecondBlock = {
  items: Plain[];
  units: SecondUnit[];
  /** State changes of no transaction. */
  otherChanges: Plain[];
  /** Transactions between nodes, which have no result. */
  withoutResult: Plain[];
};

/** `layOverParts`: of the blocks before; without it parts of values stay parts. */
export function readSecondBlock(decoder: SecondDecoder, bytes: Uint8Array, layOverParts?: LayOverParts): SecondBlock {
  const items = decoder.decodeBlock(bytes);
  layOverParts?.(items);
  const transactions: SecondTransaction[] = [];
  const otherChanges: Plain[] = [];
  const withoutResult: Plain[] = [];
  let waiting: Pick<SecondTransaction, 'signed' | 'body'> | null = null;
  let inner: Buffer[] = [];
  for (const item of items) {
    const last = transactions.at(-1);
    if (item.signedTransaction) {
      if (waiting) throw new Error('A transaction without a result');
      const opened = openSigned(decoder, item.signedTransaction);
      if (opened.body.stateSignatureTransaction) withoutResult.push(opened.body);
      else waiting = opened;
    } else if (item.transactionResult) {
      const isInner: boolean = waiting === null;
      const opened = waiting ?? openSigned(decoder, inner.shift()!);
      if (opened.body.atomicBatch) inner = [...opened.body.atomicBatch.transactions];
      transactions.push({
        ...opened,
        isInner,
        result: item.transactionResult,
        outputs: [],
        traces: [],
        changes: null,
      });
      waiting = null;
    } else if (item.transactionOutput) last!.outputs.push(item.transactionOutput);
    else if (item.traceData) last!.traces.push(item.traceData);
    else if (item.stateChanges) {
      const { consensusTimestamp, stateChanges = [] } = item.stateChanges;
      const isOfResult = last && toNs(consensusTimestamp) === toNs(last.result.consensusTimestamp);
      // Receipts and single values have the time of the last result, too, which may have no changes.
      const isOfRound = stateChanges.some(({ queuePush, singletonUpdate }: Plain) => queuePush ?? singletonUpdate);
      if (isOfResult && !isOfRound && !last.changes) last.changes = stateChanges;
      else otherChanges.push(item.stateChanges);
    }
  }
  return { items, units: toUnits(transactions), otherChanges, withoutResult };
}

/** ns */
export function toNs(timestamp: Plain): bigint {
  return BigInt(timestamp?.seconds ?? 0) * 1_000_000_000n + BigInt(timestamp?.nanos ?? 0);
}

function openSigned(decoder: SecondDecoder, signed: Buffer): Pick<SecondTransaction, 'signed' | 'body'> {
  const { bodyBytes } = decoder.decode('proto.SignedTransaction', signed);
  return { signed, body: decoder.decode('proto.TransactionBody', bodyBytes) };
}

/**
 * State changes follow the submitted transaction. A transaction with a parent belongs to its unit, and so does a
 * scheduled one without state changes; a child without a parent precedes its transaction.
 */
function toUnits(transactions: readonly SecondTransaction[]): SecondUnit[] {
  const units: SecondUnit[] = [];
  let early: SecondTransaction[] = [];
  for (const transaction of transactions) {
    const { body, changes, result } = transaction;
    const isChild = Boolean(body.transactionID?.nonce);
    if (changes) {
      units.push({ transactions: [...early, transaction], changes });
      early = [];
    } else if (result.parentConsensusTimestamp) units.at(-1)!.transactions.push(transaction);
    else if (isChild) early.push(transaction);
    else {
      units.at(-1)!.transactions.push(...early, transaction);
      early = [];
    }
  }
  if (early.length > 0) throw new Error('A child without its transaction');
  return units;
}
