// One answer of server-sent events: written as fast as the client reads, and ended where it does not.
import type { ServerResponse } from 'node:http';
import { createPacedWriter } from '../../../packages/kit/paced-writer.ts';

export type EventStream = {
  /** Aborts when the client is gone. */
  signal: AbortSignal;
  /** Resolves when the next one may be sent; false = the client is gone, or does not read. */
  send(id: string, data: string): Promise<boolean>;
  end(): void;
  /** Ends it for another client: its own comes back by itself, after this time. */
  withdraw(retryMs: number): void;
};

/** A line that clients ignore: proxies and clients see that it goes on. */
const aliveEveryMs = 15_000;
/** How long a client may leave what was sent unread. */
const readWithinMs = 60_000;

export function openEventStream(answer: ServerResponse): EventStream {
  const { signal, write, end } = createPacedWriter(answer, readWithinMs);
  answer.writeHead(200, {
    'Access-Control-Allow-Origin': '*',
    'Content-Type': 'text/event-stream; charset=utf-8',
    'Cache-Control': 'no-store',
    'X-Accel-Buffering': 'no',
    'X-Content-Type-Options': 'nosniff',
  });
  answer.write(':\n\n');
  const timer = setInterval(() => answer.write(':\n\n'), aliveEveryMs).unref();
  signal.addEventListener('abort', () => clearInterval(timer), { once: true });
  // JSON has no line ends of its own.
  return {
    signal,
    end,
    send: (id, data) => write(`id: ${id}\ndata: ${data}\n\n`),
    withdraw(retryMs) {
      if (!signal.aborted) answer.write(`retry: ${retryMs}\n\n`);
      end();
    },
  };
}
