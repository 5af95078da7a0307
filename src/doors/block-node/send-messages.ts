// One stream of messages to a follower: the next one is made when the one before has left, and a follower that takes too little is let
// go.
import type { ServerHttp2Stream } from 'node:http2';
import type { ServerWritableStream } from '@grpc/grpc-js';
import { isSettledWithin } from '../../kit/is-settled-within.ts';
import { grpcError } from '../grpc/grpc-error.ts';
import type { Send } from './subscribe-blocks.ts';

export type MessageCall<Asked = unknown> = ServerWritableStream<Asked, Buffer>;

export type SendLimits = {
  /** A message that is not taken in this time, ms, must have moved on by so many bytes in each such time. */
  messageMs: number;
  bytesInSecond: number;
};

export const usualSendLimits: SendLimits = { messageMs: 30_000, bytesInSecond: 128 * 1024 };

/** `signal`: the client is gone. */
export function createSend(call: MessageCall, signal: AbortSignal, { messageMs, bytesInSecond }: SendLimits): Send {
  // Of its connection: the library says nothing of a stream.
  const written = (): number => streamOf(call)?.session?.socket.bytesWritten ?? 0;
  return (message) =>
    new Promise((done, fail) => {
      let before = written();
      const end = (finish: () => void): void => {
        clearInterval(looking);
        signal.removeEventListener('abort', onGone);
        finish();
      };
      const onGone = (): void => end(() => fail(signal.reason));
      const looking = setInterval(() => {
        const now = written();
        if (now - before < (bytesInSecond * messageMs) / 1000) end(() => fail(grpcError.lagging()));
        before = now;
      }, messageMs);
      signal.addEventListener('abort', onGone, { once: true });
      if (signal.aborted) onGone();
      else call.write(message, (error?: Error | null) => end(() => (error ? fail(error) : done())));
    });
}

/** Until the client has taken what was written, or has had time for it. */
export async function endStream(call: MessageCall, { messageMs }: SendLimits): Promise<void> {
  call.end();
  const stream = streamOf(call);
  if (!stream || stream.closed) return;
  const closed = new Promise<void>((done) => stream.once('close', done));
  if (!(await isSettledWithin(closed, messageMs))) resetStream(call);
}

/** What waits for the client goes with it. */
export function resetStream(call: MessageCall): void {
  streamOf(call)?.close(cancelCode);
}

/** The library has no member for it. */
function streamOf(call: MessageCall): ServerHttp2Stream | undefined {
  type Inner = { stream?: ServerHttp2Stream; nextCall?: Inner };
  let inner = (call as unknown as { call?: Inner }).call;
  while (inner && !inner.stream) inner = inner.nextCall;
  return inner?.stream;
}

/** CANCEL of HTTP/2. */
const cancelCode = 8;
