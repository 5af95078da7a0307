import { expect, test } from 'vitest';
import { readStatusRules } from './read-status-rules.ts';
import { defaultStatusRules } from './status-rules.ts';

test('what is not named stays as it is', () => {
  const rules = readStatusRules('{"timings":{"tickMs":500},"levels":{"api-slow":{"enterAt":800}}}');
  expect(rules.timings).toEqual({ ...defaultStatusRules.timings, tickMs: 500 });
  expect(rules.levels).toEqual({
    ...defaultStatusRules.levels,
    'api-slow': { ...defaultStatusRules.levels['api-slow'], enterAt: 800 },
  });
  expect(readStatusRules('{}')).toEqual(defaultStatusRules);
});

test.each([
  ['[]', 'must be a JSON object'],
  ['{"timing":{}}', 'know "timings" and "levels", not "timing"'],
  ['{"timings":5}', 'must have an object under "timings"'],
  ['{"timings":{"tick":5}}', 'have no number "tick" under "timings"'],
  ['{"timings":{"tickMs":-1}}', 'need a number of 0 or more for "tickMs" of "timings"'],
  ['{"timings":{"tickMs":"5"}}', 'need a number of 0 or more for "tickMs"'],
  ['{"levels":{"api-slw":{}}}', /^know api-slow, .*, not "api-slw"$/],
  ['{"levels":{"api-slow":{"title":"x"}}}', 'have no number "title" under "api-slow"'],
  ['{', /JSON/],
])('%s is refused', (text, message) => {
  expect(() => readStatusRules(text)).toThrow(message);
});
