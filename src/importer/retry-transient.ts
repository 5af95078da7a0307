// Live imports survive temporary and repairable failures: a database restart, a file that is still being copied, a file
// that is wrong until it is replaced. The waits grow, and are short again as soon as a block was imported.

import { createBackOff } from '../../packages/kit/back-off.ts';
import { pause } from '../../packages/kit/pause.ts';
import { StreamSourceError } from '../../packages/sources/stream-source.ts';
import { isDatabaseOutage } from './database-outage.ts';
import { StreamCheckError } from './open/stream-check-error.ts';

const firstDelayMs = 500;
const maxDelayMs = 30_000;

export type RetryOptions = {
  /**
   * Wait for new files and retry failures that may pass; otherwise the import ends with the files, or at the first
   * error.
   */
  live: boolean;
  /** Ends the import after the current block. */
  signal?: AbortSignal;
  /** Live: a failure that will be retried. */
  onRetry?(error: Error, delayMs: number): void;
};

/** @param work gets a function to call on progress */
export async function retryTransient(
  work: (madeProgress: () => void) => Promise<void>,
  { live, signal, onRetry }: RetryOptions,
): Promise<void> {
  const delays = createBackOff(firstDelayMs, maxDelayMs);
  for (;;) {
    let delayMs: number;
    try {
      await work(delays.reset);
      return;
    } catch (error) {
      if (signal?.aborted && isAbort(error)) return;
      if (!live || signal?.aborted || !isWorthRetry(error)) throw error;
      delayMs = delays.next();
      onRetry?.(error as Error, delayMs);
    }
    if (!(await pause(delayMs, signal))) return;
  }
}

/** What opens an import, and runs it: again where the database was away meanwhile. Rejects with the last failure. */
export async function retryOutage<T>(
  work: () => Promise<T>,
  { live, signal, onRetry }: Required<RetryOptions>,
): Promise<T> {
  const delays = createBackOff(firstDelayMs, maxDelayMs);
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!live || signal.aborted || !isDatabaseOutage(error)) throw error;
      const delayMs = delays.next();
      onRetry(error as Error, delayMs);
      if (!(await pause(delayMs, signal))) throw error;
    }
  }
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}

/**
 * Whether a retry may succeed: files arrive, are replaced, and databases come back. Defects of the program do not pass.
 */
function isWorthRetry(error: unknown): boolean {
  if (error instanceof StreamCheckError || error instanceof StreamSourceError) return true;
  return isDatabaseOutage(error);
}
