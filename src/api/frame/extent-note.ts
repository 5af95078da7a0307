// Added to "Not found" if a mirror does not hold the whole ledger: the object may exist elsewhere.

import type { NotFoundNote } from '../../../packages/web-server/responder.ts';

const askedAgainMs = 10_000;

/** Of a mirror that holds everything, or of which this is unknown, it has nothing to say. */
export function createExtentNote(describeHeld: () => Promise<string | null>): NotFoundNote {
  let atMs = Number.NEGATIVE_INFINITY;
  let note: Promise<string | null> = Promise.resolve(null);
  return () => {
    const now = performance.now();
    if (now - atMs > askedAgainMs) {
      atMs = now;
      note = describeHeld();
    }
    return note;
  };
}
