// A stream of requests, each with one answer: the next request is read when the client has taken the answers before it.
import type { ServerDuplexStream } from '@grpc/grpc-js';
import type { CallPlaces } from './call-places.ts';
import { toStatus } from './grpc-error.ts';
import { resetUnlessClosed } from './reset-stream.ts';

type Call = ServerDuplexStream<object, object>;

const statusMs = 1000;

export function answerConversation(call: Call, answer: (request: object) => object, places: CallPlaces): void {
  const end = (error: unknown): void => {
    call.emit('error', toStatus(error));
    // The client may ask on and on: its half of the stream ends, too, once it has had time to take the status.
    void resetUnlessClosed(call, statusMs);
  };
  call.on('error', () => {});
  try {
    const place = places.enter(call, end);
    for (const event of ['cancelled', 'close', 'error', 'end']) call.on(event, place.leave);
  } catch (error) {
    end(error);
    return;
  }
  call.on('data', (request) => {
    if (call.write(answer(request))) return;
    call.pause();
    call.once('drain', () => call.resume());
  });
  call.on('end', () => call.end());
}
