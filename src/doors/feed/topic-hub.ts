// New messages of topics for everyone in this process who waits for them: one query for each block, whatever their
// number.
import { createClientLine } from '../../../packages/kit/shares/client-line.ts';
import { currentClient } from '../../../packages/kit/shares/current-client.ts';
import { doorShares } from '../../../packages/kit/shares/door-shares.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { TopicMessage } from '../../ledger/topics/create-topic-messages.ts';
import type { LedgerFeed } from './ledger-feed.ts';
import { createTeller } from './teller.ts';

type TopicListener = {
  /** In order. */
  onMessage(message: TopicMessage): void;
  /** Every message up to this consensus time (ns) was sent. */
  onPosition(position: bigint): void;
};

export type TopicHub = {
  /** The listener gets every message after `since`, a consensus time in ns, once and in order. */
  join(topicId: bigint, listener: TopicListener): Promise<{ since: bigint; leave(): void }>;
  count(): number;
  /**
   * What streams ask the database for, each by itself: few at once, so that many who come together leave room for
   * others, and clients (`currentClient`) take turns. Rejects as the work does, or with the reason of the signal while
   * it waits.
   */
  reads: { pass<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> };
};

const pageSize = 1000;

export function createTopicHub({ topicMessages }: Pick<Ledger, 'topicMessages'>, feed: LedgerFeed): TopicHub {
  const byTopic = new Map<bigint, Set<TopicListener>>();
  const teller = createTeller(feed, tell);
  let count = 0;
  // Streams are bounded, and each waits for one at a time.
  const reads = createClientLine({
    concurrent: doorShares.feedReads.places,
    waiting: { count: Number.POSITIVE_INFINITY },
  });

  return {
    async join(topicId, listener) {
      const member = await teller.join();
      // What is being read now is not read for this one: it begins behind it.
      await teller.rested();
      const listeners = byTopic.get(topicId) ?? new Set();
      byTopic.set(topicId, listeners.add(listener));
      count += 1;
      return {
        since: teller.position(),
        leave() {
          if (!listeners.delete(listener)) return;
          count -= 1;
          if (listeners.size === 0 && byTopic.get(topicId) === listeners) byTopic.delete(topicId);
          member.leave();
        },
      };
    },
    count: () => count,
    reads: { pass: (work, signal) => reads.pass(currentClient(), work, signal && { signal }) },
  };

  async function* tell(after: bigint, to: bigint): AsyncGenerator<bigint> {
    for (let position = after; position < to; ) {
      const topics = [...byTopic.keys()];
      const span = { after: position, to, limit: pageSize };
      const messages = topics.length === 0 ? [] : await topicMessages.listNew(topics, span);
      for (const message of messages) {
        for (const listener of byTopic.get(message.topicId) ?? []) listener.onMessage(message);
      }
      // A page may end between messages: the next one begins behind its last.
      position = messages.length < pageSize ? to : messages.at(-1)!.consensusTimestamp;
      yield position;
    }
    for (const listeners of byTopic.values()) for (const listener of listeners) listener.onPosition(to);
  }
}
