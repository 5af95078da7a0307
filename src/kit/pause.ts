import { setTimeout as sleep } from 'node:timers/promises';

/** Waits, until the signal comes at the latest. false = it came. Never rejects. */
export async function pause(ms: number, signal?: AbortSignal): Promise<boolean> {
  // The wait's own rejection says nothing more than that the signal came.
  await sleep(ms, undefined, { signal }).catch(() => {});
  return !signal?.aborted;
}
