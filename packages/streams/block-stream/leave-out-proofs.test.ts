// What is left out of state changes is what no row is made of, and the root of the block does not change by it.
import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { bytesField, intField, messageField } from '../../protocol/wire-writer.ts';
import { itemKinds, writeItem } from './block-item.ts';
import { blockMessages } from './block-messages.ts';
import { hashLeaf } from './hash-tree.ts';
import { leaveOutProofs } from './leave-out-proofs.ts';

const large = 200_000;

/** StateChanges of one MapUpdateChange for each value. */
function changes(values: [field: number, bytes: Buffer][]): Buffer {
  const list = values.map(([field, bytes], index) => {
    const key = messageField(1, [messageField(1, [intField(3, 1001 + index)])]);
    const update = messageField(5, [key, messageField(2, [bytesField(field, bytes)]), intField(3, 1)]);
    return messageField(2, [intField(1, 47), update]);
  });
  return Buffer.concat([messageField(1, [intField(1, 5)]), ...list].flat());
}

it('votes are left out, and all else is as it came', () => {
  const account = Buffer.concat(bytesField(5, randomBytes(large)));
  const bytecode = Buffer.concat(bytesField(1, randomBytes(large)));
  const vote = randomBytes(large);
  const item = writeItem(
    itemKinds.stateChanges,
    changes([
      [1, account],
      [27, vote],
      [3, bytecode],
      [27, Buffer.of(8, 1)],
    ]),
  );
  const left = leaveOutProofs(item);
  expect(left.leaf).toEqual(hashLeaf(item.bytes));
  const kept = changes([
    [1, account],
    [27, Buffer.alloc(0)],
    [3, bytecode],
    [27, Buffer.of(8, 1)],
  ]);
  expect(left.content.equals(kept)).toBe(true);
  expect(left.bytes.equals(writeItem(itemKinds.stateChanges, left.content).bytes)).toBe(true);
  const { stateChanges } = blockMessages.stateChanges.decode(left.content);
  expect(stateChanges.map(({ mapUpdate }) => Object.keys(mapUpdate!.value!))).toEqual([
    ['account'],
    ['historyProofVote'],
    ['bytecode'],
    ['historyProofVote'],
  ]);
});

it.each([
  ['without a vote', writeItem(itemKinds.stateChanges, changes([[1, randomBytes(large)]]))],
  ['that are small', writeItem(itemKinds.stateChanges, changes([[27, randomBytes(100)]]))],
  ['of another kind', writeItem(itemKinds.traceData, changes([[27, randomBytes(large)]]))],
])('items %s stay the same object', (_name, item) => {
  expect(leaveOutProofs(item)).toBe(item);
});

it('what keeps little of a large item does not keep its memory', () => {
  const item = writeItem(itemKinds.stateChanges, changes([[27, randomBytes(10 * large)]]));
  expect(leaveOutProofs(item).content.buffer.byteLength).toBeLessThan(100_000);
});
