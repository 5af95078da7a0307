// A long answer in pieces, as fast as its client reads.
import type { ServerResponse } from 'node:http';

export type LineSender = {
  /** Aborts when the client is gone. */
  signal: AbortSignal;
  /** Resolves when the next piece may be made; false = the client is gone, or has not read for a while. */
  send(piece: string): Promise<boolean>;
};

/** `readWithinMs`: how long a client may leave what was sent unread. */
export function createLineSender(answer: ServerResponse, readWithinMs: number): LineSender {
  const gone = new AbortController();
  answer.on('close', () => gone.abort());
  answer.on('error', () => gone.abort());
  return { signal: gone.signal, send };

  async function send(piece: string): Promise<boolean> {
    if (gone.signal.aborted) return false;
    if (answer.write(piece)) return true;
    return new Promise((done) => {
      const late = setTimeout(() => answer.destroy(), readWithinMs);
      const settle = (): void => {
        clearTimeout(late);
        answer.off('drain', settle);
        gone.signal.removeEventListener('abort', settle);
        done(!gone.signal.aborted);
      };
      answer.once('drain', settle);
      gone.signal.addEventListener('abort', settle, { once: true });
    });
  }
}
