// Lets a number of pieces of work go on at a time; the others wait in the order in which they came.

export type Gate = { pass<T>(work: () => Promise<T>): Promise<T> };

/** `most`: how many go on at a time; asked each time, at least 1. */
export function createGate(most: () => number): Gate {
  const waiting: (() => void)[] = [];
  let inside = 0;

  function admit(): void {
    const free = most() - inside;
    for (const enter of waiting.splice(0, Math.max(0, free))) {
      inside += 1;
      enter();
    }
  }

  return {
    async pass(work) {
      await new Promise<void>((enter) => {
        waiting.push(enter);
        admit();
      });
      try {
        return await work();
      } finally {
        inside -= 1;
        admit();
      }
    },
  };
}
