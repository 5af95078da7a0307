import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { overallStatus, worseImpact } from './overall-status.ts';
import { type ComponentStatus, componentStatuses, type Impact, impacts } from './status-state.ts';

const words: Record<string, ComponentStatus> = {
  ok: 'operational',
  maint: 'under_maintenance',
  degr: 'degraded_performance',
  part: 'partial_outage',
  major: 'major_outage',
};
const toLeaves = (text: string): ComponentStatus[] =>
  text
    .split(' ')
    .filter(Boolean)
    .map((word) => words[word]!);

describe('indicator and description', () => {
  test.each([
    ['', 'none', 'All Systems Operational'],
    ['ok', 'none', 'All Systems Operational'],
    ['maint', 'maintenance', 'Service Under Maintenance'],
    ['degr', 'minor', 'Partially Degraded Service'],
    ['part', 'major', 'Partial System Outage'],
    ['major', 'critical', 'Major System Outage'],
    ['ok ok', 'none', 'All Systems Operational'],
    ['major major', 'critical', 'Major System Outage'],
    ['major ok', 'major', 'Partial System Outage'],
    ['major part', 'major', 'Partial System Outage'],
    ['major degr ok maint', 'major', 'Partial System Outage'],
    ['part part', 'major', 'Partial System Outage'],
    ['part ok', 'minor', 'Minor Service Outage'],
    ['part degr', 'minor', 'Minor Service Outage'],
    ['part maint ok', 'minor', 'Minor Service Outage'],
    ['degr degr', 'minor', 'Degraded System Service'],
    ['degr ok', 'minor', 'Partially Degraded Service'],
    ['degr maint', 'minor', 'Partially Degraded Service'],
    ['maint maint', 'maintenance', 'Service Under Maintenance'],
    ['maint ok', 'maintenance', 'Service Under Maintenance'],
  ])('%s → %s, %s', (leaves, indicator, description) => {
    expect(overallStatus(toLeaves(leaves), [])).toEqual({ indicator, description });
  });

  test.each<[string, Impact[], Impact, string]>([
    ['ok ok', ['none'], 'none', 'All Systems Operational'],
    ['ok ok', ['minor'], 'minor', 'Minor Service Outage'],
    ['ok ok', ['major'], 'major', 'Partial System Outage'],
    ['ok ok', ['critical'], 'critical', 'Major System Outage'],
    ['ok ok', ['minor', 'critical', 'none'], 'critical', 'Major System Outage'],
    ['', ['minor'], 'minor', 'Minor Service Outage'],
    ['ok maint', ['minor'], 'minor', 'Minor Service Outage'],
    ['ok degr', ['critical'], 'minor', 'Partially Degraded Service'],
  ])('%s with open incidents of %j → %s', (leaves, open, indicator, description) => {
    expect(overallStatus(toLeaves(leaves), open)).toEqual({ indicator, description });
  });

  it('is the same in any order of components', () => {
    const leaves = fc.array(fc.constantFrom(...componentStatuses), { maxLength: 6 });
    const shuffled = leaves.chain((list) =>
      fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length, maxLength: list.length })),
    );
    fc.assert(
      fc.property(shuffled, ([list, other]) => {
        expect(overallStatus(other, [])).toEqual(overallStatus(list, []));
      }),
    );
  });

  it('is all well exactly where every component is operational', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...componentStatuses)), (leaves) => {
        const { indicator, description } = overallStatus(leaves, []);
        const isCalm = leaves.every((leaf) => leaf === 'operational');
        expect(indicator === 'none').toBe(isCalm);
        expect(description === 'All Systems Operational').toBe(isCalm);
      }),
    );
  });
});

test.each(impacts.map((impact, index) => [impact, impacts[index + 1] ?? impact] as const))(
  '%s is no worse than %s',
  (a, b) => {
    expect(worseImpact(a, b)).toBe(b);
    expect(worseImpact(b, a)).toBe(b);
  },
);
