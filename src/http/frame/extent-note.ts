// Added to "Not found" if a mirror does not hold the whole ledger: the object may exist elsewhere.

/** null if the mirror holds everything, or this is unknown. */
export type ExtentNote = () => Promise<string | null>;

const askedAgainMs = 10_000;

export function createExtentNote(describeHeld: () => Promise<string | null>): ExtentNote {
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
