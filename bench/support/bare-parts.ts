// Lower bounds of the time of an import: opening and decoding the files alone, and COPY of the same rows into tables
// without any index.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { startEmbeddedPostgres } from '../../packages/postgres/embedded/embedded-postgres.ts';
import { gunzip } from '../../packages/protocol/gunzip.ts';
import { toBlock } from '../../packages/streams/block-stream/block.ts';
import { itemKinds, splitBlock } from '../../packages/streams/block-stream/block-item.ts';
import { readBlockTransactions } from '../../packages/streams/block-stream/block-transactions.ts';
import { decodeBlockTransaction } from '../../packages/streams/block-stream/decode-block-transaction.ts';
import { readWrappedRecord } from '../../packages/streams/block-stream/wrapped-record.ts';
import { decodeTransactionItem } from '../../packages/streams/record-stream/decode-transaction-item.ts';
import type { RawItem } from '../../packages/streams/record-stream/raw-record-file.ts';
import { readRecordFile } from '../../packages/streams/record-stream/record-file.ts';

type BarePart = { seconds: number; count: number };

/** Transactions of one node's files, or of the blocks. */
export function decodeAlone(streamFolder: string): BarePart {
  const [records, blocks] = [join(streamFolder, 'recordstreams', 'record0.0.3'), join(streamFolder, 'blocks')];
  const folder = existsSync(blocks) ? blocks : records;
  const started = performance.now();
  let count = 0;
  for (const name of readdirSync(folder)) {
    if (!/\.(rcd|blk)\.gz$/.test(name)) continue;
    const bytes = gunzip(readFileSync(join(folder, name)), name);
    count += folder === blocks ? decodeBlock(bytes) : decodeItems(readRecordFile(bytes).items);
  }
  return { seconds: (performance.now() - started) / 1000, count };
}

function decodeBlock(bytes: Buffer): number {
  const { items, proofs } = toBlock(splitBlock(bytes));
  const recordFile = items.find(({ kind }) => kind === itemKinds.recordFile);
  if (recordFile) {
    return decodeItems(readWrappedRecord(recordFile.content, proofs[0]!.signedRecordFileProof!.version).items);
  }
  const { transactions } = readBlockTransactions(items);
  for (const [index, made] of transactions.entries()) decodeBlockTransaction(made, index);
  return transactions.length;
}

function decodeItems(items: readonly RawItem[]): number {
  for (const [index, raw] of items.entries()) decodeTransactionItem(raw, index);
  return items.length;
}

/** The rows of the data folder's database, copied again, in one database transaction. */
export async function copyAlone(dataFolder: string): Promise<BarePart> {
  const server = await startEmbeddedPostgres({ dataFolder });
  const client = new pg.Client({ connectionString: server.connectionString });
  try {
    await client.connect();
    const { rows: tables } = await client.query<{ name: string }>(
      `select relname as name from pg_class where relnamespace = current_schema()::regnamespace
         and relkind in ('r', 'p') and not relispartition and relname not like 'ledger_mirror%'`,
    );
    const contents: { name: string; chunks: Buffer[] }[] = [];
    for (const { name } of tables) {
      const chunks: Buffer[] = [];
      const out = client.query(copyTo(`copy (select * from "${name}") to stdout (format binary)`));
      for await (const chunk of out) chunks.push(chunk as Buffer);
      await client.query(`create table "bare_${name}" (like "${name}")`);
      contents.push({ name, chunks });
    }
    await client.query('begin');
    const started = performance.now();
    let count = 0;
    for (const { name, chunks } of contents) {
      const into = client.query(copyFrom(`copy "bare_${name}" from stdin (format binary)`));
      const bytes = new PassThrough({ highWaterMark: 1 << 20 });
      const copied = pipeline(bytes, into);
      for (const chunk of chunks) bytes.write(chunk);
      bytes.end();
      await copied;
      count += into.rowCount;
    }
    await client.query('commit');
    return { seconds: (performance.now() - started) / 1000, count };
  } finally {
    await client.end();
    await server.stop();
  }
}
