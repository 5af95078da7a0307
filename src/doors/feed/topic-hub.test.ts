// Whoever joins while the last one leaves is told all the same.
import { expect, it, vi } from 'vitest';
import { pause } from '../../../packages/kit/pause.ts';
import { noBlockWatch } from '../../../packages/store/notify/block-watch.ts';
import type { TopicMessage } from '../../ledger/topics/create-topic-messages.ts';
import { createLedgerFeed } from './ledger-feed.ts';
import { createTopicHub } from './topic-hub.ts';

it('a join while messages are read and the last one leaves', async () => {
  let end = 5n;
  let reads = 0;
  const feed = createLedgerFeed({
    ...{ readEnd: async () => end, watch: noBlockWatch, onError: () => {}, lookEveryMs: 1, askEveryMs: 1 },
  });
  const messages = {
    async listNew(_topics: readonly bigint[], { to }: { to: bigint }) {
      reads += 1;
      await pause(20);
      return [{ topicId: 1n, consensusTimestamp: to } as TopicMessage];
    },
  };
  const hub = createTopicHub({ topicMessages: messages as never }, feed);
  const told: bigint[] = [];
  const listener = {
    onMessage: (message: TopicMessage) => void told.push(message.consensusTimestamp),
    onPosition() {},
  };
  const first = await hub.join(1n, { onMessage() {}, onPosition() {} });
  end = 6n;
  await vi.waitUntil(() => reads === 1, { interval: 1 });
  const joining = hub.join(1n, listener);
  first.leave();
  const { since, leave } = await joining;
  end = 7n;
  await vi.waitUntil(() => told.length > 0);
  expect([since, told[0]]).toEqual([6n, 7n]);
  leave();
  await feed.close();
});
