// Whether a reading of a block says anything that the block does not say: transactions may be missing, and parts of
// them unknown, but nothing may be different.
import { isDeepStrictEqual } from 'node:util';
import { isBadData } from '../../protocol/ledger-value-error.ts';
import type { BlockStreamItem } from '../../streams/block-stream/block-item.ts';
import { type BlockTransaction, readBlockTransactions } from '../../streams/block-stream/block-transactions.ts';
import { decodeBlockTransaction } from '../../streams/block-stream/decode-block-transaction.ts';
import type { TransactionItem } from '../../streams/stream/stream-block.ts';

export type BlockReading = {
  items: ReadonlyMap<bigint, TransactionItem>;
  /** Result to transaction, the messages in hexadecimal. */
  pairs: ReadonlyMap<string, string>;
  doubts: number;
};

/** By consensus timestamp. Throws what reading a block throws. */
export function readForJudge(items: readonly BlockStreamItem[]): BlockReading {
  const { transactions, doubts } = readBlockTransactions(items);
  const decoded = transactions.flatMap((made, index) => tryDecode(made, index));
  return {
    items: new Map(decoded.map((item) => [item.consensusTimestamp, item])),
    pairs: new Map(
      transactions.map(({ result, transaction }) => [
        result.content.toString('hex'),
        transaction.signed.toString('hex'),
      ]),
    ),
    doubts: doubts.length,
  };
}

/** None where the importer leaves it out. */
function tryDecode(made: BlockTransaction, index: number): TransactionItem[] {
  try {
    return [decodeBlockTransaction(made, index).item];
  } catch (error) {
    if (isBadData(error)) return [];
    throw error;
  }
}

export type Verdict = {
  shown: number;
  missing: number;
  /** Shown without parts of it. */
  partial: number;
  /** What is said otherwise than in the whole block: sentences. */
  false: string[];
};

export function judgeReading(found: BlockReading, truth: BlockReading): Verdict {
  const verdict: Verdict = { shown: found.items.size, missing: 0, partial: 0, false: [] };
  for (const timestamp of truth.items.keys()) if (!found.items.has(timestamp)) verdict.missing += 1;
  for (const [timestamp, item] of found.items) {
    const known = truth.items.get(timestamp);
    if (!known) {
      verdict.false.push(`${timestamp}: no transaction of the block`);
      continue;
    }
    const { index: _index, ...own } = item;
    const { index: _other, ...whole } = known;
    if (isDeepStrictEqual(own, whole)) continue;
    verdict.partial += 1;
    for (const path of findDifferent(own, whole)) verdict.false.push(`${timestamp}: ${path}`);
  }
  return verdict;
}

/** Parts that nodes write in full, or not at all: the function result as bytes repeats what is decoded beside it. */
const repeated: ReadonlySet<string> = new Set(['functionResultBytes']);

/** Paths at which a value is another one, not merely absent, empty or shorter. */
function findDifferent(found: unknown, whole: unknown, path = ''): string[] {
  if (found === null || found === undefined || isDeepStrictEqual(found, whole)) return [];
  if (found instanceof Uint8Array && found.length === 0) return [];
  if (Array.isArray(found) && Array.isArray(whole)) {
    return found.flatMap((one, index) => {
      const others = whole.map((other) => findDifferent(one, other, `${path}[${index}]`));
      return others.some((paths) => paths.length === 0) ? [] : (others[0] ?? [`${path}[${index}]: nothing like it`]);
    });
  }
  const areMessages = [found, whole].every((one) => typeof one === 'object' && one !== null && !isLeaf(one));
  if (!areMessages) return [`${path}: ${describe(found)}, in the whole block ${describe(whole)}`];
  return Object.keys(found as object).flatMap((name) =>
    repeated.has(name)
      ? []
      : findDifferent(
          (found as Record<string, unknown>)[name],
          (whole as Record<string, unknown>)[name],
          `${path}.${name}`,
        ),
  );
}

/** Bytes, and 64-bit numbers of the HAPI package. */
function isLeaf(value: object): boolean {
  return value instanceof Uint8Array || ('low' in value && 'high' in value);
}

function describe(value: unknown): string {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex').slice(0, 80);
  return `${value}`.slice(0, 80);
}
