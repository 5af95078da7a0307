// Raw items → transactions with their results, the same for record files and blocks.
import { setImmediate } from 'node:timers/promises';
import { StreamFileError } from '../protocol/stream-file-error.ts';
import type { DecodedTransactionItem } from './record-stream/decode-transaction-item.ts';
import { createDoubtCounts, type Doubt } from './stream/doubt.ts';
import type { StreamBlock, TransactionItem } from './stream/stream-block.ts';

// In between, other work of the process goes on.
const itemsAtATime = 100;

/**
 * An item that cannot be read at all is left out; `doubts` says so.
 * @param placeOf the item in its block or file
 */
export async function decodeItems<Raw>(
  rawItems: readonly Raw[],
  decode: (raw: Raw, index: number) => DecodedTransactionItem,
  placeOf: (raw: Raw, index: number) => number,
): Promise<{ items: TransactionItem[]; doubts: Doubt[] }> {
  const doubts = createDoubtCounts();
  const items: TransactionItem[] = [];
  for (let index = 0; index < rawItems.length; index++) {
    if (index % itemsAtATime === itemsAtATime - 1) await setImmediate();
    const raw = rawItems[index]!;
    try {
      const { item, problem } = decode(raw, index);
      if (problem !== null)
        doubts.add('transaction', 'transactions whose body cannot be read', {
          place: placeOf(raw, index),
          example: problem,
        });
      items.push(item);
    } catch (error) {
      if (!(error instanceof StreamFileError)) throw error;
      const place = placeOf(raw, index);
      doubts.add('transaction', 'items that are left out', { place, example: error.message });
    }
  }
  return { items, doubts: doubts.list() };
}

/** First and last consensus timestamp; both are `otherwise` without transactions. */
export function consensusRange(
  items: readonly TransactionItem[],
  otherwise: bigint,
): Pick<StreamBlock, 'consensusStart' | 'consensusEnd'> {
  let consensusStart = items[0]?.consensusTimestamp ?? otherwise;
  let consensusEnd = consensusStart;
  for (const { consensusTimestamp } of items) {
    if (consensusTimestamp < consensusStart) consensusStart = consensusTimestamp;
    if (consensusTimestamp > consensusEnd) consensusEnd = consensusTimestamp;
  }
  return { consensusStart, consensusEnd };
}
