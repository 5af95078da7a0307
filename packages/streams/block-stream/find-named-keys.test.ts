// Which keys a block names: hand-made state changes, and blocks of real networks beside the key of their proofs.
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findWireBytes } from '../../protocol/wire-fields.ts';
import { bytesField, intField, messageField } from '../../protocol/wire-writer.ts';
import { findRealData } from '../../test-support/streams/real-data.ts';
import { itemKinds, splitBlock, writeItem } from './block-item.ts';
import { findNamedKeys } from './find-named-keys.ts';
import { unpackBlockFile } from './unpack-block-file.ts';

const keyOf = (seed: number, length = 1096) => Buffer.alloc(length, seed);

/** A hints construction with this scheme, as the value or the changed fields of a singleton. */
function change(key: Uint8Array, { partial = false, cleared = [] as number[], packed = true, field = 14 } = {}) {
  const scheme = messageField(6, [messageField(1, [bytesField(1, Buffer.alloc(40, 3)), bytesField(2, key)])]);
  const clears = packed
    ? cleared.length > 0
      ? [bytesField(25, Buffer.from(cleared))]
      : []
    : cleared.map((number) => intField(25, number));
  const update = [messageField(field, [intField(1, 7), scheme]), ...(partial ? [intField(24, 1)] : []), ...clears];
  return messageField(2, [intField(1, 38), messageField(4, update)]);
}

const changes = (...all: ReturnType<typeof change>[]) =>
  writeItem(itemKinds.stateChanges, Buffer.concat([messageField(1, [intField(1, 5)]), ...all].flat()));
const bytesOf = (keys: readonly Uint8Array[]) => keys.map((key) => Buffer.from(key));

describe('keys that state changes name', () => {
  it.each([
    ['a whole construction', change(keyOf(1)), true, 0],
    ['changed fields of it', change(keyOf(1), { partial: true }), true, 0],
    ['changed fields with others cleared', change(keyOf(1), { partial: true, cleared: [3, 11] }), true, 0],
    ['the same, not packed', change(keyOf(1), { partial: true, cleared: [3, 11], packed: false }), true, 0],
    ['a scheme that is cleared as well', change(keyOf(1), { partial: true, cleared: [3, 6] }), false, 1],
    ['the same, not packed', change(keyOf(1), { partial: true, cleared: [6], packed: false }), false, 1],
    ['numbers that do not ascend', change(keyOf(1), { partial: true, cleared: [5, 3] }), false, 1],
    ['the same, not packed', change(keyOf(1), { partial: true, cleared: [5, 3], packed: false }), false, 1],
    ['a number twice', change(keyOf(1), { partial: true, cleared: [3, 3] }), false, 1],
    ['another field that is there and cleared', change(keyOf(1), { partial: true, cleared: [1] }), false, 1],
    ['a whole construction with cleared fields', change(keyOf(1), { cleared: [3] }), false, 1],
    ['another singleton', change(keyOf(1), { field: 16 }), false, 0],
    ['a shorter key beside enough other bytes', change(keyOf(1, 1095)), false, 1],
    ['a longer key', change(keyOf(1, 1097)), false, 1],
  ])('%s', (_name, made, isNamed, problems) => {
    const found = findNamedKeys([changes(made)]);
    expect(bytesOf(found.keys)).toEqual(isNamed ? [keyOf(1)] : []);
    expect(found.problems).toHaveLength(problems);
  });

  it('each key once, in the order of the block, and a few only', () => {
    const many = Array.from({ length: 12 }, (_, index) => change(keyOf(index % 10)));
    const found = findNamedKeys([changes(many[4]!, many[2]!), changes(...many)]);
    expect(bytesOf(found.keys).map(([first]) => first)).toEqual([4, 2, 0, 1, 3, 5, 6, 7]);
    expect(found.problems).toEqual(Array(2).fill('more than 8 hinTS keys are named: only the first ones are read'));
  });

  it('are copies', () => {
    const item = changes(change(keyOf(1)));
    const { keys } = findNamedKeys([item]);
    item.content.fill(9);
    expect(bytesOf(keys)).toEqual([keyOf(1)]);
  });

  it('any bytes: nothing but keys and problems comes of them', () => {
    const good = changes(change(keyOf(1), { partial: true, cleared: [3] })).content;
    fc.assert(
      fc.property(fc.nat(good.length - 1), fc.nat(255), fc.nat(good.length), (at, value, end) => {
        const content = Buffer.from(good).subarray(0, Math.max(end, 1200));
        content[at % content.length] = value;
        const { keys, problems } = findNamedKeys([{ kind: 7, content, bytes: content }]);
        expect(keys.every(({ length }) => length === 1096)).toBe(true);
        expect(problems.every((problem) => problem.length > 0)).toBe(true);
      }),
    );
  });
});

const real = findRealData('blocks');
describe.skipIf(real.isAbsent)(`blocks of real networks${real.hint}`, () => {
  it.each(['0.73', '0.77', '0.78', '0.78-settled'])('block 0 of %s names the key that signs it', (version) => {
    const path = `${real.path}/consensus-node-${version}/0.blk.gz`;
    const items = splitBlock(unpackBlockFile(readFileSync(path)));
    const proof = items.find(({ kind }) => kind === itemKinds.blockProof)!;
    const signature = findWireBytes(findWireBytes(proof.content, 2)!, 1)!;
    const { keys, problems } = findNamedKeys(items);
    expect(bytesOf(keys)).toEqual([signature.subarray(0, 1096)]);
    expect(problems).toEqual([]);
  });
});
