import { describe, expect, it, test } from 'vitest';
import { createRehearsal, type Rehearsal } from '../test-support/status/status-rehearsal.ts';
import {
  changeComponent,
  changeIncident,
  deleteIncident,
  openIncident,
  scheduleMaintenance,
} from './operator-changes.ts';

const statusesOf = (rehearsal: Rehearsal): string[] =>
  rehearsal
    .incidents()[0]!
    .updates.map(({ status }) => status)
    .toReversed();

describe('an outage', () => {
  const rehearsal = createRehearsal();
  it('becomes an incident after two minutes', () => {
    rehearsal.pass(30 + 110, { 'database.down': 1 });
    expect(rehearsal.incidents()).toEqual([]);
    rehearsal.pass(10);
    const [incident, ...others] = rehearsal.incidents();
    expect(others).toEqual([]);
    expect(incident).toMatchObject({
      name: 'The database does not answer',
      status: 'investigating',
      impact: 'major',
      cause: 'database',
      heldBy: null,
      startedAt: rehearsal.now - 120_000,
    });
    expect(incident!.updates[0]).toMatchObject({
      body: 'Database: major outage, the database does not answer.',
      by: 'automatic',
      affectedComponents: [{ name: 'Ledger Mirror - Database', oldStatus: 'operational', newStatus: 'major_outage' }],
    });
  });
  it('takes in the components that hang together with it', () => {
    rehearsal.pass(240, { 'api.down': 1, 'import.silentMs': 300_000 });
    expect(rehearsal.incidents()).toHaveLength(1);
    expect(rehearsal.incidents()[0]!.componentIds).toHaveLength(3);
    expect(rehearsal.incidents()[0]!.updates[0]!.affectedComponents).toHaveLength(3);
  });
  it('is watched once all is well, and resolved after ten clean minutes', () => {
    rehearsal.pass(60, { 'api.down': 0, 'import.silentMs': 1000, 'database.down': 0 });
    expect(rehearsal.incidents()[0]).toMatchObject({ status: 'monitoring', monitoringAt: rehearsal.now });
    rehearsal.pass(590);
    expect(rehearsal.incidents()[0]!.status).toBe('monitoring');
    rehearsal.pass(10);
    expect(rehearsal.incidents()[0]).toMatchObject({ status: 'resolved', impact: 'major', resolvedAt: rehearsal.now });
    expect(new Set(statusesOf(rehearsal))).toEqual(new Set(['investigating', 'monitoring', 'resolved']));
  });
  it('is the same incident when it comes back within a quarter of an hour', () => {
    rehearsal.pass(300);
    rehearsal.pass(150, { 'database.down': 1 });
    expect(rehearsal.incidents()).toHaveLength(1);
    expect(rehearsal.incidents()[0]).toMatchObject({ status: 'investigating', resolvedAt: null });
    expect(rehearsal.incidents()[0]!.updates[0]!.body).toMatch(/^The trouble is back\./);
  });
  it('is another one later', () => {
    rehearsal.pass(60 + 600, { 'database.down': 0 });
    expect(rehearsal.incidents()[0]!.status).toBe('resolved');
    rehearsal.pass(1000);
    rehearsal.pass(150, { 'database.down': 1 });
    expect(rehearsal.incidents()).toHaveLength(2);
  });
});

test('trouble that is over does not become an incident while its rule is still in force', () => {
  const rehearsal = createRehearsal();
  rehearsal.pass(30 + 70, { 'database.down': 1 });
  rehearsal.pass(60, { 'database.down': 0 });
  expect(rehearsal.incidents()).toEqual([]);
  expect(rehearsal.component('database').status).toBe('operational');
});

test('an incident speaks of the moment of its cause, also when that is over', () => {
  const rehearsal = createRehearsal();
  for (let second = 130; second <= 240; second += 10) rehearsal.pass(10, { 'network.silentMs': second * 1000 });
  expect(rehearsal.incidents()).toEqual([]);
  rehearsal.pass(10, { 'network.silentMs': 250_000 });
  const body = rehearsal.incidents()[0]!.updates[0]!.body;
  expect(body).toBe('Hedera Testnet | Network Uptime: partial outage, no new file for 250 s.');
  rehearsal.pass(10, { 'network.silentMs': 2000 });
  expect(rehearsal.component('network')).toMatchObject({
    status: 'partial_outage',
    reason: 'no new file for 250 s',
  });
});

