import { expect, it } from 'vitest';
import { PlacesFull } from '../../../packages/kit/shares/client-places.ts';
import { noBlockWatch } from '../../../packages/store/notify/block-watch.ts';
import type { TopicMessage } from '../../ledger/topics/create-topic-messages.ts';
import { followTopic } from './follow-topic.ts';
import { createLedgerFeed } from './ledger-feed.ts';
import { createTopicHub } from './topic-hub.ts';

it('what is stored is asked again where it was refused for lack of room, and is sent once', async () => {
  const feed = createLedgerFeed({
    ...{ readEnd: async () => 9n, watch: noBlockWatch, onError: () => {}, lookEveryMs: 1, askEveryMs: 1 },
  });
  let asked = 0;
  const messages = {
    async list() {
      asked += 1;
      if (asked <= 2) throw new PlacesFull('all');
      return { items: [1n, 2n].map((at) => ({ topicId: 1n, consensusTimestamp: at }) as TopicMessage) };
    },
    listNew: async () => [],
  };
  const hub = createTopicHub({ topicMessages: messages as never }, feed);
  const span = { topicId: 1n, from: 0n, until: 5n, limit: null };
  const { signal } = new AbortController();
  const seen: bigint[] = [];
  const options = {
    ledger: { topicMessages: messages as never },
    hub,
    signal,
    maxWaiting: 10,
    onLag: () => new Error(),
  };
  for await (const message of followTopic(span, options)) seen.push(message.consensusTimestamp);
  expect([asked, seen]).toEqual([3, [1n, 2n]]);
  await feed.close();
});
