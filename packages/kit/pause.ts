import { setTimeout as sleep } from 'node:timers/promises';

/** Waits, at most until the signal aborts. false = it aborted. Never rejects. */
export async function pause(ms: number, signal?: AbortSignal): Promise<boolean> {
  // The rejection only says that the signal aborted.
  await sleep(ms, undefined, { signal }).catch(() => {});
  return !signal?.aborted;
}