test('the name follows the cause that is found', () => {
  const rehearsal = createRehearsal();
  rehearsal.pass(130, { 'import.silentMs': 200_000 });
  expect(rehearsal.incidents()).toMatchObject([{ name: 'No new transactions', cause: 'import' }]);
  rehearsal.pass(130, { 'network.silentMs': 200_000 });
  expect(rehearsal.incidents()).toMatchObject([{ name: 'The network publishes no new files', cause: 'network' }]);
  expect(rehearsal.incidents()[0]!.updates[0]!.body).toMatch(/^First reported as "No new transactions"\.\n/);
  // What is over before the rest was the cause all the same.
  rehearsal.pass(90, { 'network.silentMs': 1000 });
  expect(rehearsal.component('network').status).toBe('operational');
  expect(rehearsal.component('import').status).toBe('partial_outage');
  expect(rehearsal.incidents()[0]!.name).toBe('The network publishes no new files');
});

test('a cause that gets better keeps the name of its worst', () => {
  const rehearsal = createRehearsal();
  rehearsal.pass(190, { 'database.writeFails': 1 });
  expect(rehearsal.incidents()).toMatchObject([{ name: 'The database does not take new data' }]);
  rehearsal.pass(60, { 'database.down': 1 });
  expect(rehearsal.incidents()[0]!.name).toBe('The database does not answer');
  rehearsal.pass(90, { 'database.down': 0 });
  expect(rehearsal.component('database').status).toBe('partial_outage');
  expect(rehearsal.incidents()[0]!.name).toBe('The database does not answer');
});

test('what begins at the same moment is named after its cause at once', () => {
  const rehearsal = createRehearsal();
  rehearsal.pass(130, { 'import.halted': 1, 'stream.broken': 1 });
  expect(rehearsal.incidents()).toMatchObject([{ name: 'A file of the stream cannot be proved', cause: 'continuity' }]);
  expect(
    rehearsal
      .incidents()[0]!
      .updates.map(({ body }) => body)
      .join(),
  ).not.toContain('First reported');
});

test('a slow self-test on a busy machine is shown, and is no incident', () => {
  const rehearsal = createRehearsal();
  rehearsal.pass(3600, { 'verification.checkMs': 50_000, 'verification.down': 0 });
  expect(rehearsal.incidents()).toEqual([]);
});

test('what is only degraded becomes an incident after ten minutes', () => {
  const rehearsal = createRehearsal();
  rehearsal.pass(60 + 590, { 'api.p95Ms': 4000 });
  expect(rehearsal.incidents()).toEqual([]);
  rehearsal.pass(10);
  expect(rehearsal.incidents()).toMatchObject([{ name: 'Slow answers', impact: 'minor' }]);
});

test('an incident that gets worse says so, and its impact is never lowered', () => {
  const rehearsal = createRehearsal();
  rehearsal.pass(190, { 'api.errorShare': 0.1 });
  expect(rehearsal.incidents()[0]).toMatchObject({ impact: 'minor', updates: [{}] });
  rehearsal.pass(60, { 'api.errorShare': 0.9 });
  expect(rehearsal.incidents()[0]!.impact).toBe('major');
  expect(rehearsal.incidents()[0]!.updates[0]!.affectedComponents).toMatchObject([
    { oldStatus: 'partial_outage', newStatus: 'major_outage' },
  ]);
  rehearsal.pass(180, { 'api.errorShare': 0.1 });
  expect(rehearsal.component('api').status).toBe('partial_outage');
  expect(rehearsal.incidents()[0]!.impact).toBe('major');
});

test('up and down every 20 seconds for ten minutes is one incident', () => {
  const rehearsal = createRehearsal();
  for (let round = 0; round < 15; round += 1) {
    rehearsal.pass(20, { 'database.down': 1 });
    rehearsal.pass(20, { 'database.down': 0 });
  }
  expect(rehearsal.incidents()).toHaveLength(1);
  expect(rehearsal.incidents()[0]!.updates).toHaveLength(1);
  rehearsal.pass(60 + 600);
  expect(rehearsal.incidents()).toHaveLength(1);
  expect(statusesOf(rehearsal)).toEqual(['investigating', 'monitoring', 'resolved']);
});

test('a slow up and down is one incident that goes back to investigating', () => {
  const rehearsal = createRehearsal();
  for (let round = 0; round < 4; round += 1) {
    rehearsal.pass(200, { 'database.down': 1 });
    rehearsal.pass(200, { 'database.down': 0 });
  }
  expect(rehearsal.incidents()).toHaveLength(1);
  expect(statusesOf(rehearsal).slice(0, 4)).toEqual(['investigating', 'monitoring', 'investigating', 'monitoring']);
});

