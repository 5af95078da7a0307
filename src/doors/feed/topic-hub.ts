// New messages of topics for everyone in this process who waits for them: one query for each block, whatever their number.
import { createGate, type Gate } from '../../kit/gate.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { TopicMessage } from '../../ledger/topics/create-topic-messages.ts';
import type { Growth, LedgerFeed } from './ledger-feed.ts';

type TopicListener = {
  /** In order. */
  onMessage(message: TopicMessage): void;
  /** Every message up to this consensus time (ns) was told. */
  onPosition(position: bigint): void;
};

export type TopicHub = {
  /** The listener gets every message after `since`, a consensus time in ns, once and in order. */
  join(topicId: bigint, listener: TopicListener): Promise<{ since: bigint; leave(): void }>;
  count(): number;
  /** Reads of stored messages: few at once, so that many who come together leave room for others at the database. */
  history: Gate;
};

const pageSize = 1000;
const maxReading = 4;

export function createTopicHub({ topicMessages }: Pick<Ledger, 'topicMessages'>, feed: LedgerFeed): TopicHub {
  const byTopic = new Map<bigint, Set<TopicListener>>();
  let following: Promise<{ since: bigint; stop(): void }> | null = null;
  let telling: Promise<void> | null = null;
  let position = -1n;
  let count = 0;

  return {
    async join(topicId, listener) {
      // From here on: whoever leaves meanwhile does not end the following.
      count += 1;
      try {
        await follow();
      } catch (error) {
        count -= 1;
        throw error;
      }
      // What is being read now is not read for this one: it begins behind it.
      while (telling) await telling.catch(() => {});
      const listeners = byTopic.get(topicId) ?? new Set();
      byTopic.set(topicId, listeners.add(listener));
      return {
        since: position,
        leave() {
          if (!listeners.delete(listener)) return;
          count -= 1;
          if (listeners.size === 0 && byTopic.get(topicId) === listeners) byTopic.delete(topicId);
          if (count === 0) rest();
        },
      };
    },
    count: () => count,
    history: createGate(maxReading),
  };

  async function follow(): Promise<void> {
    if (!following) {
      const begun = feed.follow(tell);
      following = begun;
      begun.then(
        ({ since }) => {
          if (since > position) position = since;
        },
        () => {
          following = null;
        },
      );
    }
    await following;
  }

  function rest(): void {
    following?.then(
      ({ stop }) => stop(),
      () => {},
    );
    following = null;
  }

  /** What failed is told with the next growth. */
  async function tell({ to }: Growth): Promise<void> {
    while (telling) await telling.catch(() => {});
    telling = tellUpTo(to).finally(() => {
      telling = null;
    });
    return telling;
  }

  async function tellUpTo(to: bigint): Promise<void> {
    while (position < to) {
      const topics = [...byTopic.keys()];
      const span = { after: position, to, limit: pageSize };
      const messages = topics.length === 0 ? [] : await topicMessages.listNew(topics, span);
      for (const message of messages) {
        for (const listener of byTopic.get(message.topicId) ?? []) listener.onMessage(message);
      }
      // A page may end between messages: the next one begins behind its last.
      position = messages.length < pageSize ? to : messages.at(-1)!.consensusTimestamp;
    }
    for (const listeners of byTopic.values()) for (const listener of listeners) listener.onPosition(position);
  }
}
