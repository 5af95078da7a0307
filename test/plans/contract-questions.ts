// Questions about contracts: lists of contracts, of results of one, of logs, calls and storage, in every order and by
// every kind of condition; and single results by every name.

import { anyRange, type Condition, type Range } from '../../packages/kit/range.ts';
import { firstTimestamp, hotAccount, hotContract } from '../../packages/test-support/rows/fill-ledger.ts';
import type { PlanQuestion } from './plan-question.ts';

const orders = ['asc', 'desc'] as const;
const limit = 25;

export function contractQuestions(middle: bigint): PlanQuestion[] {
  const week = 7n * 86_400_000_000_000n;
  const times: [string, Range][] = [
    ['any time', anyRange],
    ['until T', { ...anyRange, to: middle }],
    ['from T', { ...anyRange, from: middle }],
    ['a week until T', { ...anyRange, from: middle - week, to: middle }],
    ['at T', { ...anyRange, equals: [middle] }],
  ];
  return [
    ...ofContracts(),
    [
      'versions of a contract',
      (ledger) => ledger.contracts.listVersions({ contractId: hotContract, before: middle, limit }),
    ],
    ...ofResults(middle, times),
    ...ofLogs(middle, times),
    ...ofState(middle),
    ...ofExecutions(middle),
  ];
}

function ofContracts(): PlanQuestion[] {
  const ids: [string, Range][] = [
    ['any', anyRange],
    ['from an id', { ...anyRange, from: 5000n }],
    ['up to an id', { ...anyRange, to: 5000n }],
    ['two ids', { ...anyRange, equals: [1500n, 1510n] }],
    ['not an id', { ...anyRange, notEquals: [1500n] }],
  ];
  return orders.flatMap((order): PlanQuestion[] => [
    ...ids.map(
      ([which, id]): PlanQuestion => [
        `contracts, ${which}, ${order}`,
        (ledger) => ledger.contracts.list({ id: { ...id, addresses: [] }, order, limit }),
      ],
    ),
    [
      `contracts at an address, ${order}`,
      (ledger) =>
        ledger.contracts.list({ id: { ...anyRange, equals: [-1n], addresses: [Buffer.alloc(20, 3)] }, order, limit }),
    ],
  ]);
}

function ofResults(middle: bigint, times: readonly [string, Range][]): PlanQuestion[] {
  const anyone = { equals: [], others: [] };
  const question = {
    sender: anyone,
    block: null,
    transactionIndexes: [],
    internal: false,
    timestamp: anyRange,
    limit,
    synthetic: true,
  };
  return orders.flatMap((order): PlanQuestion[] => [
    ...times.flatMap(([when, timestamp]) =>
      [true, false].map(
        (synthetic): PlanQuestion => [
          `results of a contract, ${when}, ${order}, ${synthetic}`,
          (ledger) => ledger.contractResults.listOf(hotContract, { ...question, timestamp, order, synthetic }),
        ],
      ),
    ),
    [
      `results of a contract by sender, ${order}`,
      (ledger) =>
        ledger.contractResults.listOf(hotContract, {
          ...question,
          sender: { equals: [hotAccount], others: [] },
          order,
        }),
    ],
    [
      `results of a contract in a block, ${order}`,
      (ledger) =>
        ledger.contractResults.listOf(hotContract, {
          ...question,
          block: { number: (middle - firstTimestamp) / 4_000_000_000n },
          transactionIndexes: [1n],
          internal: true,
          order,
        }),
    ],
  ]);
}

function ofLogs(middle: bigint, times: readonly [string, Range][]): PlanQuestion[] {
  const topic = Buffer.alloc(32, 5);
  const noTopics = [[], [], [], []];
  const index = { ...anyRange, from: 1n };
  return [null, hotContract, 55n].flatMap((contractId) =>
    orders.flatMap((order): PlanQuestion[] => {
      const question = { contractId, index: anyRange, topics: noTopics, transactionHash: null, order, limit };
      const whose = contractId === null ? 'all contracts' : contractId;
      return [
        ...times.map(
          ([when, timestamp]): PlanQuestion => [
            `logs of ${whose}, ${when}, ${order}`,
            (ledger) => ledger.contractLogs.list({ ...question, timestamp }),
          ],
        ),
        [
          `logs of ${whose} from a time and position, ${order}`,
          (ledger) => ledger.contractLogs.list({ ...question, timestamp: { ...anyRange, from: middle }, index }),
        ],
        [
          `logs of ${whose} at a position of a time, ${order}`,
          (ledger) => ledger.contractLogs.list({ ...question, timestamp: { ...anyRange, equals: [middle] }, index }),
        ],
        [
          `logs of ${whose} by topics of an hour, ${order}`,
          (ledger) =>
            ledger.contractLogs.list({
              ...question,
              timestamp: { ...anyRange, from: middle, to: middle + 3_600_000_000_000n },
              topics: [[topic, Buffer.alloc(0)], [], [topic], []],
            }),
        ],
        [
          `logs of ${whose} by transaction, ${order}`,
          (ledger) =>
            ledger.contractLogs.list({ ...question, timestamp: anyRange, transactionHash: Buffer.alloc(48, 7) }),
        ],
      ];
    }),
  );
}

