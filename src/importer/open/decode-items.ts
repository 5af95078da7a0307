// Raw items → transactions with results and sidecar records, the same for record files and blocks; a record file → block.
import { setImmediate } from 'node:timers/promises';
import { formatTimestamp, toTimestamp } from '../../../packages/protocol/hapi/timestamp.ts';
import { StreamFileError } from '../../../packages/protocol/stream-file-error.ts';
import {
  type DecodedTransactionItem,
  decodeTransactionItem,
} from '../../../packages/streams/record-stream/decode-transaction-item.ts';
import type { RawItem, RecordFile } from '../../../packages/streams/record-stream/raw-record-file.ts';
import { createDoubtCounts, type Doubt } from '../../../packages/streams/stream/doubt.ts';
import type { StreamBlock, TransactionItem } from '../../../packages/streams/stream/stream-block.ts';
import type { ReadSidecar } from './read-sidecars.ts';

// In between, the block before can be written.
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
  for (const [index, raw] of rawItems.entries()) {
    if (index % itemsAtATime === itemsAtATime - 1) await setImmediate();
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

export type RecordBlockParts = {
  name: string;
  /** Default: of the file. */
  items?: readonly RawItem[];
  sidecars: readonly ReadSidecar[];
  sizeBytes: number;
  /** Consensus time of a file without transactions. */
  timeIfEmpty: bigint;
  /** What is left out is added. */
  doubts: Doubt[];
};

/** The block of a record file, whether it came separately or inside a block. */
export async function toRecordBlock(file: RecordFile, parts: RecordBlockParts): Promise<StreamBlock> {
  const { name, sidecars, sizeBytes, doubts } = parts;
  const { items, sidecars: _named, ...facts } = file;
  const decoded = await decodeItems(parts.items ?? items, decodeTransactionItem, (_raw, index) => index);
  const transactions = decoded.items;
  doubts.push(...decoded.doubts, ...joinSidecars(transactions, sidecars));
  const times = consensusRange(transactions, parts.timeIfEmpty);
  return { name, ...facts, ...times, sizeBytes, sidecars: sidecars.map(({ info }) => info), transactions };
}

/** Gives each transaction the sidecar records of its consensus timestamp. */
function joinSidecars(items: TransactionItem[], sidecars: readonly ReadSidecar[]): Doubt[] {
  if (sidecars.length === 0) return [];
  const doubts = createDoubtCounts();
  const byTimestamp = new Map(items.map((item) => [item.consensusTimestamp, item]));
  for (const { info, records, problem } of sidecars) {
    if (problem !== null)
      doubts.add('sidecar', 'sidecar files that cannot be read', { example: `${info.name}: ${problem}` });
    for (const record of records) {
      const timestamp = record.consensusTimestamp ? toTimestamp(record.consensusTimestamp) : null;
      const item = timestamp === null ? undefined : byTimestamp.get(timestamp);
      if (item) item.sidecars.push(record);
      else {
        const example = `${info.name} has one of ${describe(timestamp)}`;
        doubts.add('sidecar', 'sidecar records of a time that no transaction has', { example });
      }
    }
  }
  return doubts.list();
}

function describe(timestamp: bigint | null): string {
  return timestamp === null ? 'no timestamp' : formatTimestamp(timestamp);
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
