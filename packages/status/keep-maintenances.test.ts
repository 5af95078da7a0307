import { describe, expect, it, test } from 'vitest';
import { beginning, createRehearsal, type Rehearsal } from '../test-support/status/status-rehearsal.ts';
import { cancelMaintenance, changeIncident, OperatorError, scheduleMaintenance } from './operator-changes.ts';
import { listIncidents } from './shown.ts';

const author = { by: 'kim' };
const minute = 60_000;

function plan(rehearsal: Rehearsal, fromMinutes: number, untilMinutes: number): string {
  rehearsal.say((state, now) =>
    scheduleMaintenance(
      state,
      {
        name: 'New disks',
        body: 'Answers may be slow.',
        components: { database: null },
        scheduledFor: beginning + fromMinutes * minute,
        scheduledUntil: beginning + untilMinutes * minute,
      },
      { ...author, now },
    ),
  );
  return maintenanceOf(rehearsal).id;
}

const maintenanceOf = (rehearsal: Rehearsal) => listIncidents(rehearsal.state, 'maintenance')[0]!;
const storyOf = (rehearsal: Rehearsal) =>
  maintenanceOf(rehearsal)
    .updates.map(({ status }) => status)
    .toReversed();

describe('a planned maintenance', () => {
  const rehearsal = createRehearsal();
  plan(rehearsal, 10, 30);
  it('is announced first, which changes nothing', () => {
    expect(maintenanceOf(rehearsal)).toMatchObject({ status: 'scheduled', impact: 'maintenance' });
    expect(maintenanceOf(rehearsal).updates[0]!.affectedComponents).toMatchObject([
      { oldStatus: 'operational', newStatus: 'operational' },
    ]);
    rehearsal.pass(9 * 60);
    expect(rehearsal.component('database').status).toBe('operational');
  });
  it('begins by the clock', () => {
    rehearsal.pass(60);
    expect(maintenanceOf(rehearsal).status).toBe('in_progress');
    expect(rehearsal.component('database').status).toBe('under_maintenance');
    expect(rehearsal.component('mirror').status).toBe('under_maintenance');
  });
  it('goes on measuring without opening an incident', () => {
    rehearsal.pass(15 * 60, { 'database.down': 1 });
    expect(rehearsal.component('database')).toMatchObject({ status: 'under_maintenance', measured: 'major_outage' });
    expect(rehearsal.incidents()).toEqual([]);
    rehearsal.pass(4 * 60, { 'database.down': 0 });
  });
  it('is watched and completed once its time is over', () => {
    rehearsal.pass(2 * 60);
    expect(maintenanceOf(rehearsal).status).toBe('verifying');
    rehearsal.pass(5 * 60);
    expect(storyOf(rehearsal)).toEqual(['scheduled', 'in_progress', 'verifying', 'completed']);
    expect(rehearsal.component('database').status).toBe('operational');
  });
});

test('one that leaves trouble behind for half an hour becomes an incident', () => {
  const rehearsal = createRehearsal();
  plan(rehearsal, 1, 5);
  rehearsal.pass(34 * 60, { 'database.down': 1 });
  expect(maintenanceOf(rehearsal).status).toBe('in_progress');
  expect(rehearsal.incidents()).toEqual([]);
  rehearsal.pass(60);
  expect(maintenanceOf(rehearsal).status).toBe('completed');
  expect(rehearsal.component('database').status).toBe('major_outage');
  expect(rehearsal.incidents()).toMatchObject([
    { name: 'Overrun: New disks', status: 'investigating', impact: 'major' },
  ]);
  rehearsal.pass(600);
  expect(rehearsal.incidents()).toHaveLength(1);
  rehearsal.pass(60 + 600, { 'database.down': 0 });
  expect(rehearsal.incidents()).toMatchObject([{ status: 'resolved' }]);
});

test('one can be begun, prolonged and completed by hand', () => {
  const rehearsal = createRehearsal();
  const id = plan(rehearsal, 100, 200);
  const change = (asked: Parameters<typeof changeIncident>[3]): void =>
    rehearsal.say((state, now) => changeIncident(state, 'maintenance', id, asked, { ...author, now }));
  change({ status: 'in_progress' });
  expect(rehearsal.component('database').status).toBe('under_maintenance');
  change({ scheduledUntil: beginning + 300 * minute });
  rehearsal.pass(250 * 60);
  expect(maintenanceOf(rehearsal).status).toBe('in_progress');
  change({ status: 'completed', body: 'Done early.' });
  expect(rehearsal.component('database').status).toBe('operational');
  expect(storyOf(rehearsal)).toEqual(['scheduled', 'in_progress', 'completed']);
});

test('one can be cancelled, before and while it lasts, and is shown as cancelled', () => {
  const rehearsal = createRehearsal();
  const id = plan(rehearsal, 10, 200);
  const cancel = (asked = {}) => rehearsal.say((state, now) => cancelMaintenance(state, id, asked, { ...author, now }));
  rehearsal.pass(11 * 60);
  expect(rehearsal.component('database').status).toBe('under_maintenance');
  cancel({ body: 'The disks have not come.' });
  expect(maintenanceOf(rehearsal)).toMatchObject({ status: 'completed', isCancelled: true });
  expect(maintenanceOf(rehearsal).updates[0]!.body).toBe('The disks have not come.');
  expect(rehearsal.component('database').status).toBe('operational');
  rehearsal.pass(600);
  expect(maintenanceOf(rehearsal).status).toBe('completed');
  expect(() => cancel()).toThrow(/over already/);
});

test('one in the past is refused, unless it is entered as completed', () => {
  const rehearsal = createRehearsal();
  expect(() => plan(rehearsal, -30, -10)).toThrow(/"scheduled_until" is over already/);
  const id = plan(rehearsal, 10, 30);
  const move = () =>
    rehearsal.say((state, now) =>
      changeIncident(state, 'maintenance', id, { scheduledFor: 1, scheduledUntil: now }, { ...author, now }),
    );
  expect(move).toThrow(/"scheduled_until" is over already/);
  rehearsal.say((state, now) =>
    scheduleMaintenance(
      state,
      { name: 'Done', body: 'As planned.', status: 'completed', scheduledFor: 1, scheduledUntil: 2 },
      { ...author, now },
    ),
  );
});

test.each([
  ['no name', { body: 'x', scheduledFor: 1, scheduledUntil: 2 }],
  ['no text', { name: 'x', scheduledFor: 1, scheduledUntil: 2 }],
  ['no time', { name: 'x', body: 'x' }],
  ['an end before its beginning', { name: 'x', body: 'x', scheduledFor: 2, scheduledUntil: 2 }],
  ['a status of incidents', { name: 'x', body: 'x', scheduledFor: 1, scheduledUntil: 2, status: 'resolved' as const }],
  [
    'a component that is not there',
    { name: 'x', body: 'x', scheduledFor: 1, scheduledUntil: 2, components: { nothing: null } },
  ],
])('a maintenance with %s is refused', (_what, asked) => {
  const { state } = createRehearsal();
  expect(() => scheduleMaintenance(state, asked, { ...author, now: 0 })).toThrow(OperatorError);
});
