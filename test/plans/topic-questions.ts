// Questions about messages of topics, in every order and by every kind of condition.
import { anyRange, type Range } from '../../src/kit/range.ts';
import { hotTopic } from './fill-ledger.ts';
import type { PlanQuestion } from './plan-questions.ts';

export function topicQuestions(middle: bigint): PlanQuestion[] {
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
    questions.push([`message 5001 of ${topicId}`, (ledger) => ledger.topicMessages.find(topicId, 5001n)]);
  }
  questions.push(['message by time', (ledger) => ledger.topicMessages.findByTime(middle)]);
  return questions;
}
