// The side of a thread: one job after the other, notes while it works, its result or its error.
import { parentPort } from 'node:worker_threads';

export type FromThread<Result, Note> =
  | { note: Note }
  | { result: Result }
  | { error: { name: string; message: string } };

/** `tell` may be called often: notes are sent at most every 100 ms, and added up by the caller's `join`. */
export function answerJobs<Job, Result, Note extends Record<string, number>>(
  work: (job: Job, tell: (note: Note) => void) => Promise<Result>,
): void {
  const port = parentPort!;
  const say = (message: FromThread<Result, Note>): void => port.postMessage(message);
  let pending: Record<string, number> = {};
  let saidMs = 0;
  const flush = (): void => {
    if (Object.keys(pending).length > 0) say({ note: pending as Note });
    pending = {};
    saidMs = performance.now();
  };
  port.on('message', (job: Job) => {
    work(job, (note) => {
      for (const [name, value] of Object.entries(note)) pending[name] = (pending[name] ?? 0) + value;
      if (performance.now() - saidMs > noteEveryMs) flush();
    }).then(
      (result) => {
        flush();
        say({ result });
      },
      ({ name, message }: Error) => {
        flush();
        say({ error: { name, message } });
      },
    );
  });
}

const noteEveryMs = 100;
