// Raw items → transactions with results and sidecar records, the same for record files and blocks; a record file → block.
import { setImmediate } from 'node:timers/promises';
import { formatTimestamp, toTimestamp } from '../../protocol/hapi/timestamp.ts';
import {
  type DecodedTransactionItem,
  decodeTransactionItem,
} from '../../protocol/record-stream/decode-transaction-item.ts';
import type { RawItem, RecordFile } from '../../protocol/record-stream/raw-record-file.ts';
import type { StreamBlock, TransactionItem } from '../../protocol/stream/stream-block.ts';
import { StreamFileError } from '../../protocol/stream-file-error.ts';
import type { ReadSidecar } from './read-sidecars.ts';

// In between, the block before can be written.
const itemsAtATime = 100;

/** An item that cannot be read at all is left out; `problems` says so. */
export async function decodeItems<Raw>(
  rawItems: readonly Raw[],
  decode: (raw: Raw, index: number) => DecodedTransactionItem,
  problems: string[],
): Promise<TransactionItem[]> {
  const items: TransactionItem[] = [];
  for (const [index, raw] of rawItems.entries()) {
    if (index % itemsAtATime === itemsAtATime - 1) await setImmediate();
    try {
      const { item, problem } = decode(raw, index);
      if (problem !== null) problems.push(problem);
      items.push(item);
    } catch (error) {
      if (!(error instanceof StreamFileError)) throw error;
      problems.push(`item ${index} is left out: ${error.message}`);
    }
  }
  return items;
}

export type RecordBlockParts = {
  name: string;
  /** Default: of the file. */
  items?: readonly RawItem[];
  sidecars: readonly ReadSidecar[];
  sizeBytes: number;
  /** Consensus time of a file without transactions. */
  timeIfEmpty: bigint;
  /** Problems are added. */
  problems: string[];
};

/** The block of a record file, whether it came separately or inside a block. */
export async function toRecordBlock(file: RecordFile, parts: RecordBlockParts): Promise<StreamBlock> {
  const { name, sidecars, sizeBytes, problems } = parts;
  const { items, sidecars: _named, ...facts } = file;
  const transactions = await decodeItems(parts.items ?? items, decodeTransactionItem, problems);
  joinSidecars(transactions, sidecars, problems);
  const times = consensusRange(transactions, parts.timeIfEmpty);
  return { name, ...facts, ...times, sizeBytes, sidecars: sidecars.map(({ info }) => info), transactions };
}

/** Gives each transaction the sidecar records of its consensus timestamp. */
function joinSidecars(items: TransactionItem[], sidecars: readonly ReadSidecar[], problems: string[]): void {
  if (sidecars.length === 0) return;
  const byTimestamp = new Map(items.map((item) => [item.consensusTimestamp, item]));
  for (const { info, records } of sidecars) {
    for (const record of records) {
      const timestamp = record.consensusTimestamp ? toTimestamp(record.consensusTimestamp) : null;
      const item = timestamp === null ? undefined : byTimestamp.get(timestamp);
      if (item) item.sidecars.push(record);
      else problems.push(`${info.name} has a record of ${describe(timestamp)}, which no transaction has`);
    }
  }
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
