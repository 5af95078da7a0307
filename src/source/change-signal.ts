// Lets a reader wait for the next change of what it follows, for a while at most.

export type ChangeSignal = {
  notify(): void;
  /** Until the next change, at most this long; a change since the last wait counts. */
  wait(timeoutMs: number): Promise<void>;
  close(): void;
};

/** @param signal ends every wait */
export function createChangeSignal(signal: AbortSignal | undefined): ChangeSignal {
  let changed = false;
  let wake: (() => void) | null = null;
  const notify = (): void => {
    changed = true;
    wake?.();
  };
  signal?.addEventListener('abort', notify);
  return {
    notify,
    async wait(timeoutMs) {
      if (!changed && !signal?.aborted) {
        await new Promise<void>((done) => {
          const timer = setTimeout(done, timeoutMs);
          wake = () => {
            clearTimeout(timer);
            done();
          };
        });
        wake = null;
      }
      changed = false;
    },
    close: () => signal?.removeEventListener('abort', notify),
  };
}
