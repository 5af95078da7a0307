// What is added to "Not found" where a mirror does not hold the whole ledger: that it may have been.
import { describeExtent, type Extent } from '../../ledger/extent/extent.ts';

/** null where the mirror holds everything, or nothing is known of it. */
export type ExtentNote = () => Promise<string | null>;

const askedAgainMs = 10_000;

export function createExtentNote(findExtent: () => Promise<Extent | null>): ExtentNote {
  let atMs = Number.NEGATIVE_INFINITY;
  let note: Promise<string | null> = Promise.resolve(null);
  return () => {
    const now = performance.now();
    if (now - atMs > askedAgainMs) {
      atMs = now;
      note = findExtent().then((extent) => extent && describeExtent(extent));
    }
    return note;
  };
}
