// Questions about hooks, their storage, and services that registered.

import { anyRange, type Range } from '../../packages/kit/range.ts';
import { hotAccount } from '../../packages/test-support/rows/fill-ledger.ts';
import type { PlanQuestion } from './plan-question.ts';

export function hookQuestions(middle: bigint): PlanQuestion[] {
  const keys: [string, Range][] = [
    ['any', anyRange],
    ['from 500', { ...anyRange, from: 500n }],
    ['up to 500', { ...anyRange, to: 500n }],
    ['5 or 7', { ...anyRange, equals: [5n, 7n] }],
    ['not 5', { ...anyRange, notEquals: [5n] }],
  ];
  const times: [string, Range][] = [
    ['now', anyRange],
    ['until T', { ...anyRange, to: middle }],
    ['since T', { ...anyRange, from: middle }],
  ];
  return (['asc', 'desc'] as const).flatMap((order) => [
    ...keys.flatMap(([which, range]): PlanQuestion[] => [
      [
        `hooks, ${which}, ${order}`,
        (ledger) => ledger.hooks.list({ members: ['type'], ownerId: hotAccount, hookId: range, order, limit: 25 }),
      ],
      ...times.map(
        ([when, timestamp]): PlanQuestion => [
          `storage of a hook, ${which}, ${when}, ${order}`,
          (ledger) =>
            ledger.hooks.listStorage({ ownerId: hotAccount, hookId: 1n, key: range, timestamp, order, limit: 25 }),
        ],
      ),
      [
        `registered nodes, ${which}, ${order}`,
        (ledger) => ledger.registeredNodes.list({ id: range, type: null, order, limit: 25 }),
      ],
    ]),
    [
      `registered relays, ${order}`,
      (ledger) => ledger.registeredNodes.list({ id: anyRange, type: 'RPC_RELAY', order, limit: 25 }),
    ],
  ]);
}
