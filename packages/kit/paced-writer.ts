// A long answer in pieces, as fast as its client reads.
import type { Writable } from 'node:stream';

export type PacedWriter = {
  /** Aborts when the client is gone, or the answer has been ended. */
  signal: AbortSignal;
  /** Resolves when the next piece may be made; false = the client is gone, or has not read for a while. */
  write(piece: string): Promise<boolean>;
  end(): void;
};

/** `readWithinMs`: how long a client may leave what was written unread. */
export function createPacedWriter(answer: Writable, readWithinMs: number): PacedWriter {
  const gone = new AbortController();
  const { signal } = gone;
  answer.on('close', () => gone.abort());
  answer.on('error', () => gone.abort());
  return { signal, write, end };

  async function write(piece: string): Promise<boolean> {
    if (signal.aborted) return false;
    if (answer.write(piece)) return true;
    return new Promise((done) => {
      const late = setTimeout(() => answer.destroy(), readWithinMs);
      const settle = (): void => {
        clearTimeout(late);
        answer.off('drain', settle);
        signal.removeEventListener('abort', settle);
        done(!signal.aborted);
      };
      answer.once('drain', settle);
      signal.addEventListener('abort', settle, { once: true });
    });
  }

  function end(): void {
    gone.abort();
    answer.end();
  }
}
