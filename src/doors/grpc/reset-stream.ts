// The end of a stream whose client does not take what was written: what waits for it goes with it.
import type { ServerHttp2Stream } from 'node:http2';
import { isSettledWithin } from '../../../packages/kit/is-settled-within.ts';

/** Once the client has had this time to take its status, ms. */
export async function resetUnlessClosed(call: object, withinMs: number): Promise<void> {
  const stream = streamOf(call);
  if (!stream || stream.closed) return;
  const closed = new Promise<void>((done) => stream.once('close', done));
  if (!(await isSettledWithin(closed, withinMs))) resetStream(call);
}

export function resetStream(call: object): void {
  streamOf(call)?.close(cancelCode);
}

/** The library has no member for it. */
export function streamOf(call: object): ServerHttp2Stream | undefined {
  type Inner = { stream?: ServerHttp2Stream; nextCall?: Inner };
  let inner = (call as unknown as { call?: Inner }).call;
  while (inner && !inner.stream) inner = inner.nextCall;
  return inner?.stream;
}

/** CANCEL of HTTP/2. */
const cancelCode = 8;
