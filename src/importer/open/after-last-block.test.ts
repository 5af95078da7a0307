import { expect, test } from 'vitest';
import type { StreamBlock, TransactionItem } from '../../../packages/streams/stream/stream-block.ts';
import { afterLastBlock } from './after-last-block.ts';

const itemsAt = (...times: bigint[]) =>
  times.map((consensusTimestamp, index) => ({ index, consensusTimestamp }) as TransactionItem);

function blockOf(...times: bigint[]): StreamBlock {
  const [consensusStart, consensusEnd] = [times[0]!, times.at(-1)!];
  return { transactions: itemsAt(...times), consensusStart, consensusEnd } as StreamBlock;
}
const timesOf = ({ consensusStart, consensusEnd, transactions }: StreamBlock) => [
  [consensusStart, consensusEnd],
  transactions.map(({ consensusTimestamp }) => consensusTimestamp),
];

test('a block after the last one stays as it is', () => {
  const block = blockOf(11n, 12n);
  expect(afterLastBlock(block, 10n)).toEqual({ block, doubts: [] });
  expect(afterLastBlock(block, null).block).toBe(block);
});

test.each([
  [
    'some',
    [9n, 10n, 11n, 12n],
    [
      [11n, 12n],
      [11n, 12n],
    ],
    { count: 2, place: 0 },
  ],
  ['all', [9n, 10n], [[11n, 11n], []], { count: 2, place: 0 }],
] as const)('%s of its transactions repeat a time that has passed', (_name, times, expected, doubt) => {
  const { block, doubts } = afterLastBlock(blockOf(...times), 10n);
  expect(timesOf(block)).toEqual(expected);
  expect(doubts).toEqual([
    { kind: 'repeatedTime', text: expect.stringContaining('the stream repeats a consensus time'), ...doubt },
  ]);
});

test('what is completed later is left out, too', async () => {
  const block: StreamBlock = {
    ...blockOf(10n, 11n),
    incomplete: {
      questions: [],
      complete: async () => ({ transactions: itemsAt(10n, 11n), questions: [], doubts: [] }),
    },
  };
  const { incomplete } = afterLastBlock(block, 10n).block;
  expect((await incomplete!.complete(new Map())).transactions).toEqual([{ index: 1, consensusTimestamp: 11n }]);
});
