// Threads that each do one job at a time; a lost one is replaced with the next job.
import { Worker } from 'node:worker_threads';
import type { FromThread } from './answer-jobs.ts';

export type JobThreads<Job, Result, Note> = {
  /** As many calls at a time as there are threads. Rejects with the job's error, or if the thread is lost. */
  run(job: Job, onNote?: (note: Note) => void): Promise<Result>;
  close(): Promise<void>;
};

export function createJobThreads<Job, Result, Note>(entry: URL, data: unknown): JobThreads<Job, Result, Note> {
  const idle: Worker[] = [];
  const pending = new Map<Worker, Pending<Result, Note> | null>();

  function start(): Worker {
    const worker = new Worker(entry, { workerData: data, stdin: false, resourceLimits });
    pending.set(worker, null);
    const lose = (error: Error): void => {
      const job = pending.get(worker);
      pending.delete(worker);
      if (idle.includes(worker)) idle.splice(idle.indexOf(worker), 1);
      job?.reject(new Error(`the thread that worked on it was lost: ${error.message}`));
    };
    worker.on('error', lose);
    worker.on('exit', () => lose(new Error('it ended')));
    worker.on('message', (message: FromThread<Result, Note>) => {
      const job = pending.get(worker);
      if ('note' in message) return job?.onNote(message.note);
      pending.set(worker, null);
      idle.push(worker);
      if ('result' in message) job?.resolve(message.result);
      else job?.reject(new Error(message.error.message));
    });
    return worker;
  }

  return {
    run(job, onNote = () => {}) {
      const worker = idle.pop() ?? start();
      return new Promise<Result>((resolve, reject) => {
        pending.set(worker, { resolve, reject, onNote });
        worker.postMessage(job);
      });
    },
    async close() {
      await Promise.all([...pending.keys()].map((worker) => worker.terminate()));
    },
  };
}

type Pending<Result, Note> = {
  resolve(result: Result): void;
  reject(error: Error): void;
  onNote(note: Note): void;
};

/** Of each thread: a file passes through it in small parts. */
const resourceLimits = { maxOldGenerationSizeMb: 96, maxYoungGenerationSizeMb: 16 };

/** The entry of a thread beside a module, with the ending that the program's files have. */
export function entryBeside(moduleUrl: string, name: string): URL {
  return new URL(`./${name}${moduleUrl.slice(moduleUrl.lastIndexOf('.'))}`, moduleUrl);
}
