// Calls at this port: admitted, counted, and ended with a status that clients know.
import { type ServerUnaryCall, type sendUnaryData, status } from '@grpc/grpc-js';
import type { Logger } from 'pino';
import { Counter, type Registry } from 'prom-client';
import type { ClientOf } from '../../http/frame/client-of.ts';
import { addGauge } from '../../kit/add-gauge.ts';
import type { ClientOutcomes } from '../../kit/shares/client-outcomes.ts';
import { clientOfCall } from '../grpc/client-of-call.ts';
import { GrpcError, grpcError, outcomeOfError, toStatus } from '../grpc/grpc-error.ts';
import { createSend, endStream, type MessageCall, resetStream, type SendLimits } from './send-messages.ts';
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
  clientOf: ClientOf;
  outcomes: ClientOutcomes;
  limits: SendLimits & { maxStreams: number };
  /** Aborts when the server ends. */
  closing: AbortSignal;
};

export function createCallAnswerer({ hasRoom, log, registry, clientOf, outcomes, limits, closing }: Options) {
  const counted = countCalls(registry);
  const running = new Set<Promise<void>>();

  function assertRoom(): void {
    if (counted.streams() > limits.maxStreams || (hasRoom && !hasRoom())) throw grpcError.busy();
  }

  const unary =
    (method: string, answer: () => Promise<object>) =>
    (call: ServerUnaryCall<object, object>, done: sendUnaryData<object>): void => {
      const client = clientOfCall(clientOf, call);
      const work = async (): Promise<object> => {
        if (hasRoom && !hasRoom()) throw grpcError.busy();
        const found = await answer();
        counted.ended(method, 'SUCCESS');
        outcomes.note(client, 'answered', null);
        return found;
      };
      work().then(
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
      const answered = answerStream(method, call, (to) => run(call.request, to)).finally(() =>
        running.delete(answered),
      );
      running.add(answered);
    };

  async function answerStream(method: string, call: MessageCall, run: Run): Promise<void> {
    const gone = new AbortController();
    for (const event of ['cancelled', 'close', 'error']) call.on(event, () => gone.abort());
    const client = clientOfCall(clientOf, call);
    const send = createSend(call, gone.signal, limits);
    const leave = counted.enter();
    try {
      assertRoom();
      const last = await run({
        send: (message) => send(message).then(() => counted.sent(message.length)),
        signal: AbortSignal.any([gone.signal, closing]),
      });
      try {
        if (!gone.signal.aborted) await send(last.message);
      } finally {
        last.leave?.();
      }
      counted.ended(method, gone.signal.aborted ? 'CANCELLED' : last.code);
      if (!gone.signal.aborted) outcomes.note(client, last.isFailure ? 'failed' : 'answered', null);
      await endStream(call, limits);
    } catch (error) {
      const { code, details } = tellError({ method, client }, error, gone.signal);
      if (gone.signal.aborted) return;
      call.emit('error', { code, details });
      if (code === status.DEADLINE_EXCEEDED) resetStream(call);
    } finally {
      leave();
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
    streams: () => streams,
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
