// A record file → block, its transactions with the records of their sidecar files.
import { formatTimestamp, toTimestamp } from '../../../packages/protocol/hapi/timestamp.ts';
import { consensusRange, decodeItems } from '../../../packages/streams/decode-items.ts';
import { decodeTransactionItem } from '../../../packages/streams/record-stream/decode-transaction-item.ts';
import type { RawItem, RecordFile } from '../../../packages/streams/record-stream/raw-record-file.ts';
import { createDoubtCounts, type Doubt } from '../../../packages/streams/stream/doubt.ts';
import type { StreamBlock, TransactionItem } from '../../../packages/streams/stream/stream-block.ts';
import type { ReadSidecar } from './read-sidecars.ts';

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
