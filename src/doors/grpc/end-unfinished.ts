// Ends calls whose request does not come: a stream that is opened and left would be kept as long as its connection.
import type { ServerHttp2Stream } from 'node:http2';
import { ServerInterceptingCall, type ServerInterceptingCallInterface, type ServerInterceptor } from '@grpc/grpc-js';
import { grpcError, toStatus } from './grpc-error.ts';

export function endUnfinished(withinMs: number): ServerInterceptor {
  return ({ requestStream }, call) => {
    // Its client may ask at any time.
    if (requestStream) return new ServerInterceptingCall(call);
    const timer = setTimeout(() => endCall(call), withinMs).unref();
    return new ServerInterceptingCall(call, {
      start(next) {
        next({
          onReceiveHalfClose(received) {
            clearTimeout(timer);
            received();
          },
          onCancel() {
            clearTimeout(timer);
          },
        });
      },
    });
  };
}

function endCall(call: ServerInterceptingCallInterface): void {
  call.sendStatus(toStatus(grpcError.unfinished()));
  // The client's half stays open, and counts among the streams of its connection, until it is reset. The library has no
  // member for that.
  const { stream } = call as { stream?: ServerHttp2Stream };
  setImmediate(() => stream?.close());
}
