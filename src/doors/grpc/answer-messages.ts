// Streams of the services of a mirror node: written as fast as the client reads.
import { type ServerWritableStream, status } from '@grpc/grpc-js';
import { createStreamAnswerer, type StreamAnswererOptions, type StreamDoor } from './answer-stream.ts';
import { grpcError } from './grpc-error.ts';

type Call = ServerWritableStream<unknown, object>;

/** Ends with the signal; `fail`: ends the stream with an error, also while the client reads nothing. */
export type Run = (signal: AbortSignal, fail: (error: Error) => void) => AsyncGenerator<object>;

const door: StreamDoor = {
  metrics: {
    streams: { name: 'grpc_streams_open', help: 'Open streams of gRPC clients.' },
    calls: { name: 'grpc_calls_total', help: 'gRPC calls that ended, by method and status.' },
  },
  failed: 'A gRPC call failed',
  codeOfGone: null,
  // Otherwise a client would take it for the end of what it asked for, and not come back.
  ending: grpcError.ending,
};

export function createMessageAnswerer(options: StreamAnswererOptions) {
  const { answerStream } = createStreamAnswerer(options, door);
  return (method: string, call: Call, run: Run): Promise<void> =>
    answerStream(method, call, {
      async send({ signal, withdrawn, fail }) {
        for await (const message of run(signal, fail)) {
          if (!call.write(message)) await drained(call, signal);
        }
        withdrawn.throwIfAborted();
        if (options.closing.aborted) throw grpcError.ending();
        return { code: status[status.OK], outcome: 'answered' };
      },
      end: () => void call.end(),
    });
}

/** Until the client has read what was written, or is gone. */
function drained(call: Call, signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const end = (): void => {
      call.off('drain', end);
      signal.removeEventListener('abort', end);
      done();
    };
    call.once('drain', end);
    signal.addEventListener('abort', end, { once: true });
    if (signal.aborted) end();
  });
}
