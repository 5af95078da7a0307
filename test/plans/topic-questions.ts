// Questions about messages of topics, in every order and by every kind of condition.

import { anyRange, type Range } from '../../packages/kit/range.ts';
import { hotTopic } from '../../packages/test-support/rows/fill-ledger.ts';
import type { PlanQuestion } from './plan-question.ts';

/** In every suite: frequent questions, and those that once had a bad plan. */
export function topicQuestions(middle: bigint): PlanQuestion[] {
  const list = { topicId: hotTopic, sequenceNumber: anyRange, timestamp: anyRange, order: 'asc' as const, limit: 25 };
  return [
    ['messages of a topic', (ledger) => ledger.topicMessages.list(list)],
    ['newest messages of a topic', (ledger) => ledger.topicMessages.list({ ...list, order: 'desc' })],
    ...['asc' as const, 'desc' as const].map(
      (order): PlanQuestion => [
        `messages from a number, ${order}`,
        (ledger) => ledger.topicMessages.list({ ...list, sequenceNumber: { ...anyRange, from: 9000n }, order }),
      ],
    ),
    ['message of a topic', (ledger) => ledger.topicMessages.find(hotTopic, 5001n)],
    ['message by time', (ledger) => ledger.topicMessages.findByTime(middle)],
  ];
}

/** Every order with every kind of condition. */
export function furtherTopicQuestions(middle: bigint): PlanQuestion[] {
  const times: [string, Range][] = [
    ['any time', anyRange],
    ['until T', { ...anyRange, to: middle }],
    ['from T', { ...anyRange, from: middle }],
    ['not at T', { ...anyRange, notEquals: [middle] }],
  ];
  const numbers: [string, Range][] = [
    ['any number', anyRange],
    ['from 5000', { ...anyRange, from: 5000n }],
    ['up to 5000', { ...anyRange, to: 5000n }],
    ['4000 to 5000', { ...anyRange, from: 4000n, to: 5000n }],
    ['5000', { ...anyRange, equals: [5000n] }],
    ['not 5000', { ...anyRange, notEquals: [5000n] }],
    ['from 1 000 000 000', { ...anyRange, from: 1_000_000_000n }],
  ];
  const questions: PlanQuestion[] = [];
  for (const topicId of [hotTopic, hotTopic + 7n, 5n]) {
    for (const [when, timestamp] of times) {
      for (const [which, sequenceNumber] of numbers) {
        for (const order of ['asc', 'desc'] as const) {
          questions.push([
            `messages of ${topicId}, ${when}, ${which}, ${order}`,
            (ledger) => ledger.topicMessages.list({ topicId, sequenceNumber, timestamp, order, limit: 25 }),
          ]);
        }
      }
    }
  }
  return questions;
}
