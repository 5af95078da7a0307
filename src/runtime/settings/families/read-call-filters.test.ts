// Rules about calls, as an operator writes them.
import { expect, it } from 'vitest';
import { readCallFilters } from './read-call-filters.ts';

const endless = Number.POSITIVE_INFINITY;

it('reads action, rate, limit and conditions', () => {
  expect(readCallFilters('reject')).toEqual([{ action: 'reject', rate: 100, limit: endless, conditions: [] }]);
  expect(readCallFilters('throttle:5 from=0xAB|to~dead; log:10:1000 data~0X095EA7B3')).toEqual([
    {
      action: 'throttle',
      rate: 5,
      limit: endless,
      conditions: [
        { field: 'from', isWhole: true, text: 'ab' },
        { field: 'to', isWhole: false, text: 'dead' },
      ],
    },
    { action: 'log', rate: 10, limit: 1000, conditions: [{ field: 'data', isWhole: false, text: '095ea7b3' }] },
  ]);
  expect(readCallFilters('log:0 block=latest | estimate=TRUE|gas=21000|value=0')?.[0]?.conditions).toHaveLength(4);
});

it.each([
  '',
  ';',
  'refuse',
  'reject:101',
  'reject:-1',
  'reject data',
  'reject data=',
  'reject size=1',
  'log:1:',
  'log;',
])('refuses %j', (text) => {
  expect(readCallFilters(text)).toBe(null);
});
