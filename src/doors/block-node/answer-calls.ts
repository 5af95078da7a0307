// Calls at the port of a block node: a message is made when the client has taken the one before, and a last one says
// how the stream ended.
import { type ServerUnaryCall, type sendUnaryData, status } from '@grpc/grpc-js';
import { Counter } from 'prom-client';
import { runAs } from '../../../packages/kit/shares/current-client.ts';
import {
  createStreamAnswerer,
  type StreamAnswererOptions,
  type StreamDoor,
  type StreamWork,
} from '../grpc/answer-stream.ts';
import { resetStream } from '../grpc/reset-stream.ts';
import { createSend, endStream, type MessageCall, type SendLimits } from './send-messages.ts';
import type { Send } from './subscribe-blocks.ts';

/** `leave` is called when it was sent. `isFailure`: it says that this service could not do what it should. */
type LastMessage = { code: string; message: Buffer; isFailure?: boolean; leave?(): void };
type Target = { send: Send; signal: AbortSignal };

const door: StreamDoor = {
  metrics: {
    streams: {
      name: 'block_node_streams_open',
      help: 'Open subscriptions to blocks, and blocks that are being answered.',
    },
    calls: {
      name: 'block_node_calls_total',
      help: 'Calls at the port of a block node that ended, by method and status.',
    },
  },
  failed: 'A call of a block node failed',
  codeOfGone: 'CANCELLED',
  // The last message of a stream says it.
  ending: null,
};

export function createCallAnswerer({ limits, ...options }: StreamAnswererOptions & { limits: SendLimits }) {
  const { places, closing, registry } = options;
  const { answerStream, assertRoom, countEnd, countError } = createStreamAnswerer(options, door);
  const bytes = new Counter({
    name: 'block_node_sent_bytes_total',
    help: 'Bytes of blocks that were sent to subscribers.',
    registers: [registry],
  });
  const running = new Set<Promise<void>>();

  const unary =
    (method: string, answer: () => Promise<object>) =>
    (call: ServerUnaryCall<object, object>, done: sendUnaryData<object>): void => {
      const asked = { method, client: places.clientOf(call) };
      const work = async (): Promise<object> => {
        assertRoom();
        const found = await answer();
        countEnd(asked, { code: 'SUCCESS', outcome: 'answered' }, false);
        return found;
      };
      runAs(asked.client, work).then(
        (answered) => done(null, answered),
        (error) => done(countError(asked, error, { gone: closing, signal: closing })),
      );
    };

  /** Also of a single message: what is in memory ends when the client has taken it. Run returns what is sent last. */
  const streaming =
    <Asked>(method: string, run: (asked: Asked, to: Target) => Promise<LastMessage>) =>
    (call: MessageCall<Asked>): void => {
      const work = toWork(call, (to) => run(call.request, to));
      const answered = answerStream(method, call, work).finally(() => running.delete(answered));
      running.add(answered);
    };

  const toWork = (call: MessageCall, run: (to: Target) => Promise<LastMessage>): StreamWork => ({
    async send({ gone, withdrawn, left, signal }) {
      const send = createSend(call, left, limits);
      const last = await run({ send: (message) => send(message).then(() => bytes.inc(message.length)), signal });
      try {
        withdrawn.throwIfAborted();
        if (!gone.aborted) await send(last.message);
      } finally {
        last.leave?.();
      }
      return { code: last.code, outcome: last.isFailure ? 'failed' : 'answered' };
    },
    end: () => endStream(call, limits),
    afterError(code) {
      if (code === status.DEADLINE_EXCEEDED) resetStream(call);
    },
  });

  /** When all streams that run now have ended. */
  const settled = (): Promise<unknown> => Promise.allSettled(running);

  return { unary, streaming, settled };
}
