// Calls at this port: admitted, counted, and ended with a status that clients know.
import { type ServerUnaryCall, type sendUnaryData, status } from '@grpc/grpc-js';
import type { Logger } from 'pino';
import { Counter, type Registry } from 'prom-client';
import { addGauge } from '../../../packages/kit/add-gauge.ts';
import type { ClientOutcomes } from '../../../packages/kit/shares/client-outcomes.ts';
import { runAs } from '../../../packages/kit/shares/current-client.ts';
import type { CallPlaces } from '../grpc/call-places.ts';
import { GrpcError, grpcError, outcomeOfError, toStatus } from '../grpc/grpc-error.ts';
import { resetStream } from '../grpc/reset-stream.ts';
import { createSend, endStream, type MessageCall, type SendLimits } from './send-messages.ts';
import type { Send } from './subscribe-blocks.ts';

/** `leave` is called when it was sent. `isFailure`: it says that this service could not do what it should. */
type LastMessage = { code: string; message: Buffer; isFailure?: boolean; leave?(): void };
/** Returns what is sent last. */
type Run = (to: { send: Send; signal: AbortSignal }) => Promise<LastMessage>;

type Options = {
  /** Whether a new request would not wait too long; null = it would not. */
  hasRoom: (() => boolean) | null;
  log: Logger;
  registry: Registry;
  places: CallPlaces;
  outcomes: ClientOutcomes;
  limits: SendLimits;
  /** Aborts when the server ends. */
  closing: AbortSignal;
};

export function createCallAnswerer({ hasRoom, log, registry, places, outcomes, limits, closing }: Options) {
  const counted = countCalls(registry);
  const running = new Set<Promise<void>>();

  function assertRoom(): void {
    if (hasRoom && !hasRoom()) throw grpcError.busy();
  }

  const unary =
    (method: string, answer: () => Promise<object>) =>
    (call: ServerUnaryCall<object, object>, done: sendUnaryData<object>): void => {
      const client = places.clientOf(call);
      const work = async (): Promise<object> => {
        assertRoom();
        const found = await answer();
        counted.ended(method, 'SUCCESS');
        outcomes.note(client, 'answered', null);
        return found;
      };
      runAs(client, work).then(
        (answered) => done(null, answered),
        (error) => done(tellError({ method, client }, error, closing)),
      );
    };

  type Asked = { method: string; client: string };

  function tellError({ method, client }: Asked, error: unknown, gone: AbortSignal) {
    const told = toStatus(error);
    if (!(error instanceof GrpcError) && !gone.aborted && !closing.aborted)
      log.error({ err: error, method }, 'A call of a block node failed');
    counted.ended(method, gone.aborted ? 'CANCELLED' : (status[told.code] ?? 'UNKNOWN'));
    if (!gone.aborted && !closing.aborted) outcomes.note(client, outcomeOfError(error), null);
    return told;
  }

  /** Also of a single message: what is in memory ends when the client has taken it. */
  const streaming =
    <Asked>(method: string, run: (asked: Asked, to: Parameters<Run>[0]) => Promise<LastMessage>) =>
    (call: MessageCall<Asked>): void => {
      const answer = () => answerStream(method, call, (to) => run(call.request, to));
      const answered = runAs(places.clientOf(call), answer).finally(() => running.delete(answered));
      running.add(answered);
    };

  async function answerStream(method: string, call: MessageCall, run: Run): Promise<void> {
    const gone = new AbortController();
    const withdrawn = new AbortController();
    for (const event of ['cancelled', 'close', 'error']) call.on(event, () => gone.abort());
    const client = places.clientOf(call);
    const left = AbortSignal.any([gone.signal, withdrawn.signal]);
    const send = createSend(call, left, limits);
    const leave = counted.enter();
    let leavePlace = (): void => {};
    try {
      leavePlace = places.enter(call, (error) => withdrawn.abort(error)).leave;
      assertRoom();
      const last = await run({
        send: (message) => send(message).then(() => counted.sent(message.length)),
        signal: AbortSignal.any([left, closing]),
      });
      try {
        withdrawn.signal.throwIfAborted();
        if (!gone.signal.aborted) await send(last.message);
      } finally {
        last.leave?.();
      }
      counted.ended(method, gone.signal.aborted ? 'CANCELLED' : last.code);
      if (!gone.signal.aborted) outcomes.note(client, last.isFailure ? 'failed' : 'answered', null);
      await endStream(call, limits);
    } catch (thrown) {
      const error = withdrawn.signal.aborted ? withdrawn.signal.reason : thrown;
      const told = tellError({ method, client }, error, gone.signal);
      const { code } = told;
      if (gone.signal.aborted) return;
      call.emit('error', told);
      if (code === status.DEADLINE_EXCEEDED) resetStream(call);
    } finally {
      leave();
      leavePlace();
    }
  }

  /** When all streams that run now have ended. */
  const settled = (): Promise<unknown> => Promise.allSettled(running);

  return { unary, streaming, settled };
}

function countCalls(registry: Registry) {
  let streams = 0;
  addGauge(registry, {
    name: 'block_node_streams_open',
    help: 'Open subscriptions to blocks, and blocks that are being answered.',
    read: () => streams,
  });
  const ended = new Counter({
    name: 'block_node_calls_total',
    help: 'Calls at the port of a block node that ended, by method and status.',
    labelNames: ['method', 'code'] as const,
    registers: [registry],
  });
  const bytes = new Counter({
    name: 'block_node_sent_bytes_total',
    help: 'Bytes of blocks that were sent to subscribers.',
    registers: [registry],
  });
  return {
    /** Returns what ends it. */
    enter() {
      streams += 1;
      return () => {
        streams -= 1;
      };
    },
    ended: (method: string, code: string) => ended.inc({ method, code }),
    sent: (length: number) => bytes.inc(length),
  };
}
