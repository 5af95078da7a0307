// What an honest page never shows, checked over random courses of events.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRehearsal, type Rehearsal } from '../test-support/status/status-rehearsal.ts';
import { isAtHand, isWorse } from './judge-components.ts';
import { changeIncident, scheduleMaintenance } from './operator-changes.ts';
import { overallStatus } from './overall-status.ts';
import { isActiveMaintenance, isOpenIncident, listIncidents } from './shown.ts';
import { defaultStatusRules } from './status-rules.ts';

const { timings, levels } = defaultStatusRules;

const troubles: Record<string, Record<string, number>> = {
  calm: { 'database.down': 0, 'api.p95Ms': 5, 'api.errorShare': 0, 'network.silentMs': 1000, 'import.halted': 0 },
  'database down': { 'database.down': 1 },
  'slow answers': { 'api.p95Ms': 9000 },
  'some errors': { 'api.errorShare': 0.02 },
  'many errors': { 'api.errorShare': 0.8 },
  'silent network': { 'network.silentMs': 900_000 },
  'halted import': { 'import.halted': 1 },
};

const step = fc.record({
  kind: fc.constantFrom('signals', 'signals', 'signals', 'silence', 'sleep', 'maintenance', 'held', 'released'),
  trouble: fc.constantFrom(...Object.keys(troubles)),
  ticks: fc.integer({ min: 1, max: 90 }),
});

type Step = { trouble: string; ticks: number };

const kinds: Record<string, (rehearsal: Rehearsal, step: Step) => void> = {
  signals: (rehearsal, { trouble, ticks }) => rehearsal.pass(ticks * 10, troubles[trouble]),
  silence: (rehearsal, { ticks }) => rehearsal.fallSilent(ticks * 10),
  sleep(rehearsal, { ticks }) {
    rehearsal.now += ticks * 60_000;
    rehearsal.pass(10);
  },
  maintenance: (rehearsal, { ticks }) =>
    rehearsal.say((state, now) => {
      const window = { scheduledFor: now + 60_000, scheduledUntil: now + ticks * 60_000 + 60_001 };
      return scheduleMaintenance(
        state,
        { name: 'x', body: 'x', components: { database: null }, ...window },
        { by: 'kim', now },
      );
    }),
  held: (rehearsal) => changeOpen(rehearsal, { body: 'x' }),
  released: (rehearsal) => changeOpen(rehearsal, { body: 'x', release: true }),
};

function changeOpen(rehearsal: Rehearsal, asked: Parameters<typeof changeIncident>[3]): void {
  const open = rehearsal.incidents().find(isOpenIncident);
  if (open) rehearsal.say((state, now) => changeIncident(state, 'incident', open.id, asked, { by: 'kim', now }));
}

function assertHonest({ state, now }: Rehearsal): void {
  const leaves = Object.values(state.components).filter(({ group }) => !group);
  const open = listIncidents(state, 'incident').filter(isOpenIncident);
  const maintained = Object.values(state.incidents)
    .filter(isActiveMaintenance)
    .flatMap(({ componentIds }) => componentIds);
  for (const component of leaves) {
    const { id, name, status, measured, unknown, troubleMs } = component;
    const isCovered = open.some(({ componentIds }) => componentIds.includes(id));
    const hasLasted = troubleMs.outage >= timings.outageOpensMs || troubleMs.degraded >= timings.degradedOpensMs;
    // What only lingers, because its signals are well again for less than it takes to leave, opens nothing any more.
    const isDue = hasLasted && isAtHand(state, component, levels);
    expect(isDue && !isCovered, `${name} is in trouble and no incident is open`).toBe(false);
    if (!maintained.includes(id)) expect(status, name).toBe(measured);
    else expect(status, name).toBe('under_maintenance');
    expect(unknown && measured === 'operational', `${name} is unknown and shown as operational`).toBe(false);
  }
  const group = Object.values(state.components).find((component) => component.group)!;
  for (const child of leaves.filter(({ groupId }) => groupId === group.id))
    expect(isWorse(child.status, group.status)).toBe(false);
  for (const incident of open.filter(({ heldBy }) => heldBy === null)) {
    const members = leaves.filter(({ id }) => incident.componentIds.includes(id));
    const isTroubled = members.some(({ troubleSince }) => troubleSince !== null);
    if (incident.status === 'investigating') expect(isTroubled, 'an open incident on healthy components').toBe(true);
    if (incident.status === 'monitoring') expect(isTroubled, 'a calm incident on troubled components').toBe(false);
  }
  for (const incident of Object.values(state.incidents)) {
    const instants = incident.updates.map(({ createdAt }) => createdAt);
    expect(instants).toEqual(instants.toSorted((a, b) => b - a));
    expect(incident.status).toBe(incident.updates[0]!.status);
    expect(new Set(incident.updates.map(({ id }) => id)).size).toBe(incident.updates.length);
    if (isActiveMaintenance(incident) && now - incident.scheduledUntil! >= timings.maintenanceOverrunMs) {
      const members = leaves.filter(({ id }) => incident.componentIds.includes(id));
      const isTroubled = members.some(({ measured }) => measured !== 'operational');
      expect(isTroubled, 'a maintenance that covers trouble for longer than it may').toBe(false);
    }
  }
  const statuses = leaves.map(({ status }) => status);
  const { indicator } = overallStatus(
    statuses,
    open.map(({ impact }) => impact),
  );
  if (statuses.some((status) => status !== 'operational')) expect(indicator).not.toBe('none');
}

test('whatever happens, the page is honest', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 14 }), (steps) => {
      const rehearsal = createRehearsal();
      for (const each of steps) {
        kinds[each.kind]!(rehearsal, each);
        // One tick brings what a person just changed to where it belongs.
        rehearsal.fallSilent(10);
        assertHonest(rehearsal);
      }
    }),
    { numRuns: 60 },
  );
});

test('whatever has happened, it ends well', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 10 }), (steps) => {
      const rehearsal = createRehearsal();
      for (const each of steps) kinds[each.kind]!(rehearsal, each);
      while (rehearsal.incidents().some(({ heldBy }) => heldBy !== null)) {
        const held = rehearsal.incidents().find(({ heldBy }) => heldBy !== null)!;
        rehearsal.say((state, now) =>
          changeIncident(state, 'incident', held.id, { release: true }, { by: 'kim', now }),
        );
      }
      // Longer than the longest maintenance that was planned, and the rest that follows it.
      rehearsal.pass(3 * 3600, troubles.calm);
      expect(rehearsal.incidents().filter(isOpenIncident)).toEqual([]);
      expect(Object.values(rehearsal.state.components).map(({ status }) => status)).toEqual(
        Array(6).fill('operational'),
      );
    }),
    { numRuns: 25 },
  );
});
