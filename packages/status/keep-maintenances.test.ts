import { describe, expect, it, test } from 'vitest';
import { beginning, createRehearsal, type Rehearsal } from '../test-support/status/status-rehearsal.ts';
import { cancelMaintenance, changeIncident, openIncident, scheduleMaintenance } from './operator-changes.ts';
import { OperatorError } from './operator-error.ts';
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
const byHand =
  (rehearsal: Rehearsal, id: string) =>
  (asked: Parameters<typeof changeIncident>[3]): void =>
    rehearsal.say((state, now) => changeIncident(state, 'maintenance', id, asked, { ...author, now }));
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
  const change = byHand(rehearsal, id);
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

/** Per update, oldest first: status, and what its components were and are. */
const changesOf = (rehearsal: Rehearsal) =>
  maintenanceOf(rehearsal)
    .updates.map(({ status, affectedComponents }) => [
      status,
      ...affectedComponents!.map(({ oldStatus, newStatus }) => `${oldStatus} > ${newStatus}`),
    ])
    .toReversed();

describe('updates name the states from then on', () => {
  const whole = [
    ['scheduled', 'operational > operational'],
    ['in_progress', 'operational > under_maintenance'],
    ['verifying', 'under_maintenance > under_maintenance'],
    ['completed', 'under_maintenance > operational'],
  ];
  it('by the clock', () => {
    const rehearsal = createRehearsal();
    plan(rehearsal, 1, 2);
    rehearsal.pass(600);
    expect(changesOf(rehearsal)).toEqual(whole);
  });
  it('by hand', () => {
    const rehearsal = createRehearsal();
    const change = byHand(rehearsal, plan(rehearsal, 100, 200));
    change({ status: 'in_progress' });
    change({ status: 'completed' });
    expect(changesOf(rehearsal)).toEqual([whole[0], whole[1], whole[3]]);
  });
  it('of one that is begun at once', () => {
    const rehearsal = createRehearsal();
    rehearsal.say((state, now) =>
      scheduleMaintenance(
        state,
        {
          ...{ name: 'Now', body: 'At once.', status: 'in_progress', components: { database: null } },
          ...{ scheduledFor: now, scheduledUntil: now + minute },
        },
        { ...author, now },
      ),
    );
    expect(changesOf(rehearsal)).toEqual([whole[1]]);
  });
  it('also of one that is cancelled, or leaves a problem behind', () => {
    const cancelled = createRehearsal();
    const id = plan(cancelled, 1, 20);
    cancelled.pass(120);
    cancelled.say((state, now) => cancelMaintenance(state, id, {}, { ...author, now }));
    expect(changesOf(cancelled)).toEqual([whole[0], whole[1], whole[3]]);
    const overrun = createRehearsal();
    plan(overrun, 1, 5);
    overrun.pass(36 * 60, { 'database.down': 1 });
    expect(changesOf(overrun)).toEqual([whole[0], whole[1], ['completed', 'under_maintenance > major_outage']]);
  });
  it('at instants of their own', () => {
    const rehearsal = createRehearsal();
    const change = byHand(rehearsal, plan(rehearsal, 100, 200));
    change({ status: 'in_progress' });
    change({ body: 'The first disk is in.' });
    change({ status: 'completed' });
    const instants = maintenanceOf(rehearsal).updates.map(({ displayAt }) => displayAt);
    expect(instants).toEqual([...new Set(instants)].sort((a, b) => b - a));
  });
});

describe('what an operator set for its components', () => {
  const held = { components: { database: 'partial_outage' as const }, body: 'Half of it is off.' };
  it.each<[string, (rehearsal: Rehearsal, id: string) => void]>([
    ['is completed by hand', (rehearsal, id) => byHand(rehearsal, id)({ status: 'completed' })],
    ['is completed by the clock', (rehearsal) => rehearsal.pass(60 * 60)],
    [
      'is cancelled',
      (rehearsal, id) => rehearsal.say((state, now) => cancelMaintenance(state, id, {}, { ...author, now })),
    ],
  ])('ends when it %s', (_how, end) => {
    const rehearsal = createRehearsal();
    const id = plan(rehearsal, 1, 30);
    rehearsal.pass(120);
    byHand(rehearsal, id)(held);
    rehearsal.pass(60);
    expect(rehearsal.component('database').status).toBe('partial_outage');
    end(rehearsal, id);
    expect(rehearsal.component('database')).toMatchObject({ status: 'operational', override: null });
    expect(maintenanceOf(rehearsal).updates[0]!.affectedComponents).toMatchObject([
      { oldStatus: expect.any(String), newStatus: 'operational' },
    ]);
    const changes = Object.values(rehearsal.state.changes).filter(({ what }) => what === 'component');
    expect(changes.at(-1)).toMatchObject({ old: { status: 'partial_outage' }, new: { status: null } });
  });
  it('ends with its postmortem, also where it was never resolved', () => {
    const rehearsal = createRehearsal();
    rehearsal.say((state, now) =>
      openIncident(state, { name: 'Fire', body: 'Smoke.', components: { api: 'major_outage' } }, { ...author, now }),
    );
    const { id } = rehearsal.incidents()[0]!;
    rehearsal.pass(60);
    rehearsal.say((state, now) =>
      changeIncident(state, 'incident', id, { status: 'postmortem', body: 'A cable.' }, { ...author, now }),
    );
    expect(rehearsal.component('api')).toMatchObject({ status: 'operational', override: null });
    expect(rehearsal.incidents()[0]!.updates[0]!.affectedComponents).toMatchObject([{ newStatus: 'operational' }]);
  });
  it('lasts while another maintenance of them goes on', () => {
    const rehearsal = createRehearsal();
    const first = plan(rehearsal, 1, 30);
    const second = plan(rehearsal, 1, 60);
    rehearsal.pass(120);
    byHand(rehearsal, second)(held);
    rehearsal.pass(10);
    byHand(rehearsal, first)({ status: 'completed' });
    expect(rehearsal.component('database').status).toBe('partial_outage');
    rehearsal.pass(10);
    byHand(rehearsal, second)({ status: 'completed' });
    expect(rehearsal.component('database').status).toBe('operational');
  });
});

test('one that has begun and is moved to later is planned again', () => {
  const rehearsal = createRehearsal();
  const id = plan(rehearsal, 1, 5);
  rehearsal.pass(90);
  expect(maintenanceOf(rehearsal).status).toBe('in_progress');
  byHand(rehearsal, id)({ scheduledFor: beginning + 60 * minute, scheduledUntil: beginning + 90 * minute });
  expect(maintenanceOf(rehearsal)).toMatchObject({ status: 'scheduled', resolvedAt: null });
  expect(maintenanceOf(rehearsal).updates[0]).toMatchObject({
    body: 'The maintenance was moved to a later time.',
    affectedComponents: [{ oldStatus: 'under_maintenance', newStatus: 'operational' }],
  });
  expect(rehearsal.component('database').status).toBe('operational');
  rehearsal.pass(60 * 60);
  expect(maintenanceOf(rehearsal).status).toBe('in_progress');
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
