// What the parts report, and what rules and components of the status name.
import { expect, test } from 'vitest';
import {
  type RemarkName,
  type Reporter,
  type SignalName,
  signalsOf,
} from '../../../../packages/status/signal-names.ts';
import { statusComponents } from '../../../../packages/status/status-components.ts';
import { defaultStatusRules } from '../../../../packages/status/status-rules.ts';

const reporters = Object.keys(signalsOf) as Reporter[];
const names: SignalName[] = reporters.flatMap((reporter) => [...signalsOf[reporter]]);

test('a signal is reported by one part', () => {
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

test('rules and components name signals that a part reports', () => {
  const rules = Object.values(defaultStatusRules.levels).map(({ signal }) => signal);
  const needed = statusComponents.flatMap(({ needs }) => needs);
  expect(names).toEqual(expect.arrayContaining([...rules, ...needed]));
});

test('a component shows a remark that is reported', () => {
  const remarks: Record<RemarkName, true> = {
    'import.ended': true,
    'stream.proof': true,
    'database.extent': true,
    'network.newest': true,
    'network.version': true,
    'network.name': true,
  };
  expect(Object.keys(remarks)).toEqual(expect.arrayContaining(statusComponents.flatMap(({ remark }) => remark ?? [])));
});
