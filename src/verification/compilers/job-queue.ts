// A few jobs at a time, a bounded number waiting, which hold a bounded number of bytes; what comes when the queue is full
// is told so at once.
import { VerificationError } from '../verification-error.ts';

export type JobQueue = {
  /** `sizeBytes`: what the job holds while it waits. Throws a VerificationError (`too_many_jobs`) when too many wait. */
  run<T>(job: () => Promise<T>, sizeBytes?: number): Promise<T>;
  /** What waits is refused with the reason; resolves when what runs has ended. */
  close(reason: Error): Promise<void>;
};

export type JobQueueOptions = { concurrent: number; waiting: number; waitingBytes: number; usualSeconds: number };

export function createJobQueue({ concurrent, waiting, waitingBytes, usualSeconds }: JobQueueOptions): JobQueue {
  const queue: { start: () => void; refuse: (error: Error) => void; sizeBytes: number }[] = [];
  const running = new Set<Promise<unknown>>();
  let heldBytes = 0;
  let closed: Error | null = null;

  function startNext(): void {
    if (running.size >= concurrent) return;
    const next = queue.shift();
    heldBytes -= next?.sizeBytes ?? 0;
    next?.start();
  }

  return {
    run(job, sizeBytes = 0) {
      if (closed) return Promise.reject(closed);
      const isFull = queue.length >= waiting || heldBytes + sizeBytes > waitingBytes;
      if (isFull && running.size >= concurrent) {
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
        queue.push({ start, refuse: reject, sizeBytes });
        heldBytes += sizeBytes;
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
