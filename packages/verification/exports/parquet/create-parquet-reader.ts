// Parquet files, decoded in a thread: what takes too long or too much memory ends with the thread, and the next file
// gets a new one.
import { Worker } from 'node:worker_threads';
import type { OpenedFile, ThreadAnswer, ThreadRequest } from './thread-messages.ts';

export type ParquetReader = {
  /** The file that the further questions are about. Throws an Error that says what is wrong with it. */
  open(path: string): Promise<OpenedFile>;
  /**
   * Values of a column of a row group, of the rows at these positions or of all; null where there is none. Texts are
   * bytes.
   */
  read(group: number, column: string, rows: readonly number[] | null): Promise<ArrayLike<unknown>>;
  closeFile(): Promise<void>;
  close(): Promise<void>;
};

/** Most of a file is outside the heap. */
const maxHeapMb = 1024;

const ownExtension = import.meta.url.slice(import.meta.url.lastIndexOf('.'));
const entry = new URL(`../../parquet-thread${ownExtension}`, import.meta.url);

/** `maxMs`: for a column of a row group, in which Sourcify's files have at most some 100 MB. */
export function createParquetReader(maxMs: number): ParquetReader {
  let thread: Worker | null = null;

  async function ask(request: ThreadRequest): Promise<unknown> {
    thread ??= start();
    const { promise, resolve, reject } = Promise.withResolvers<ThreadAnswer>();
    const timer = setTimeout(() => reject(new Error(`its decoding took more than ${maxMs / 1000} s`)), maxMs);
    const asked = thread;
    asked.once('message', resolve).once('error', reject);
    asked.postMessage(request);
    let answer: ThreadAnswer;
    try {
      answer = await promise;
    } catch (error) {
      await end();
      throw error;
    } finally {
      clearTimeout(timer);
      asked.off('message', resolve).off('error', reject);
    }
    if (answer.error !== undefined) throw new Error(answer.error);
    return answer.result;
  }

  async function end(): Promise<void> {
    const ending = thread;
    thread = null;
    await ending?.terminate();
  }

  return {
    open: async (path) => (await ask({ kind: 'open', path })) as OpenedFile,
    read: async (group, column, rows) => (await ask({ kind: 'read', group, column, rows })) as ArrayLike<unknown>,
    async closeFile() {
      if (thread !== null) await ask({ kind: 'close' });
    },
    close: end,
  };
}

function start(): Worker {
  const thread = new Worker(entry, { stdin: false, env: {}, resourceLimits: { maxOldGenerationSizeMb: maxHeapMb } });
  // The caller that asks gets the error; between two questions there is no caller.
  thread.on('error', () => undefined);
  thread.unref();
  return thread;
}