function ofState(middle: bigint): PlanQuestion[] {
  const slots: [string, Range][] = [
    ['any slot', anyRange],
    ['from a slot', { ...anyRange, from: 2n ** 255n }],
    ['up to a slot', { ...anyRange, to: 2n ** 255n }],
    ['two slots', { ...anyRange, equals: [5n, 2n ** 255n] }],
  ];
  const ofContract = { contractId: hotContract, byBytes: null };
  return orders.flatMap((order) =>
    slots.flatMap(([which, slot]): PlanQuestion[] => [
      [
        `storage as of T by bytes, ${which}, ${order}`,
        (ledger) => {
          const { from, to, equals } = slot;
          const byBytes: Condition[] = equals.map((value) => ({ operator: 'eq', value }));
          if (from !== null) byBytes.push({ operator: 'gte', value: from });
          if (to !== null) byBytes.push({ operator: 'lte', value: to });
          const timestamp = { ...anyRange, to: middle };
          return ledger.contracts.listState({ ...ofContract, slot, timestamp, byBytes, order, limit });
        },
      ],
      [
        `storage, ${which}, ${order}`,
        (ledger) => ledger.contracts.listState({ ...ofContract, slot, timestamp: anyRange, order, limit }),
      ],
      [
        `storage as of T, ${which}, ${order}`,
        (ledger) => {
          const timestamp = { ...anyRange, to: middle };
          return ledger.contracts.listState({ ...ofContract, slot, timestamp, order, limit });
        },
      ],
      [
        `storage of a week, ${which}, ${order}`,
        (ledger) => {
          const timestamp = { ...anyRange, from: middle - 604_800_000_000_000n, to: middle };
          return ledger.contracts.listState({ ...ofContract, slot, timestamp, order, limit });
        },
      ],
    ]),
  );
}

function ofExecutions(middle: bigint): PlanQuestion[] {
  // Every other transaction has a result, by the hash of its number.
  const consensusTimestamp = middle - ((middle - firstTimestamp) % 4_000_000_000n);
  const byHash = { kind: 'hash', hash: Buffer.alloc(32, 7) } as const;
  const byId = { kind: 'id', payerAccountId: hotAccount, validStart: consensusTimestamp - 1n, nonce: 0n } as const;
  const calls = { members: ['input'] as const, limit };
  return [
    ...[true, false].flatMap((synthetic): PlanQuestion[] => {
      const ofContract = { contractId: hotContract, synthetic };
      return [
        [`result by hash, ${synthetic}`, (ledger) => ledger.contractResults.find(byHash, { synthetic })],
        [`result by id, ${synthetic}`, (ledger) => ledger.contractResults.find(byId, { synthetic })],
        [
          `result by time, ${synthetic}`,
          (ledger) => ledger.contractResults.findAt(consensusTimestamp, { contractId: null, synthetic }),
        ],
        [
          `result of a contract by time, ${synthetic}`,
          (ledger) => ledger.contractResults.findAt(consensusTimestamp, ofContract),
        ],
      ];
    }),
    ...orders.map(
      (order): PlanQuestion => [
        `calls of a transaction by time and payer, ${order}`,
        (ledger) =>
          ledger.contractResults.listActionsAt(
            { consensusTimestamp, payerAccountId: hotAccount },
            { ...calls, index: { ...anyRange, from: 1n }, order },
          ),
      ],
    ),
    ...orders.flatMap((order) =>
      [byHash, byId].flatMap((execution): PlanQuestion[] => [
        [
          `calls of a transaction by ${execution.kind}, ${order}`,
          (ledger) => ledger.contractResults.listActions({ ...calls, execution, index: anyRange, order }),
        ],
        [
          `calls of a transaction by ${execution.kind} from the second on, ${order}`,
          (ledger) =>
            ledger.contractResults.listActions({ ...calls, execution, index: { ...anyRange, from: 1n }, order }),
        ],
      ]),
    ),
    ...[byHash, byId].map(
      (execution): PlanQuestion => [
        `calls of a transaction by ${execution.kind} that no index can have`,
        (ledger) =>
          ledger.contractResults.listActions({
            ...calls,
            execution,
            index: { ...anyRange, from: 2n, to: 1n },
            order: 'asc',
          }),
      ],
    ),
  ];
}
