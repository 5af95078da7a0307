// Values of immutables as the page shows them, with names and without, whatever was stored.
import { expect, it } from 'vitest';
import type { ImmutableName } from '../../../../packages/verification/layout/name-immutables.ts';
import { readImmutables, showImmutables } from './immutables.ts';

const word = (value: bigint): string => `0x${value.toString(16).padStart(64, '0')}`;
const none: ReadonlyMap<string, ImmutableName> = new Map();
const shown = (given: unknown, names: ReadonlyMap<string, ImmutableName> = none) => {
  const value = showImmutables(readImmutables(given, names));
  return value === null ? null : String((value as { markup: string }).markup);
};

it.each<[type: string, plainType: string | null, value: string, text: string]>([
  ['uint256', 'uint256', word(1_234_567n), '1,234,567'],
  ['int256', 'int256', word(2n ** 256n - 5000n), '-5,000'],
  ['ICounter', 'address', word(0x1234n), '0x0000000000000000000000000000000000001234'],
  ['address', 'address', word(1n << 200n), word(1n << 200n)],
  ['bool', 'bool', word(1n), 'true'],
  ['Phase', 'uint8', word(2n), '2'],
  ['Price', null, word(7n), word(7n)],
  ['int8', 'int8', word(2n ** 256n - 2n), '-2'],
  ['bytes4', 'bytes4', `0xdeadbeef${'00'.repeat(28)}`, `0xdeadbeef${'00'.repeat(28)}`],
])('%s as %s: %s is %s', (type, plainType, value, text) => {
  const markup = shown({ immutables: { '9': value } }, new Map([['9', { name: 'one', type, plainType }]]))!;
  expect(markup).toContain('one');
  expect(markup).toContain(`<code class="faint"><bdi>${type}</bdi></code> <code>${text}</code>`);
});

it('values are in the order of their declarations, and those without a name are shown as they are', () => {
  const immutables = { '90': word(5n), '101': word(7n), '12': word(0xabcdefn) };
  const names = new Map([['90', { name: 'limit', type: 'uint256', plainType: 'uint256' }]]);
  expect(readImmutables({ immutables }, names).map(({ named, value }) => [named?.name, value])).toEqual([
    [undefined, word(0xabcdefn)],
    ['limit', word(5n)],
    [undefined, word(7n)],
  ]);
  expect(shown({ immutables }, names)).toContain(`<li><code>${word(7n)}</code></li>`);
});

it.each([
  null,
  [],
  {},
  { immutables: null },
  { immutables: [] },
  { immutables: { x: '0x00', 1: 5, 2: '<b>', 3: '0x0' } },
])('no immutables in %j', (given) => {
  expect(readImmutables(given, none)).toEqual([]);
  expect(shown(given)).toBeNull();
});
