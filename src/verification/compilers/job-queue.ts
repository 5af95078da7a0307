// A few jobs at a time, a bounded number waiting; who comes when the queue is full is told so at once.
import { VerificationError } from '../verification-error.ts';

export type JobQueue = {
  /** Throws a VerificationError (`too_many_jobs`) when too many wait. */
  run<T>(job: () => Promise<T>): Promise<T>;
  /** What waits is refused with the reason; resolves when what runs has ended. */
  close(reason: Error): Promise<void>;
};

export function createJobQueue(options: { concurrent: number; waiting: number; usualSeconds: number }): JobQueue {
  const { concurrent, waiting, usualSeconds } = options;
  const queue: { start: () => void; refuse: (error: Error) => void }[] = [];
  const running = new Set<Promise<unknown>>();
  let closed: Error | null = null;

  function startNext(): void {
    if (running.size < concurrent) queue.shift()?.start();
  }

  return {
    run(job) {
      if (closed) return Promise.reject(closed);
      if (queue.length >= waiting && running.size >= concurrent) {
        const retryAfterSeconds = Math.ceil(((queue.length + 1) * usualSeconds) / concurrent);
        const message = `${queue.length} contract checks are waiting already, more are not taken. Try again in ${retryAfterSeconds} seconds.`;
        return Promise.reject(new VerificationError('too_many_jobs', message, { retryAfterSeconds }));
      }
      return new Promise((resolve, reject) => {
        const start = () => {
          const work = Promise.resolve().then(job);
          running.add(work);
          const end = () => {
            running.delete(work);
            startNext();
          };
          work.then(
            (value) => {
              end();
              resolve(value);
            },
            (error) => {
              end();
              reject(error);
            },
          );
        };
        queue.push({ start, refuse: reject });
        startNext();
      });
    },
    async close(reason) {
      closed = reason;
      for (const { refuse } of queue.splice(0)) refuse(reason);
      await Promise.allSettled(running);
    },
  };
}
