import { expect, test } from 'vitest';
import { describeDoubts } from './describe-doubts.ts';

test('kinds, blocks and the first place are named', () => {
  const one = { kind: 'trace', count: 1n, blocks: 1n, firstBlock: 7n, lastBlock: 7n, place: null, text: 'a trace: 1' };
  const many = {
    ...one,
    kind: 'transactionWithoutResult',
    count: 5n,
    blocks: 2n,
    lastBlock: 9n,
    place: 12,
    text: 'none: 3',
  };
  expect(describeDoubts([])).toBe('');
  expect(describeDoubts([one, many])).toBe(
    '; not shown, or shown in part, since it is doubtful: 1 traces that cannot be read, or may be those of another transaction (in block 7: a trace: 1), ' +
      '5 signed transactions that have no result in their block (in 2 blocks from block 7, item 12, to block 9: none: 3)',
  );
});
