// Work of which only some is done at once; the rest waits in order.

export type Limiter = ReturnType<typeof createLimiter>;

export function createLimiter(most: number) {
  let running = 0;
  const waiting: (() => void)[] = [];

  /** Returns what ends the turn. Throws the reason of the signal. */
  async function enter(signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    if (running < most) running += 1;
    else {
      await new Promise<void>((begin, giveUp) => {
        const next = (): void => {
          signal.removeEventListener('abort', leaveLine);
          begin();
        };
        const leaveLine = (): void => {
          waiting.splice(waiting.indexOf(next), 1);
          giveUp(signal.reason);
        };
        waiting.push(next);
        signal.addEventListener('abort', leaveLine, { once: true });
      });
    }
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    };
  }

  return {
    enter,
    async take<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
      const leave = await enter(signal);
      try {
        return await work();
      } finally {
        leave();
      }
    },
  };
}