test('what has nothing to do with an incident gets its own', () => {
  const rehearsal = createRehearsal();
  rehearsal.pass(200, { 'api.errorShare': 0.1 });
  rehearsal.pass(200, { 'network.silentMs': 300_000 });
  expect(rehearsal.incidents().map(({ name }) => name)).toEqual(['The network publishes no new files', 'Queries fail']);
});

test('a mirror that says nothing becomes one incident for all of its components', () => {
  const rehearsal = createRehearsal();
  rehearsal.fallSilent(120 + 620);
  expect(rehearsal.incidents()).toHaveLength(1);
  expect(rehearsal.incidents()[0]!.componentIds).toHaveLength(5);
});

test('time without measurements does not count as trouble', () => {
  const rehearsal = createRehearsal();
  rehearsal.pass(30 + 60, { 'database.down': 1 });
  // The machine slept, or the service did not run.
  rehearsal.now += 3_600_000;
  rehearsal.pass(10);
  expect(rehearsal.incidents()).toEqual([]);
  rehearsal.pass(60);
  expect(rehearsal.incidents()).toHaveLength(1);
});

describe('a person', () => {
  const author = { by: 'kim' };
  it('keeps what was said until it is released', () => {
    const rehearsal = createRehearsal();
    rehearsal.pass(160, { 'database.down': 1 });
    const { id } = rehearsal.incidents()[0]!;
    rehearsal.say((state, now) =>
      changeIncident(
        state,
        'incident',
        id,
        { status: 'identified', impact: 'critical', body: 'A disk broke.' },
        { ...author, now },
      ),
    );
    rehearsal.pass(1200, { 'database.down': 0 });
    expect(rehearsal.incidents()).toMatchObject([{ status: 'identified', impact: 'critical', heldBy: 'kim' }]);
    expect(rehearsal.incidents()[0]!.updates.map(({ by }) => by)).toEqual(['kim', 'automatic']);
    rehearsal.say((state, now) => changeIncident(state, 'incident', id, { release: true }, { ...author, now }));
    rehearsal.pass(10 + 600);
    expect(rehearsal.incidents()).toMatchObject([{ status: 'resolved', impact: 'critical', heldBy: null }]);
  });

  it('opens an incident that the automation does not double', () => {
    const rehearsal = createRehearsal();
    rehearsal.say((state, now) =>
      openIncident(state, { name: 'Fire', body: 'It burns.', components: { database: null } }, { ...author, now }),
    );
    rehearsal.pass(600, { 'database.down': 1 });
    expect(rehearsal.incidents()).toMatchObject([{ name: 'Fire', updates: [{ body: 'It burns.' }] }]);
  });

  it('says what a component shows, whatever is measured', () => {
    const rehearsal = createRehearsal();
    rehearsal.pass(60, { 'database.down': 1 });
    rehearsal.say((state, now) => changeComponent(state, 'database', 'operational', { ...author, now }));
    rehearsal.pass(600);
    expect(rehearsal.component('database')).toMatchObject({ status: 'operational', measured: 'major_outage' });
    expect(rehearsal.incidents()).toEqual([]);
    rehearsal.say((state, now) => changeComponent(state, 'database', null, { ...author, now }));
    expect(rehearsal.component('database').status).toBe('major_outage');
  });

  it('does not silence an outage that comes after the word', () => {
    const rehearsal = createRehearsal();
    rehearsal.pass(60, { 'database.down': 1 });
    rehearsal.say((state, now) => changeComponent(state, 'database', 'operational', { ...author, now }));
    rehearsal.pass(300, { 'database.down': 0 });
    expect(rehearsal.incidents()).toEqual([]);
    rehearsal.pass(30 + 130, { 'database.down': 1 });
    expect(rehearsal.component('database').status).toBe('operational');
    expect(rehearsal.incidents()).toMatchObject([{ name: 'The database does not answer', impact: 'major' }]);
    expect(rehearsal.incidents()[0]!.updates[0]!.body).toMatch(/^Database: major outage/);
  });

  it('deletes an incident, which the trouble at hand does not bring back; the next one is announced', () => {
    const rehearsal = createRehearsal();
    rehearsal.pass(160, { 'database.down': 1 });
    const { id } = rehearsal.incidents()[0]!;
    rehearsal.say((state, now) => deleteIncident(state, id, { ...author, now }));
    expect(rehearsal.incidents()).toEqual([]);
    expect(Object.values(rehearsal.state.changes).at(-1)).toMatchObject({ by: 'kim', id, new: null });
    rehearsal.pass(1200);
    expect(rehearsal.incidents()).toEqual([]);
    rehearsal.pass(120, { 'database.down': 0 });
    rehearsal.pass(160, { 'database.down': 1 });
    expect(rehearsal.incidents()).toHaveLength(1);
    expect(() => deleteIncident(rehearsal.state, 'nothing', { ...author, now: 0 })).toThrow(/no incident nothing/);
  });

  it('ends an incident, and with it what it said of the components', () => {
    const rehearsal = createRehearsal();
    rehearsal.say((state, now) =>
      openIncident(
        state,
        { name: 'Fire', body: 'It burns.', components: { api: 'partial_outage' } },
        { ...author, now },
      ),
    );
    expect(rehearsal.component('api').status).toBe('partial_outage');
    expect(rehearsal.incidents()[0]).toMatchObject({
      impact: 'minor',
      updates: [{ affectedComponents: [{ newStatus: 'partial_outage' }] }],
    });
    rehearsal.pass(60);
    const { id } = rehearsal.incidents()[0]!;
    rehearsal.say((state, now) => changeIncident(state, 'incident', id, { status: 'resolved' }, { ...author, now }));
    expect(rehearsal.component('api').status).toBe('operational');
    expect(rehearsal.incidents()[0]!.updates[0]).toMatchObject({
      affectedComponents: [{ oldStatus: 'partial_outage', newStatus: 'operational' }],
    });
  });
});

