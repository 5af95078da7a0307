// One stream of messages to a client: written as fast as it reads, and counted.
import { type ServerWritableStream, status } from '@grpc/grpc-js';
import type { Logger } from 'pino';
import { Counter, type Registry } from 'prom-client';
import { addGauge } from '../../../packages/kit/add-gauge.ts';
import type { ClientOutcomes, Outcome } from '../../../packages/kit/shares/client-outcomes.ts';
import { runAs } from '../../../packages/kit/shares/current-client.ts';
import type { CallPlaces } from './call-places.ts';
import { GrpcError, grpcError, outcomeOfError, toStatus } from './grpc-error.ts';

type Call = ServerWritableStream<unknown, object>;

type Options = {
  /** Whether a new request would not wait too long; null = it would not. */
  hasRoom: (() => boolean) | null;
  log: Logger;
  registry: Registry;
  places: CallPlaces;
  outcomes: ClientOutcomes;
  /** Aborts when the server ends. */
  closing: AbortSignal;
};

/** Ends with the signal; `fail`: ends the stream with an error, also while the client reads nothing. */
export type Run = (signal: AbortSignal, fail: (error: Error) => void) => AsyncGenerator<object>;

export function createStreamAnswerer({ hasRoom, log, registry, places, outcomes, closing }: Options) {
  let streams = 0;
  addGauge(registry, { name: 'grpc_streams_open', help: 'Open streams of gRPC clients.', read: () => streams });
  const ended = new Counter({
    name: 'grpc_calls_total',
    help: 'gRPC calls that ended, by method and status.',
    labelNames: ['method', 'code'] as const,
    registers: [registry],
  });

  return (method: string, call: Call, run: Run): Promise<void> =>
    runAs(places.clientOf(call), () => answer(method, call, run));

  async function answer(method: string, call: Call, run: Run): Promise<void> {
    const gone = new AbortController();
    call.on('cancelled', () => gone.abort());
    call.on('close', () => gone.abort());
    // The client is gone: that is all there is to say.
    call.on('error', () => gone.abort());
    const signal = AbortSignal.any([gone.signal, closing]);
    let failure: Error | null = null;
    const fail = (error: Error): void => {
      failure = error;
      gone.abort();
    };
    const endOf = (thrown: unknown): unknown => failure ?? (closing.aborted ? grpcError.ending() : thrown);
    const client = places.clientOf(call);
    const note = (outcome: Outcome): void => outcomes.note(client, outcome, null);
    let leave = (): void => {};
    streams += 1;
    try {
      leave = places.enter(call, fail).leave;
      if (hasRoom && !hasRoom()) throw grpcError.busy();
      for await (const message of run(signal, fail)) {
        if (!call.write(message)) await drained(call, signal);
      }
      if (failure) throw failure;
      // Otherwise a client would take it for the end of what it asked for, and not come back.
      if (closing.aborted) throw grpcError.ending();
      ended.inc({ method, code: 'OK' });
      note('answered');
      call.end();
    } catch (thrown) {
      // A read whose turn had not come ends with the stream.
      const error = signal.aborted && !(thrown instanceof GrpcError) ? endOf(thrown) : thrown;
      const told = toStatus(error);
      if (!(error instanceof GrpcError) && !signal.aborted) log.error({ err: error, method }, 'A gRPC call failed');
      ended.inc({ method, code: status[told.code] });
      if (!gone.signal.aborted || failure) note(outcomeOfError(error));
      call.emit('error', told);
    } finally {
      streams -= 1;
      leave();
    }
  }
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
