// The messages of a topic from a time on: those that are stored, then those that come, without a gap between and none
// twice.
import { anyRange } from '../../../packages/kit/range.ts';
import { whenThereIsRoom } from '../../../packages/kit/when-there-is-room.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { TopicMessage } from '../../ledger/topics/create-topic-messages.ts';
import { holdPage } from './held-page.ts';
import type { TopicHub } from './topic-hub.ts';

export type TopicSpan = {
  topicId: bigint;
  /** Consensus times, ns; from inclusive, until exclusive; null = without end. */
  from: bigint;
  until: bigint | null;
  /** null = any number. */
  limit: bigint | null;
};

type Options = {
  ledger: Pick<Ledger, 'topicMessages'>;
  hub: TopicHub;
  signal: AbortSignal;
  /** Messages that wait for a client that does not take them; one more, and `onLag` makes the error. */
  maxWaiting: number;
  onLag(): Error;
  /**
   * Called with that error when the history has been taken and nothing is: a client that reads nothing asks for
   * nothing.
   */
  fail?(error: Error): void;
  /** How long a span that ends is waited for after its history, ms; missing = until the ledger has passed its end. */
  leftMs?(): number;
};

/** Messages of a query: more with each that a client has taken. */
const [firstPageSize, maxPageSize] = [50, 1000];
const maxTimerMs = 2 ** 31 - 1;
const latestMoment = 2n ** 63n - 1n;

/** Ends with the span, with the time that is left for it, or with the signal. */
export async function* followTopic(span: TopicSpan, options: Options): AsyncGenerator<TopicMessage, void> {
  const { signal, onLag } = options;
  const { until } = span;
  let left = span.limit;
  let from = span.from;
  const isLast = (): boolean => left !== null && --left === 0n;
  const queue = createQueue(options, span);
  try {
    do {
      // What came while the history was read may be too much to wait: it is read as history, too.
      await queue.join();
      for await (const message of readHistory(options, { ...span, from })) {
        if (signal.aborted) return;
        from = message.consensusTimestamp + 1n;
        yield message;
        if (isLast()) return;
      }
    } while (queue.isLagging());
    queue.endAtLag();
    while (!signal.aborted) {
      const message = queue.take();
      if (message) {
        // The history may have ended behind the block from which new messages are sent.
        if (message.consensusTimestamp < from) continue;
        if (until !== null && message.consensusTimestamp >= until) return;
        yield message;
        if (isLast()) return;
      } else if (queue.isLagging()) {
        throw onLag();
      } else if (until !== null && queue.position() >= until - 1n) {
        return;
      } else {
        const leftMs = options.leftMs?.() ?? maxTimerMs;
        if (leftMs <= 0) return;
        await queue.changed(Math.min(leftMs, maxTimerMs));
      }
    }
  } finally {
    queue.leave();
  }
}

/** New messages that wait for the client. */
function createQueue({ hub, maxWaiting, signal, onLag, fail }: Options, { topicId, from }: TopicSpan) {
  let waiting: TopicMessage[] = [];
  let isLagging = false;
  let endsAtLag = false;
  let joined: Awaited<ReturnType<TopicHub['join']>> | null = null;
  let position = -1n;
  let wake = (): void => {};
  signal.addEventListener('abort', () => wake(), { once: true });
  return {
    async join() {
      joined?.leave();
      waiting = [];
      isLagging = false;
      joined = await hub.join(topicId, {
        onMessage(message) {
          if (message.consensusTimestamp < from || isLagging) return;
          isLagging = waiting.length >= maxWaiting;
          if (!isLagging) waiting.push(message);
          else {
            waiting = [];
            if (endsAtLag) fail?.(onLag());
          }
          wake();
        },
        onPosition(reached) {
          position = reached;
          wake();
        },
      });
      position = joined.since;
    },
    position: () => position,
    isLagging: () => isLagging,
    endAtLag() {
      endsAtLag = true;
    },
    take: () => waiting.shift(),
    /** Nothing waits: until something does, the time is over, or the signal aborts. */
    changed: (withinMs: number) =>
      new Promise<void>((done) => {
        const timer = setTimeout(done, withinMs).unref();
        wake = () => {
          clearTimeout(timer);
          done();
        };
        if (signal.aborted) wake();
      }),
    leave: () => joined?.leave(),
  };
}

/** Everything that is stored: blocks are stored in order, so what comes while it is read comes behind it. */
async function* readHistory(
  { ledger, hub, signal }: Options,
  { topicId, from, until }: TopicSpan,
): AsyncGenerator<TopicMessage> {
  const to = until === null ? latestMoment : until - 1n;
  let next = from;
  let size = firstPageSize;
  while (next <= to) {
    const timestamp = { ...anyRange, from: next, to };
    const query = { topicId, sequenceNumber: anyRange, timestamp, order: 'asc', limit: size } as const;
    const read = async () => {
      const { items } = await ledger.topicMessages.list(query);
      return { page: holdPage(items), count: items.length };
    };
    const found = await whenThereIsRoom(() => hub.reads.pass(read, signal), signal).catch((error: unknown) => {
      // It was its turn no more.
      if (signal.aborted) return null;
      throw error;
    });
    if (found === null) return;
    const { page, count } = found;
    try {
      for (let message = page.take(); message !== null; message = page.take()) {
        next = message.consensusTimestamp + 1n;
        yield message;
      }
    } finally {
      page.release();
    }
    if (page.isDropped()) continue;
    if (count < size) return;
    size = Math.min(2 * size, maxPageSize);
  }
}
