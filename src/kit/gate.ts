// Lets a number of pieces of work go on at a time; the others wait in the order in which they came.

export type Gate = {
  /** Rejects as the work does, or with the reason of the signal while it waits: then the work is not begun. */
  pass<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** For work that is not one function: what it resolves with ends the turn. Rejects with the reason of the signal. */
  enter(signal?: AbortSignal): Promise<() => void>;
};

/** `most`: how many go on at a time, at least 1; a function is asked each time. */
export function createGate(most: number | (() => number)): Gate {
  const mostNow = typeof most === 'number' ? () => most : most;
  const waiting = new Set<() => void>();
  let inside = 0;

  function admit(): void {
    let free = mostNow() - inside;
    for (const begin of waiting) {
      if (free <= 0) return;
      free -= 1;
      inside += 1;
      waiting.delete(begin);
      begin();
    }
  }

  async function enter(signal?: AbortSignal): Promise<() => void> {
    signal?.throwIfAborted();
    await new Promise<void>((admitted, refuse) => {
      const leaveLine = (): void => {
        waiting.delete(begin);
        refuse(signal!.reason);
      };
      const begin = (): void => {
        signal?.removeEventListener('abort', leaveLine);
        admitted();
      };
      signal?.addEventListener('abort', leaveLine, { once: true });
      waiting.add(begin);
      admit();
    });
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      inside -= 1;
      admit();
    };
  }

  return {
    enter,
    async pass(work, signal) {
      const leave = await enter(signal);
      try {
        return await work();
      } finally {
        leave();
      }
    },
  };
}
