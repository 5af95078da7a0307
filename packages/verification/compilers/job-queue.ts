// Contract checks of many clients, a few at a time, in the order of packages/kit/shares/client-line.ts. The number and
// bytes of waiting ones are bounded, for all clients together and for each.
import { createClientLine, LineFull, ownWork } from '../../kit/shares/client-line.ts';
import { VerificationError } from '../terms/verification-error.ts';

export type JobQueue = {
  /**
   * Throws a VerificationError (`too_many_jobs`) if too much waits, and the reason of the signal if that comes while it
   * waits.
   */
  run<T>(job: () => Promise<T>, asked?: Asked): Promise<T>;
  load(): QueueLoad;
  /** Rejects waiting jobs with the reason; resolves when the running ones have ended. */
  close(reason: Error): Promise<void>;
};

/**
 * `client`: whose share it takes; absent = the service itself, without a share. `sizeBytes`: memory held while waiting.
 */
type Asked = { client?: string | undefined; sizeBytes?: number; signal?: AbortSignal | undefined };

export type QueueLoad = {
  running: number;
  waiting: number;
  /** How long the client that has waited longest without a running job has been waiting. */
  waitMs: number;
};

export type JobQueueOptions = {
  concurrent: number;
  /**
   * So many more at a time, of clients that run nothing and have taken little time lately: they wait for no other
   * client's long job.
   */
  kept?: number;
  waiting: number;
  waitingBytes: number;
  /** Per client: running and waiting jobs, and bytes of the waiting ones. */
  perClient: { jobs: number; waitingBytes: number };
  /** Assumed duration of a job until some have been run. */
  usualMs: number;
  /** Called for each job that is refused. */
  onRefused?: (limit: RefusedBy) => void;
  /** Monotonic, ms. */
  clock?: () => number;
};

/** Whose limit was reached: that of one client, or of all together. */
export type RefusedBy = 'client' | 'queue';

export function createJobQueue(options: JobQueueOptions): JobQueue {
  const { concurrent, kept = 0, waiting, waitingBytes, perClient, usualMs, onRefused, clock } = options;
  const line = createClientLine({
    concurrent,
    kept,
    usualMs,
    waiting: { count: waiting, size: waitingBytes },
    perClient: { count: perClient.jobs, size: perClient.waitingBytes },
    onRefused: (by) => onRefused?.(by === 'client' ? 'client' : 'queue'),
    ...(clock && { clock }),
  });

  function toRefusal({ by, retryAfterMs }: LineFull): VerificationError {
    const sentence =
      by === 'client'
        ? 'As many contract checks as one network address may have are running or waiting for yours already'
        : `${line.load().waiting} contract checks are waiting already`;
    const retryAfterSeconds = Math.min(maxRetryAfterSeconds, Math.max(1, Math.ceil(retryAfterMs / 1000)));
    const message = `${sentence}, more are not accepted. Try again in ${retryAfterSeconds} seconds.`;
    return new VerificationError('too_many_jobs', message, { retryAfterSeconds });
  }

  return {
    async run(work, { client = ownWork, sizeBytes = 0, signal } = {}) {
      try {
        return await line.pass(client, work, { size: sizeBytes, ...(signal && { signal }) });
      } catch (error) {
        throw error instanceof LineFull ? toRefusal(error) : error;
      }
    },
    load: line.load,
    close: line.close,
  };
}

const maxRetryAfterSeconds = 3600;
