// The record file inside a wrapped record block: its bytes are rebuilt as the nodes signed them, so that hash and
// signatures can be checked as those of the file itself.
import { decodeMessage, tryDecode } from '../../protocol/hapi/decode-message.ts';
import { proto } from '../../protocol/hapi/hapi.ts';
import { toTimestamp } from '../../protocol/hapi/timestamp.ts';
import { StreamFileError } from '../../protocol/stream-file-error.ts';
import { findWireBytes, noBytes } from '../../protocol/wire-fields.ts';
import { bytesField } from '../../protocol/wire-writer.ts';
import type { RawItem, RecordFile } from '../record-stream/raw-record-file.ts';
import { readRecordFile } from '../record-stream/record-file.ts';
import { writeRecordFileV2 } from '../record-stream/record-file-v2.ts';
import { writeRecordFileV5 } from '../record-stream/record-file-v5.ts';
import { readRecordStreamMessage } from '../record-stream/record-file-v6.ts';
import { wrappedRecordFileName } from '../record-stream/stream-file-name.ts';
import type { BlockMessages } from './block-messages.generated.ts';
import { blockMessages } from './block-messages.ts';

export type WrappedRecord = {
  file: RecordFile;
  /** The record file's uncompressed bytes. */
  bytes: Buffer;
  /** The record file's name, from its creation time. */
  name: string;
  /** Decompressed sidecar files; the n-th has id n. */
  sidecars: Buffer[];
  /** The file's items with the amendments: one of the same consensus time replaces the item, others are inserted. */
  items: RawItem[];
};

const versionPrefix = Buffer.of(0, 0, 0, 6);

/** @param version of the record file, from the block's proof. Throws StreamFileError. */
export function readWrappedRecord(content: Buffer, version: number): WrappedRecord {
  const message = blockMessages.recordFile.decode(content);
  const bytes = rebuild(message.recordFileContents, version);
  const file = readRecordFile(bytes);
  const at = toTimestamp(decodeMessage(proto.Timestamp, message.creationTime));
  return {
    file,
    bytes,
    name: wrappedRecordFileName(at),
    sidecars: message.sidecarFileContents,
    items: amend(file.items, message.amendments.map(readItem)),
  };
}

/** Record file → content of the item that wraps it. */
export function writeWrappedRecord(
  contents: Uint8Array,
  creationTime: Uint8Array,
  sidecars: readonly Uint8Array[],
): Buffer {
  return Buffer.concat(
    [bytesField(1, creationTime), bytesField(2, contents), ...sidecars.map((sidecar) => bytesField(3, sidecar))].flat(),
  );
}

function rebuild(contents: BlockMessages['RecordFileItem']['recordFileContents'], version: number): Buffer {
  if (version === 6) return Buffer.concat([versionPrefix, contents]);
  const { hapiVersion, startRunningHash, items } = readRecordStreamMessage(contents);
  if (!hapiVersion || !startRunningHash) {
    throw new StreamFileError('malformed', 'wrapped record file', 'a HAPI version and a start running hash', 'less');
  }
  if (version === 2) {
    return writeRecordFileV2({ previousHash: startRunningHash, items, hapiNumber: hapiVersion.minor });
  }
  if (version === 5) return writeRecordFileV5({ hapiVersion, startRunningHash, items });
  throw new StreamFileError('unsupported', 'wrapped record file', 'version 2, 5 or 6', `version ${version}`);
}

function amend(items: readonly RawItem[], amendments: readonly RawItem[]): RawItem[] {
  if (amendments.length === 0) return [...items];
  const timed = amendments.map(withTime);
  // The last one of a time counts; what has none replaces nothing.
  const byMoment = new Map(timed.map((amendment) => [amendment.time ?? amendment, amendment]));
  const kept = items.map(withTime).filter(({ time }) => time === null || !byMoment.has(time));
  return [...kept, ...byMoment.values()].sort(byTime).map(({ item }) => item);
}

type TimedItem = { item: RawItem; time: bigint | null };

/** Items without a time are last: they cannot be read, which is reported where they are. */
function byTime({ time: one }: TimedItem, { time: other }: TimedItem): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null);
  return one < other ? -1 : Number(one > other);
}

function withTime(item: RawItem): TimedItem {
  const { consensusTimestamp } = tryDecode(proto.TransactionRecord, item.record) ?? {};
  return { item, time: consensusTimestamp ? toTimestamp(consensusTimestamp) : null };
}

/** RecordStreamItem. What cannot be read is empty: its record is none then. */
function readItem(message: Buffer): RawItem {
  const read = (number: number): Buffer => {
    try {
      return findWireBytes(message, number) ?? noBytes;
    } catch (error) {
      if (error instanceof StreamFileError) return noBytes;
      throw error;
    }
  };
  return { transaction: read(1), record: read(2) };
}