describe('one incident is one fault', () => {
  const outage = { 'database.down': 1, 'api.down': 1 };
  const calm = { 'database.down': 0, 'api.down': 0 };
  const resolved = (): Rehearsal => {
    const rehearsal = createRehearsal();
    rehearsal.pass(300, outage);
    rehearsal.pass(60 + 600, calm);
    expect(rehearsal.incidents()).toMatchObject([{ status: 'resolved', cause: 'database' }]);
    expect(rehearsal.incidents()[0]!.componentIds).toHaveLength(2);
    return rehearsal;
  };
  it('a consequence that fails alone within a quarter of an hour is another one', () => {
    const rehearsal = resolved();
    rehearsal.pass(400, { 'api.down': 1 });
    const [newest, oldest] = rehearsal.incidents();
    expect(oldest).toMatchObject({ status: 'resolved', cause: 'database' });
    expect(newest).toMatchObject({ status: 'investigating', cause: 'api' });
    expect(newest!.updates[0]!.body).not.toContain('back');
  });
  it('cause and consequence together are the same again', () => {
    const rehearsal = resolved();
    rehearsal.pass(300, outage);
    expect(rehearsal.incidents()).toMatchObject([{ status: 'investigating', cause: 'database' }]);
  });
  it('what a maintenance covers is not said to work', () => {
    const rehearsal = createRehearsal();
    rehearsal.pass(200, { 'database.down': 1 });
    rehearsal.say((state, now) =>
      scheduleMaintenance(
        state,
        {
          ...{ name: 'Repair', body: 'Now.', status: 'in_progress', components: { database: null } },
          ...{ scheduledFor: now, scheduledUntil: now + 3_600_000 },
        },
        { by: 'kim', now },
      ),
    );
    rehearsal.pass(30 * 60);
    const [incident] = rehearsal.incidents();
    expect(incident!.status).toBe('resolved');
    const bodies = incident!.updates.map(({ body }) => body);
    expect(bodies[1]).toBe('Database is under maintenance.');
    expect(bodies[0]).toMatch(/^Database is under maintenance\. The incident took \d+ minutes in all\.$/);
  });
  it('two that begin together begin with one update', () => {
    const rehearsal = createRehearsal();
    rehearsal.pass(150, { 'import.silentMs': 600_000, 'network.silentMs': 600_000 });
    rehearsal.pass(600);
    for (const { updates } of rehearsal.incidents()) {
      const instants = updates.map(({ displayAt }) => displayAt);
      expect(instants.slice(0, -1).every((at, index) => at - instants[index + 1]! > 1)).toBe(true);
    }
    expect(rehearsal.incidents().length).toBeGreaterThan(0);
  });
});
