// One stream of messages to a follower: the next one is made when the one before has left, and a follower that takes
// too little is let go.
import type { ServerWritableStream } from '@grpc/grpc-js';
import { grpcError } from '../grpc/grpc-error.ts';
import { resetUnlessClosed, streamOf } from '../grpc/reset-stream.ts';
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
  await resetUnlessClosed(call, messageMs);
}
