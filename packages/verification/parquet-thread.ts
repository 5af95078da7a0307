// Entry of the thread that parquet files are decoded in: bytes that were made to harm can keep a decoder busy for ever.
import { parentPort } from 'node:worker_threads';
import { openParquetFile, type ParquetFile } from './exports/parquet/open-parquet-file.ts';
import type { ThreadAnswer, ThreadRequest } from './exports/parquet/thread-messages.ts';

const port = parentPort!;
let file: ParquetFile | null = null;

port.on('message', async (request: ThreadRequest) => {
  let answer: ThreadAnswer;
  try {
    answer = { result: await answerRequest(request) };
  } catch (error) {
    answer = { error: (error as Error).message };
  }
  port.postMessage(answer);
});

async function answerRequest(request: ThreadRequest): Promise<unknown> {
  await (request.kind === 'read' ? null : file?.close());
  switch (request.kind) {
    case 'close':
      file = null;
      return null;
    case 'open': {
      file = null;
      file = await openParquetFile(request.path);
      const groups = file.rowGroups.map(({ firstRow, rows, columns }) => ({ firstRow, rows, columns }));
      return { columns: file.columns, groups };
    }
    case 'read': {
      const values = await file!.rowGroups[request.group]!.read(request.column);
      const { rows } = request;
      // Copies, so that the pages around them stay here.
      return rows === null ? values : rows.map((row) => copyOf(values[row]));
    }
  }
}

function copyOf(value: unknown): unknown {
  return value instanceof Uint8Array ? Uint8Array.from(value) : value;
}
