// Record files with messages of one topic, and an import that follows them.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { proto } from '../../../packages/protocol/hapi/hapi.ts';
import { writeAddressBook } from '../../../packages/simulated-network/formats/write-address-book.ts';
import type { RawItem } from '../../../packages/streams/record-stream/raw-record-file.ts';
import { createScratchDatabase } from '../../../packages/test-support/postgres/scratch-database.ts';
import { createSignedStream, createTestKeys } from '../../../packages/test-support/streams/signed-stream.ts';
import { runMirror } from '../program/run-mirror.ts';

export const topicNum = 5001;
/** Each tenth text has so many parts. */
export const partsOfLong = 3;

export type MessageStream = {
  connectionString: string;
  /** Writes a block; `texts` are those of whole messages. */
  writeBlock(texts: readonly string[]): void;
  /** How many messages, parts counted, were written. */
  written(): number;
  close(): Promise<void>;
};

export const textOf = (place: number): string => `text ${place}`;
export const isLong = (place: number): boolean => place % 10 === 9;

export async function openMessageStream(): Promise<MessageStream> {
  const folder = mkdtempSync(join(tmpdir(), 'message-stream-'));
  const keys = createTestKeys(1);
  const stream = createSignedStream(folder, keys);
  const endpoints = [{ ipAddress: '127.0.0.1', port: 50_211, domainName: '' }];
  writeFileSync(
    join(folder, 'book.bin'),
    writeAddressBook(stream.addressBook.nodes.map((node) => ({ ...node, endpoints }))),
  );
  const database = await createScratchDatabase();
  const { connectionString } = database;
  let at = 1_700_000_000_123_456_789n;
  let number = 0;
  let place = 0;
  stream.write({ items: [topicItem(at)] });
  const importer = runMirror(['import', '--source', folder, '--address-book', join(folder, 'book.bin')], {
    env: { DATABASE_URL: connectionString },
  });
  return {
    connectionString,
    writeBlock(texts) {
      at += 2_000_000_000n;
      const items: RawItem[] = [];
      for (const text of texts) {
        const count = isLong(place) ? partsOfLong : 1;
        const size = Math.ceil(text.length / count);
        const initial = idAt(at + BigInt(items.length));
        for (let part = 0; part < count; part++) {
          number += 1;
          items.push(
            messageItem(at + BigInt(items.length), {
              ...{ text: text.slice(part * size, (part + 1) * size), number },
              chunkInfo: count === 1 ? null : { initialTransactionID: initial, total: count, number: part + 1 },
            }),
          );
        }
        place += 1;
      }
      stream.write({ items });
    },
    written: () => number,
    async close() {
      importer.child.kill('SIGTERM');
      await importer.ended;
      await database.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

// The encoder takes numbers for Long.
type Literal = Record<string, unknown>;
const topicID = { topicNum };

function topicItem(at: bigint): RawItem {
  return toItem(at, { consensusCreateTopic: { memo: 'messages' } }, { topicID });
}

function messageItem(
  at: bigint,
  { text, number, chunkInfo }: { text: string; number: number; chunkInfo: Literal | null },
): RawItem {
  const data = { topicID, message: Buffer.from(text), ...(chunkInfo && { chunkInfo }) };
  const receipt = {
    ...{ topicSequenceNumber: number, topicRunningHash: Buffer.alloc(48, number), topicRunningHashVersion: 3 },
  };
  return toItem(at, { consensusSubmitMessage: data }, receipt);
}

function idAt(at: bigint): Literal {
  const transactionValidStart = { seconds: Number(at / 1_000_000_000n) - 5, nanos: Number(at % 1_000_000_000n) };
  return { accountID: { accountNum: 2 }, transactionValidStart };
}

function toItem(at: bigint, data: Literal, receipt: Literal): RawItem {
  const transactionID = idAt(at);
  const bodyBytes = proto.TransactionBody.encode({ transactionID, ...data } as proto.ITransactionBody).finish();
  const signedTransactionBytes = proto.SignedTransaction.encode({ bodyBytes, sigMap: { sigPair: [] } }).finish();
  const consensusTimestamp = { seconds: Number(at / 1_000_000_000n), nanos: Number(at % 1_000_000_000n) };
  const record = { receipt: { status: 22, ...receipt }, consensusTimestamp, transactionID };
  return {
    transaction: Buffer.from(proto.Transaction.encode({ signedTransactionBytes }).finish()),
    record: Buffer.from(proto.TransactionRecord.encode(record as unknown as proto.ITransactionRecord).finish()),
  };
}
