// One stream of messages to a client at a gRPC port, as every door of this kind answers it: admitted, counted, and
// ended with a status that clients know. What is sent, and how fast, is each door's own.
import { type ServerWritableStream, status } from '@grpc/grpc-js';
import type { Logger } from 'pino';
import { Counter, type Registry } from 'prom-client';
import { addGauge } from '../../../packages/kit/add-gauge.ts';
import type { ClientOutcomes, Outcome } from '../../../packages/kit/shares/client-outcomes.ts';
import { runAs } from '../../../packages/kit/shares/current-client.ts';
import type { CallPlaces } from './call-places.ts';
import { GrpcError, grpcError, outcomeOfError, toStatus } from './grpc-error.ts';

type Call = ServerWritableStream<unknown, unknown>;
type Metric = { name: string; help: string };

export type StreamDoor = {
  /** Open streams, and calls that ended by method and status. */
  metrics: { streams: Metric; calls: Metric };
  /** The log line of a fault of the service. */
  failed: string;
  /** The code that counts for a call whose client left; null = that of its end, as if the client had stayed. */
  codeOfGone: string | null;
  /** The error of streams that the end of the server interrupts; null = what they throw. */
  ending: (() => GrpcError) | null;
};

export type StreamAnswererOptions = {
  /** Whether a new request would not wait too long; null = it would not. */
  hasRoom: (() => boolean) | null;
  log: Logger;
  registry: Registry;
  places: CallPlaces;
  outcomes: ClientOutcomes;
  /** Aborts when the server ends. */
  closing: AbortSignal;
};

export type StreamSignals = {
  /** The client is gone. */
  gone: AbortSignal;
  /** This service ends the stream; the reason is the error. */
  withdrawn: AbortSignal;
  /** Either of them. */
  left: AbortSignal;
  /** Either of them, or the server ends. */
  signal: AbortSignal;
  /** Ends the stream with an error, also while the client reads nothing. */
  fail(error: Error): void;
};

export type StreamWork = {
  /** Writes the messages. Returns how the stream counts. */
  send(signals: StreamSignals): Promise<{ code: string; outcome: Outcome }>;
  end(): void | Promise<void>;
  /** After an error was written with this code. */
  afterError?(code: status): void;
};

type Asked = { method: string; client: string };

export function createStreamAnswerer(options: StreamAnswererOptions, door: StreamDoor) {
  const { hasRoom, log, registry, places, outcomes, closing } = options;
  const { codeOfGone, ending, failed } = door;
  const counted = countStreams(registry, door.metrics);

  /** Throws GrpcError where a request would wait too long. */
  function assertRoom(): void {
    if (hasRoom && !hasRoom()) throw grpcError.busy();
  }

  function countEnd({ method, client }: Asked, { code, outcome }: { code: string; outcome: Outcome }, isGone: boolean) {
    counted.ended(method, (isGone ? codeOfGone : null) ?? code);
    if (!isGone || codeOfGone === null) outcomes.note(client, outcome, null);
  }

  /** Logs and counts the error, and returns the status that the client gets. */
  function countError({ method, client }: Asked, error: unknown, { gone, signal }: ErrorSignals) {
    const sent = toStatus(error);
    if (!(error instanceof GrpcError) && !signal.aborted) log.error({ err: error, method }, failed);
    counted.ended(method, (gone.aborted ? codeOfGone : null) ?? status[sent.code] ?? 'UNKNOWN');
    const isInterrupted = gone.aborted || (closing.aborted && ending === null);
    if (!isInterrupted) outcomes.note(client, outcomeOfError(error), null);
    return sent;
  }

  function errorOf(thrown: unknown, withdrawn: AbortSignal): unknown {
    if (withdrawn.aborted) return withdrawn.reason;
    // A read whose turn had not come ends with the stream.
    return ending && closing.aborted && !(thrown instanceof GrpcError) ? ending() : thrown;
  }

  async function answer(method: string, call: Call, { send, end, afterError }: StreamWork): Promise<void> {
    const asked = { method, client: places.clientOf(call) };
    const signals = watchCall(call, closing);
    const leave = counted.enter();
    let leavePlace = (): void => {};
    try {
      leavePlace = places.enter(call, signals.fail).leave;
      assertRoom();
      countEnd(asked, await send(signals), signals.gone.aborted);
      await end();
    } catch (thrown) {
      const sent = countError(asked, errorOf(thrown, signals.withdrawn), signals);
      if (signals.gone.aborted) return;
      call.emit('error', sent);
      afterError?.(sent.code);
    } finally {
      leave();
      leavePlace();
    }
  }

  return {
    answerStream: (method: string, call: Call, work: StreamWork): Promise<void> =>
      runAs(places.clientOf(call), () => answer(method, call, work)),
    assertRoom,
    countEnd,
    countError,
  };
}

type ErrorSignals = Pick<StreamSignals, 'gone' | 'signal'>;

function watchCall(call: Call, closing: AbortSignal): StreamSignals {
  const gone = new AbortController();
  const withdrawn = new AbortController();
  // With an error the client is gone: that is all there is to say.
  for (const event of ['cancelled', 'close', 'error']) call.on(event, () => gone.abort());
  const left = AbortSignal.any([gone.signal, withdrawn.signal]);
  return {
    gone: gone.signal,
    withdrawn: withdrawn.signal,
    left,
    signal: AbortSignal.any([left, closing]),
    fail: (error) => withdrawn.abort(error),
  };
}

function countStreams(registry: Registry, { streams, calls }: StreamDoor['metrics']) {
  let open = 0;
  addGauge(registry, { ...streams, read: () => open });
  const ended = new Counter({ ...calls, labelNames: ['method', 'code'] as const, registers: [registry] });
  return {
    /** Returns what ends it. */
    enter() {
      open += 1;
      return () => {
        open -= 1;
      };
    },
    ended: (method: string, code: string) => ended.inc({ method, code }),
  };
}
