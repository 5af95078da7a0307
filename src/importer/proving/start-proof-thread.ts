// The check of proofs in a thread of its own, started by the first call: a stream without such proofs needs none.
import { Worker } from 'node:worker_threads';
import type { ProofChecker } from './check-proofs.ts';

export type ProofThread = ProofChecker<'promise'> & { close(): Promise<void> };

export function createProofThread(): ProofThread {
  let thread: Worker | null = null;
  const waiting: PromiseWithResolvers<unknown>[] = [];
  let failure: Error | null = null;

  function fail(error: Error): void {
    failure = error;
    for (const { reject } of waiting.splice(0)) reject(error);
  }

  function start(): Worker {
    const started = new Worker(entry, { stdin: false });
    started.on('message', ({ answer, error }: { answer?: unknown; error?: Error }) => {
      const { resolve, reject } = waiting.shift()!;
      if (error) reject(error);
      else resolve(answer);
    });
    started.on('error', fail);
    started.on('exit', () => fail(new Error('The thread that checks proofs has ended.')));
    return started;
  }

  /** Answers come in the order of the calls. */
  function call<Answer>(name: keyof ProofChecker, asked: unknown): Promise<Answer> {
    if (failure) return Promise.reject(failure);
    thread ??= start();
    const answered = Promise.withResolvers<unknown>();
    waiting.push(answered);
    thread.postMessage({ name, asked });
    return answered.promise as Promise<Answer>;
  }

  return {
    begin: (given) => call('begin', given),
    takeSigned: (block) => call('takeSigned', block),
    check: (blocks) => call('check', blocks),
    async close() {
      failure = new Error('The thread that checks proofs was closed.');
      await thread?.terminate();
    },
  };
}

const ownExtension = import.meta.url.slice(import.meta.url.lastIndexOf('.'));
const entry = new URL(`../proof-thread${ownExtension}`, import.meta.url);
