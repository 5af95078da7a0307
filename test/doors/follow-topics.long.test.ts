import { expect, it } from 'vitest';
import { followTopics } from './follow-topics.ts';

it('a killed server costs followers of a topic no message', async () => {
  const done = await followTopics({ texts: 1000, subscribers: 10, followers: 3, kills: 1, load: null });
  expect([done.messages, done.killed, done.seen]).toEqual([1200, 1, Array.from({ length: 13 }, () => 1200)]);
  expect(done.comebacks).toBeGreaterThan(0);
});
