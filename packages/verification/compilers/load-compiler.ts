// Inside the process of one check: a compiler as a function from standard JSON to standard JSON. It runs in a thread
// with a separate heap, so that it sees neither the code it is compared with nor the secret of the answer. It gets no
// import
// callback: only sources in its input exist.
import { readFile } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';

export type Compiler = {
  /** `0.8.19+commit.7dd6d404.Emscripten.clang`; also for compilers that report their version in another form. */
  version: string;
  /** Standard JSON in, standard JSON out. */
  compile(input: string): Promise<string>;
};

/** The file was evaluated and is no compiler, as it says itself. */
export class NotCompiler extends Error {
  override readonly name = 'NotCompiler';
}

/** Throws NotCompiler. `beforeForeignCode` has resolved before the first byte of the compiler is evaluated. */
export async function loadCompiler(path: string, beforeForeignCode: () => Promise<void>): Promise<Compiler> {
  const source = await readFile(path, 'utf8');
  const thread = new Worker(entry, { workerData: { path, source }, env: {}, stdin: false });
  let waiting: ((reply: Reply) => void) | null = null;
  const nextReply = (): Promise<Reply> =>
    new Promise((resolve) => {
      waiting = resolve;
    });
  thread.on('message', (reply: Reply) => waiting?.(reply));
  thread.on('error', (error: NodeJS.ErrnoException) => {
    const isFull = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
    waiting?.({ lost: isFull ? 'out of memory' : `The compiler cannot be run: ${textOf(error)}` });
  });
  thread.on('exit', () => waiting?.({ lost: 'The compiler has ended.' }));

  async function ask(input: string): Promise<string> {
    const reply = nextReply();
    thread.postMessage(input);
    return readReply(await reply);
  }

  readReply(await nextReply());
  await beforeForeignCode();
  const identified = nextReply();
  thread.postMessage(null);
  const { text, error, lost } = await identified;
  if (lost === undefined && typeof text !== 'string') throw new NotCompiler(cut(error));
  return { version: readReply({ text, lost }), compile: ask };
}

/** `lost`: the thread has ended. The others come from it, and are untrusted. */
type Reply = { text?: unknown; error?: unknown; lost?: string };

function readReply({ text, error, lost }: Reply): string {
  if (typeof text === 'string') return text;
  throw new Error(lost ?? cut(error));
}

function cut(error: unknown): string {
  return typeof error === 'string' ? error.slice(0, 2000) : 'The compiler gave no text.';
}

/** Compilers throw anything. */
function textOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

const ownExtension = import.meta.url.slice(import.meta.url.lastIndexOf('.'));
const entry = new URL(`../compiler-thread${ownExtension}`, import.meta.url);
