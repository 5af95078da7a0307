// An operator's rules about calls.
import { expect, it } from 'vitest';
import { type CallFilter, createCallFilters, describeCall, type FilteredCall } from './call-filters.ts';

const address = 0xabcdef0000000000000000000000000000000123n;
const call: FilteredCall = {
  from: address,
  to: 0x3e9n,
  value: 7n,
  data: Buffer.from('095ea7b3ff', 'hex'),
  gas: 50_000,
  estimate: false,
  block: null,
};
const all: CallFilter = { action: 'reject', rate: 100, limit: Number.POSITIVE_INFINITY, conditions: [] };

it.each<[CallFilter['conditions'][number]['field'], string, string]>([
  ['block', 'latest', 'late'],
  ['data', '095ea7b3ff', 'a7b3'],
  ['estimate', 'false', 'als'],
  ['from', 'abcdef0000000000000000000000000000000123', 'abcdef'],
  ['gas', '50000', '500'],
  ['to', `${'0'.repeat(37)}3e9`, '3e9'],
  ['value', '7', '7'],
])('matches %s by its text, or a part of it', (field, text, part) => {
  const check = (isWhole: boolean, given: string) =>
    createCallFilters([{ ...all, conditions: [{ field, isWhole, text: given }] }]).check(call);
  expect([check(true, text), check(false, part), check(false, 'zz'), check(true, `${text}0`)]).toEqual([
    'filter',
    'filter',
    null,
    null,
  ]);
});

it('knows blocks by number and hash, and a creation has no target', () => {
  const check = (given: Partial<FilteredCall>, field: 'block' | 'to', text: string) =>
    createCallFilters([{ ...all, conditions: [{ field, isWhole: true, text }] }]).check({ ...call, ...given });
  expect(check({ block: { number: 12n } }, 'block', '12')).toBe('filter');
  expect(check({ block: { hashPrefix: 'ab' } }, 'block', 'ab')).toBe('filter');
  expect(check({ block: 'earliest' }, 'block', 'earliest')).toBe('filter');
  expect(check({ to: null }, 'to', '')).toBe('filter');
});

it('needs one condition of several, or none', () => {
  const [hit, miss] = [
    { field: 'value', isWhole: true, text: '7' } as const,
    { field: 'gas', isWhole: true, text: '1' } as const,
  ];
  const check = (conditions: CallFilter['conditions']) => createCallFilters([{ ...all, conditions }]).check(call);
  expect([check([miss, hit]), check([miss]), check([])]).toEqual(['filter', null, 'filter']);
});

it('takes a part of the calls, and looks at no more than its limit', () => {
  let random = 0.29;
  const part = createCallFilters([{ ...all, rate: 30 }], { random: () => random });
  expect(part.check(call)).toBe('filter');
  random = 0.3;
  expect(part.check(call)).toBe(null);
  expect(createCallFilters([{ ...all, rate: 0 }], { random: () => 0 }).check(call)).toBe(null);
  const limited = createCallFilters([{ ...all, limit: 2 }]);
  expect([limited.check(call), limited.check(call), limited.check(call)]).toEqual(['filter', 'filter', null]);
});

it('lets some calls through in a second', () => {
  let now = 0;
  const filters = createCallFilters([{ ...all, action: 'throttle', rate: 2 }], { clock: () => now });
  expect([1, 2, 3].map(() => filters.check(call))).toEqual([null, null, 'requests']);
  now = 500;
  expect([1, 2].map(() => filters.check(call))).toEqual([null, 'requests']);
});

it('logs calls, and then looks at the next rule', () => {
  const logged: FilteredCall[] = [];
  const options = { onLogged: (one: FilteredCall) => logged.push(one) };
  expect(createCallFilters([{ ...all, action: 'log' }, all], options).check(call)).toBe('filter');
  expect(logged).toEqual([call]);
  expect(describeCall({ ...call, data: new Uint8Array(1000) })).toEqual({
    block: 'latest',
    data: '0'.repeat(300),
    estimate: 'false',
    from: 'abcdef0000000000000000000000000000000123',
    gas: '50000',
    to: `${'0'.repeat(37)}3e9`,
    value: '7',
  });
});
