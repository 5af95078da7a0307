import { expect, test } from 'vitest';
import { UsageError } from '../runtime/settings/usage-error.ts';
import { splitArguments } from './split-arguments.ts';

const own = { body: { placeholder: '<text>', description: '' }, component: { placeholder: '<name>', description: '' } };

test.each<[string[], ReturnType<typeof splitArguments>]>([
  [[], { words: [], flags: { body: [], component: [] }, settings: [] }],
  [
    ['incident', 'open', 'Slow answers', '--body', 'We look.', '--data-dir', './x'],
    {
      words: ['incident', 'open', 'Slow answers'],
      flags: { body: ['We look.'], component: [] },
      settings: ['--data-dir=./x'],
    },
  ],
  [
    ['--component=api=partial_outage', 'a', '--component', 'import', '--log-level=debug', '--', '--b'],
    {
      words: ['a', '--b'],
      flags: { body: [], component: ['api=partial_outage', 'import'] },
      settings: ['--log-level=debug'],
    },
  ],
])('%j', (argv, expected) => {
  expect(splitArguments(argv, own)).toEqual(expected);
});

test('a flag without a placeholder takes no value', () => {
  const flags = { all: { placeholder: '', description: '' } };
  expect(splitArguments(['--all', 'a'], flags)).toEqual({ words: ['a'], flags: { all: ['true'] }, settings: [] });
  expect(splitArguments(['a'], flags).flags).toEqual({ all: [] });
  expect(() => splitArguments(['--all=x'], flags)).toThrow(UsageError);
});

test('what is no flag is refused', () => {
  expect(() => splitArguments(['--bdy', 'x'], own)).toThrow(UsageError);
});
