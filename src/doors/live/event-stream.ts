// One answer of server-sent events: written as fast as the client reads, and ended where it does not.
import type { ServerResponse } from 'node:http';

export type EventStream = {
  /** Aborts when the client is gone. */
  signal: AbortSignal;
  /** Resolves when the next one may be sent; false = the client is gone, or does not read. */
  send(id: string, data: string): Promise<boolean>;
  end(): void;
};

/** A line that clients ignore: proxies and clients see that it goes on. */
const aliveEveryMs = 15_000;
/** How long a client may leave what was sent unread. */
const readWithinMs = 60_000;

export function openEventStream(answer: ServerResponse): EventStream {
  const gone = new AbortController();
  answer.on('close', () => end());
  answer.on('error', () => end());
  answer.writeHead(200, {
    'Access-Control-Allow-Origin': '*',
    'Content-Type': 'text/event-stream; charset=utf-8',
    'Cache-Control': 'no-store',
    'X-Accel-Buffering': 'no',
    'X-Content-Type-Options': 'nosniff',
  });
  answer.write(':\n\n');
  const timer = setInterval(() => answer.write(':\n\n'), aliveEveryMs).unref();
  return { signal: gone.signal, send, end };

  async function send(id: string, data: string): Promise<boolean> {
    if (gone.signal.aborted) return false;
    // JSON has no line ends of its own.
    if (answer.write(`id: ${id}\ndata: ${data}\n\n`)) return true;
    return new Promise((done) => {
      const late = setTimeout(() => {
        answer.destroy();
        done(false);
      }, readWithinMs);
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

  function end(): void {
    clearInterval(timer);
    gone.abort();
    answer.end();
  }
}
