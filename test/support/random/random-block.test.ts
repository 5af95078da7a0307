import type protobuf from 'protobufjs';
import { expect, test } from 'vitest';
import { createSecondDecoder, type Plain } from '../../oracle/read/second-decoder.ts';
import { createRandomBlocks, type RandomBlock, type TableItem, tableItems } from './random-block.ts';

const decoder = createSecondDecoder();

test('a block is what was put in', () => {
  const blocks = createRandomBlocks(decoder, 'put in');
  for (let count = 0; count < 60; count++) {
    const { items, bytes } = blocks.block({ redacted: count % 2 === 0, filtered: count % 3 === 0 });
    const decoded = decoder.decodeBlock(bytes);
    expect(decoded.length).toBe(items.length);
    for (const [place, { kind, message }] of items.entries()) {
      const [content] = Object.values(decoded[place]);
      if (kind === 4) expect(content).toEqual(message);
      else if (kind in tableItems)
        expect(content).toEqual(decoder.decode(tableItems[kind as TableItem], encode(kind, message)));
      else expect(decoded[place]).toEqual({});
    }
  }
});

test('the same seed makes the same blocks, another one makes others', () => {
  const make = (seed: string) => createRandomBlocks(decoder, seed).block().bytes;
  expect(make('one')).toEqual(make('one'));
  expect(make('one')).not.toEqual(make('two'));
});

test('every field of every message of the table occurs, and every one may be absent', () => {
  const blocks = createRandomBlocks(decoder, 'coverage');
  const seen = new Map<string, { present: number; absent: number }>();
  for (const kind of Object.keys(tableItems).map(Number) as TableItem[]) {
    // State changes have the most members to choose from.
    const many = kind === 7 ? 3000 : 250;
    for (let count = 0; count < many; count++) note(decoder.type(tableItems[kind]), blocks.item(kind).message, seen);
  }
  const incomplete = [...seen].filter(([, { present, absent }]) => present === 0 || absent === 0);
  expect(incomplete.map(([name]) => name)).toEqual([]);
  expect(seen.size).toBeGreaterThan(190);
});

test('redacted, filtered and unknown items, batches that end early, transactions without result', () => {
  const blocks = createRandomBlocks(decoder, 'shapes');
  const shapes = new Set<string>();
  for (let count = 0; count < 80; count++)
    for (const shape of shapesOf(blocks.block({ redacted: true, filtered: true }))) shapes.add(shape);
  expect([...shapes].sort()).toEqual(['filtered', 'inner', 'lost result', 'node', 'redacted', 'unknown']);
});

function shapesOf({ items, transactions }: RandomBlock): string[] {
  return [
    ...items.flatMap(({ kind }) => (kind === 8 ? 'filtered' : kind === 19 ? 'redacted' : kind > 20 ? 'unknown' : [])),
    ...transactions.flatMap(({ isInner, result }) => [
      ...(isInner ? ['inner'] : []),
      ...(result === null ? ['lost result'] : result === undefined ? ['node'] : []),
    ]),
  ];
}

function encode(kind: number, message: Plain): Uint8Array {
  const type = decoder.type(tableItems[kind as TableItem]);
  return type.encode(type.fromObject(message)).finish();
}

/** Counts the fields of messages of the table itself, not those of HAPI. */
function note(type: protobuf.Type, message: Plain, seen: Map<string, { present: number; absent: number }>): void {
  if (type.parent?.name !== 'table') return;
  for (const field of type.fieldsArray) {
    const value = message[field.name];
    const isPresent = value !== undefined && !(Array.isArray(value) && value.length === 0);
    const name = `${type.name}.${field.name}`;
    const counts = seen.get(name) ?? { present: 0, absent: 0 };
    counts[isPresent ? 'present' : 'absent'] += 1;
    seen.set(name, counts);
    const { resolvedType } = field;
    if (!isPresent || !resolvedType || !('fieldsArray' in resolvedType)) continue;
    for (const one of field.repeated ? value : [value]) note(resolvedType, one, seen);
  }
}
