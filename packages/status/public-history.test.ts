// Courses of events, each with the whole history that clients then read: every incident and maintenance with every update
// is what was to be said, and every member agrees with the others and with what the page showed at that time.
import { describe, expect, it } from 'vitest';
import { beginning, createRehearsal, page, type Rehearsal } from '../test-support/status/status-rehearsal.ts';
import { cancelMaintenance, changeIncident, openIncident, scheduleMaintenance } from './operator-changes.ts';
import { setUpStatus } from './set-up-status.ts';
import { componentBody, summaryBodies } from './summary-bodies.ts';

type Affected = { code: string; name: string; old_status: string; new_status: string };
type Update = {
  id: string;
  status: string;
  body: string;
  incident_id: string;
  created_at: string;
  updated_at: string;
  display_at: string;
  affected_components: Affected[] | null;
  deliver_notifications: true;
  custom_tweet: null;
  tweet_id: null;
};
type Incident = {
  id: string;
  name: string;
  status: string;
  created_at: string;
  updated_at: string;
  monitoring_at: string | null;
  resolved_at: string | null;
  impact: string;
  shortlink: string;
  started_at: string;
  page_id: string;
  incident_updates: Update[];
  components: Record<string, unknown>[];
  reminder_intervals: null;
  scheduled_for?: string;
  scheduled_until?: string;
};

const by = { by: 'kim' };
const minute = 60_000;

/** A rehearsal that remembers what the page showed: after every tick, and after every change by hand. */
type Course = Rehearsal & { shown: { at: number; statuses: Map<string, string> }[] };

function createCourse(): Course {
  const rehearsal = createRehearsal();
  const { pass, say, fallSilent } = rehearsal;
  const shown: Course['shown'] = [];
  const remember = (): void => {
    const statuses = new Map(Object.values(rehearsal.state.components).map(({ id, status }) => [id, status]));
    shown.push({ at: rehearsal.now, statuses });
  };
  const byTick =
    (passOne: (seconds: number) => void) =>
    (seconds: number): void => {
      for (const until = rehearsal.now + seconds * 1000; rehearsal.now < until; remember()) passOne(1);
    };
  remember();
  return Object.assign(rehearsal, {
    shown,
    pass(seconds: number, signals: Record<string, number> = {}): void {
      pass(0, signals);
      byTick(pass)(seconds);
    },
    fallSilent: byTick(fallSilent),
    say(change: Parameters<Rehearsal['say']>[0]): void {
      say(change);
      remember();
    },
  });
}

function readHistory({ state }: Rehearsal): { incidents: Incident[]; maintenances: Incident[] } {
  return {
    incidents: summaryBodies.incidents(state).incidents as Incident[],
    maintenances: summaryBodies['scheduled-maintenances'](state).scheduled_maintenances as Incident[],
  };
}

/** Time since noon, hours only where there are some. */
const clock = (at: string | null): string =>
  at === null ? '-' : new Date(Date.parse(at) - beginning).toISOString().slice(11, 23).replace('.000', '').slice(3);

/** All that a history says, as lines. */
function tell({ incidents, maintenances }: ReturnType<typeof readHistory>): string[] {
  return [...incidents, ...maintenances].flatMap((one) => [
    [
      `${one.name} (${one.impact}, ${one.status}): started ${clock(one.started_at)}, created ${clock(one.created_at)}`,
      `monitoring ${clock(one.monitoring_at)}, resolved ${clock(one.resolved_at)}`,
      ...(one.scheduled_for ? [`from ${clock(one.scheduled_for)} until ${clock(one.scheduled_until!)}`] : []),
    ].join(', '),
    ...one.incident_updates
      .toReversed()
      .map(
        ({ created_at, status, body, affected_components }) =>
          `${clock(created_at)} ${status} [${affected_components?.map(change).join(', ')}] ${body.replaceAll('\n', ' / ')}`,
      ),
  ]);
}

const change = ({ name, old_status, new_status }: Affected): string =>
  `${name.replace('Ledger Mirror - ', '')} ${old_status} > ${new_status}`;

const membersOf = (kind: 'incident' | 'maintenance'): string[] => [
  ...['id', 'name', 'status', 'created_at', 'updated_at', 'monitoring_at', 'resolved_at', 'impact', 'shortlink'],
  ...['started_at', 'page_id', 'incident_updates', 'components', 'reminder_intervals'],
  ...(kind === 'maintenance' ? ['scheduled_for', 'scheduled_until'] : []),
];

/** Each member of the body, from what the others and the page said. */
function assertMembers(course: Course, kind: 'incident' | 'maintenance', body: Incident): void {
  const { state, shown } = course;
  const told = body.incident_updates.toReversed();
  const [first, newest] = [told[0]!, told.at(-1)!];
  const last = (...statuses: string[]): string | null =>
    told.findLast(({ status }) => statuses.includes(status))?.created_at ?? null;
  expect(Object.keys(body)).toEqual(membersOf(kind));
  const ids = new Set(told.flatMap((one) => (one.affected_components ?? []).map(({ code }) => code)));
  expect(body).toEqual({
    ...{ id: body.id, name: body.name, impact: body.impact, started_at: body.started_at },
    ...{ status: newest.status, created_at: first.created_at, updated_at: newest.created_at },
    monitoring_at: last('monitoring'),
    resolved_at: last('resolved', 'completed') ?? last('postmortem'),
    shortlink: `http://127.0.0.1:5551/status/incidents/${body.id}`,
    page_id: state.page.page!.id,
    incident_updates: body.incident_updates,
    components: Object.values(state.components)
      .filter(({ id }) => ids.has(id))
      .sort((one, other) => one.position - other.position)
      .map((component) => componentBody(state, component)),
    reminder_intervals: null,
    ...(kind === 'maintenance' && { scheduled_for: body.scheduled_for, scheduled_until: body.scheduled_until }),
  });
  expect(Date.parse(body.started_at)).toBeLessThanOrEqual(Date.parse(body.created_at));
  const instants = told.map(({ created_at }) => Date.parse(created_at));
  expect(instants).toEqual([...new Set(instants)].sort((one, other) => one - other));
  expect(new Set(told.map(({ id }) => id)).size).toBe(told.length);
  const known = new Map<string, string>();
  for (const update of told) {
    const { created_at, affected_components } = update;
    expect(update).toEqual({
      ...{ id: update.id, status: update.status, body: update.body, incident_id: body.id },
      ...{ created_at, updated_at: created_at, display_at: created_at },
      ...{ affected_components, deliver_notifications: true, custom_tweet: null, tweet_id: null },
    });
    // Two updates of one moment are a millisecond apart.
    const moment = shown.findLast(({ at }) => at <= Date.parse(created_at))!.at;
    const then = shown.filter(({ at }) => at === moment).map(({ statuses }) => statuses);
    const before = shown.findLast(({ at }) => at < moment)?.statuses;
    for (const { code, name, old_status, new_status } of affected_components!) {
      const { groupId, name: own } = Object.values(state.components).find(({ id }) => id === code)!;
      expect(name).toBe(groupId === null ? own : `Ledger Mirror - ${own}`);
      // Before an incident a component was operational; a maintenance may begin at any time.
      const was = known.get(code) ?? (kind === 'incident' ? 'operational' : (before ?? then[0]!).get(code));
      expect([update.status, name, old_status]).toEqual([update.status, name, was]);
      expect(then.map((statuses) => statuses.get(code))).toContain(new_status);
      known.set(code, new_status);
    }
  }
}

type Run = (course: Course) => void;

const plan = (course: Course, from: number, until: number): string => {
  const window = { scheduledFor: beginning + from * minute, scheduledUntil: beginning + until * minute };
  const asked = { name: 'New disks', body: 'Answers may be slow.', components: { database: null }, ...window };
  course.say((state, now) => scheduleMaintenance(state, asked, { ...by, now }));
  return readHistory(course).maintenances[0]!.id;
};
const byHand = (course: Course, id: string, asked: Parameters<typeof changeIncident>[3]): void =>
  course.say((state, now) => {
    const kind = state.incidents[id]!.kind;
    return changeIncident(state, kind, id, asked, { ...by, now });
  });

const rest = 900;
const courses: [what: string, run: Run, history: string[]][] = [
  [
    'an outage, and its end',
    (course) => {
      course.pass(300, { 'database.down': 1 });
      course.pass(rest, { 'database.down': 0 });
    },
    [
      'The database does not answer (major, resolved): started 01:00, created 03:00, monitoring 06:30, resolved 16:30',
      '03:00 investigating [Database operational > major_outage] Database: major outage, the database does not answer.',
      '06:30 monitoring [Database major_outage > operational] Database works again.',
      '16:30 resolved [Database operational > operational] No trouble has come back. The incident took 16 minutes in all.',
    ],
  ],
  [
    'one minute without a database',
    (course) => {
      course.pass(60, { 'database.down': 1 });
      course.pass(rest, { 'database.down': 0 });
    },
    [],
  ],
  [
    'up and down every 20 seconds',
    (course) => {
      for (let round = 0; round < 15; round += 1) {
        course.pass(20, { 'database.down': 1 });
        course.pass(20, { 'database.down': 0 });
      }
      course.pass(rest);
    },
    [
      'The database does not answer (major, resolved): started 01:30, created 03:30, monitoring 11:10, resolved 21:10',
      '03:30 investigating [Database operational > major_outage] Database: major outage, the database does not answer.',
      '11:10 monitoring [Database major_outage > operational] Database works again.',
      '21:10 resolved [Database operational > operational] No trouble has come back. The incident took 20 minutes in all.',
    ],
  ],
  [
    'a slow up and down',
    (course) => {
      for (let round = 0; round < 2; round += 1) {
        course.pass(200, { 'database.down': 1 });
        course.pass(200, { 'database.down': 0 });
      }
      course.pass(rest);
    },
    [
      'The database does not answer (major, resolved): started 01:00, created 03:00, monitoring 11:30, resolved 21:30',
      '03:00 investigating [Database operational > major_outage] Database: major outage, the database does not answer.',
      '04:50 monitoring [Database major_outage > operational] Database works again.',
      '07:40 investigating [Database operational > major_outage] The trouble is back. Database: major outage, the database does not answer.',
      '11:30 monitoring [Database major_outage > operational] Database works again.',
      '21:30 resolved [Database operational > operational] No trouble has come back. The incident took 21 minutes in all.',
    ],
  ],
  [
    'slow answers',
    (course) => {
      course.pass(900, { 'api.p95Ms': 4000 });
      course.pass(rest, { 'api.p95Ms': 5 });
    },
    [
      'Slow answers (minor, resolved): started 01:30, created 11:30, monitoring 18:30, resolved 28:30',
      '11:30 investigating [Mirror Node REST API Testnet operational > degraded_performance] Mirror Node REST API Testnet: degraded performance, for half of the clients one answer in twenty takes longer than 4 s.',
      '18:30 monitoring [Mirror Node REST API Testnet degraded_performance > operational] Mirror Node REST API Testnet works again.',
      '28:30 resolved [Mirror Node REST API Testnet operational > operational] No trouble has come back. The incident took 27 minutes in all.',
    ],
  ],
  [
    'what gets worse, and better',
    (course) => {
      course.pass(190, { 'api.errorShare': 0.1 });
      course.pass(120, { 'api.errorShare': 0.9 });
      course.pass(180, { 'api.errorShare': 0.1 });
      course.pass(rest, { 'api.errorShare': 0 });
    },
    [
      'Most queries fail (major, resolved): started 01:30, created 03:30, monitoring 11:40, resolved 21:40',
      '03:30 investigating [Mirror Node REST API Testnet operational > partial_outage] Mirror Node REST API Testnet: partial outage, 10 % of the queries fail.',
      '04:40 investigating [Mirror Node REST API Testnet partial_outage > major_outage] First reported as "Queries fail". / Mirror Node REST API Testnet: major outage, 90 % of the queries fail.',
      '08:40 investigating [Mirror Node REST API Testnet major_outage > partial_outage] Mirror Node REST API Testnet: partial outage, 10 % of the queries fail.',
      '11:40 monitoring [Mirror Node REST API Testnet partial_outage > operational] Mirror Node REST API Testnet works again.',
      '21:40 resolved [Mirror Node REST API Testnet operational > operational] No trouble has come back. The incident took 20 minutes in all.',
    ],
  ],
  [
    'what hangs together with it',
    (course) => {
      course.pass(150, { 'database.down': 1 });
      course.pass(240, { 'api.down': 1, 'import.silentMs': 300_000 });
      course.pass(rest, { 'api.down': 0, 'import.silentMs': 1000, 'database.down': 0 });
    },
    [
      'The database does not answer (major, resolved): started 01:00, created 03:00, monitoring 08:00, resolved 18:00',
      '03:00 investigating [Database operational > major_outage] Database: major outage, the database does not answer.',
      '05:10 investigating [Record stream import operational > partial_outage, Database major_outage > major_outage] Database: major outage, the database does not answer. / Record stream import: partial outage, no block has been stored for 300 s.',
      '07:00 investigating [Mirror Node REST API Testnet operational > major_outage, Record stream import partial_outage > partial_outage, Database major_outage > major_outage] Mirror Node REST API Testnet: major outage, the query service does not answer or is not ready. / Database: major outage, the database does not answer. / Record stream import: partial outage, no block has been stored for 300 s.',
      '08:00 monitoring [Mirror Node REST API Testnet major_outage > operational, Record stream import partial_outage > operational, Database major_outage > operational] Mirror Node REST API Testnet, Record stream import and Database work again.',
      '18:00 resolved [Mirror Node REST API Testnet operational > operational, Record stream import operational > operational, Database operational > operational] No trouble has come back. The incident took 17 minutes in all.',
    ],
  ],
  [
    'a cause that is found later',
    (course) => {
      course.pass(130, { 'import.silentMs': 200_000 });
      course.pass(130, { 'network.silentMs': 200_000 });
      course.pass(rest, { 'import.silentMs': 1000, 'network.silentMs': 1000 });
    },
    [
      'The network publishes no new files (minor, resolved): started 00:40, created 02:40, monitoring 05:50, resolved 15:50',
      '02:40 investigating [Record stream import operational > partial_outage] Record stream import: partial outage, no block has been stored for 200 s.',
      '04:50 investigating [Record stream import partial_outage > partial_outage, Hedera Testnet | Network Uptime operational > partial_outage] First reported as "No new transactions". / Record stream import: partial outage, no block has been stored for 200 s. / Hedera Testnet | Network Uptime: partial outage, no new file for 200 s.',
      '05:50 monitoring [Record stream import partial_outage > operational, Hedera Testnet | Network Uptime partial_outage > operational] Record stream import and Hedera Testnet | Network Uptime work again.',
      '15:50 resolved [Record stream import operational > operational, Hedera Testnet | Network Uptime operational > operational] No trouble has come back. The incident took 15 minutes in all.',
    ],
  ],
  [
    'a file that is not what was signed',
    (course) => {
      course.pass(300, { 'import.halted': 1, 'stream.broken': 1 });
      course.pass(rest, { 'import.halted': 0, 'stream.broken': 0 });
    },
    [
      'A file of the stream cannot be proved (major, resolved): started 00:40, created 02:40, monitoring 06:30, resolved 16:30',
      '02:40 investigating [Record stream import operational > major_outage, Stream continuity operational > major_outage] Record stream import: major outage, the import has stopped. / Stream continuity: major outage, a file is not what the network signed.',
      '06:30 monitoring [Record stream import major_outage > operational, Stream continuity major_outage > operational] Record stream import and Stream continuity work again.',
      '16:30 resolved [Record stream import operational > operational, Stream continuity operational > operational] No trouble has come back. The incident took 16 minutes in all.',
    ],
  ],
  [
    'a mirror that says nothing',
    (course) => {
      course.fallSilent(740);
      course.pass(rest);
    },
    [
      'No data about the mirror (minor, resolved): started 02:40, created 12:40, monitoring 13:00, resolved 23:00',
      '12:40 investigating [Mirror Node REST API Testnet operational > degraded_performance, Record stream import operational > degraded_performance, Stream continuity operational > degraded_performance, Database operational > degraded_performance, Hedera Testnet | Network Uptime operational > degraded_performance] Mirror Node REST API Testnet: degraded performance, no fresh data about it. / Record stream import: degraded performance, no fresh data about it. / Stream continuity: degraded performance, no fresh data about it. / Database: degraded performance, no fresh data about it. / Hedera Testnet | Network Uptime: degraded performance, no fresh data about it.',
      '13:00 monitoring [Mirror Node REST API Testnet degraded_performance > operational, Record stream import degraded_performance > operational, Stream continuity degraded_performance > operational, Database degraded_performance > operational, Hedera Testnet | Network Uptime degraded_performance > operational] Mirror Node REST API Testnet, Record stream import, Stream continuity, Database and Hedera Testnet | Network Uptime work again.',
      '23:00 resolved [Mirror Node REST API Testnet operational > operational, Record stream import operational > operational, Stream continuity operational > operational, Database operational > operational, Hedera Testnet | Network Uptime operational > operational] No trouble has come back. The incident took 20 minutes in all.',
    ],
  ],
  [
    'a machine that sleeps for an hour',
    (course) => {
      course.pass(90, { 'database.down': 1 });
      course.now += 60 * minute;
      course.pass(70);
      course.pass(rest, { 'database.down': 0 });
    },
    [
      'The database does not answer (major, resolved): started 01:00, created 03:10, monitoring 04:10, resolved 14:10',
      '03:10 investigating [Database operational > major_outage] Database: major outage, the database does not answer.',
      '04:10 monitoring [Database major_outage > operational] Database works again.',
      '14:10 resolved [Database operational > operational] No trouble has come back. The incident took 73 minutes in all.',
    ],
  ],
  [
    'two faults that have nothing in common',
    (course) => {
      course.pass(200, { 'api.errorShare': 0.1 });
      course.pass(200, { 'network.silentMs': 300_000 });
      course.pass(rest, { 'api.errorShare': 0, 'network.silentMs': 1000 });
    },
    [
      'The network publishes no new files (minor, resolved): started 04:00, created 06:00, monitoring 08:10, resolved 18:10',
      '06:00 investigating [Hedera Testnet | Network Uptime operational > partial_outage] Hedera Testnet | Network Uptime: partial outage, no new file for 300 s.',
      '08:10 monitoring [Hedera Testnet | Network Uptime partial_outage > operational] Hedera Testnet | Network Uptime works again.',
      '18:10 resolved [Hedera Testnet | Network Uptime operational > operational] No trouble has come back. The incident took 14 minutes in all.',
      'Queries fail (minor, resolved): started 01:30, created 03:30, monitoring 10:10, resolved 20:10',
      '03:30 investigating [Mirror Node REST API Testnet operational > partial_outage] Mirror Node REST API Testnet: partial outage, 10 % of the queries fail.',
      '10:10 monitoring [Mirror Node REST API Testnet partial_outage > operational] Mirror Node REST API Testnet works again.',
      '20:10 resolved [Mirror Node REST API Testnet operational > operational] No trouble has come back. The incident took 19 minutes in all.',
    ],
  ],
  [
    'what comes back within a quarter of an hour, and later',
    (course) => {
      course.pass(150, { 'database.down': 1 });
      course.pass(960, { 'database.down': 0 });
      course.pass(150, { 'database.down': 1 });
      course.pass(1800, { 'database.down': 0 });
      course.pass(150, { 'database.down': 1 });
      course.pass(rest, { 'database.down': 0 });
    },
    [
      'The database does not answer (major, resolved): started 52:00, created 54:00, monitoring 55:00, resolved 05:00',
      '54:00 investigating [Database operational > major_outage] Database: major outage, the database does not answer.',
      '55:00 monitoring [Database major_outage > operational] Database works again.',
      '05:00 resolved [Database operational > operational] No trouble has come back. The incident took 13 minutes in all.',
      'The database does not answer (major, resolved): started 01:00, created 03:00, monitoring 22:30, resolved 32:30',
      '03:00 investigating [Database operational > major_outage] Database: major outage, the database does not answer.',
      '04:00 monitoring [Database major_outage > operational] Database works again.',
      '14:00 resolved [Database operational > operational] No trouble has come back. The incident took 13 minutes in all.',
      '21:30 investigating [Database operational > major_outage] The trouble is back. Database: major outage, the database does not answer.',
      '22:30 monitoring [Database major_outage > operational] Database works again.',
      '32:30 resolved [Database operational > operational] No trouble has come back. The incident took 32 minutes in all.',
    ],
  ],
  [
    'contracts that cannot be verified',
    (course) => {
      course.pass(10, { 'verification.down': 0 });
      course.state = setUpStatus(course.state, page, course.now);
      course.pass(300, { 'verification.down': 1 });
      course.pass(rest, { 'verification.down': 0 });
    },
    [
      'Contracts cannot be verified (major, resolved): started 01:40, created 03:40, monitoring 06:40, resolved 16:40',
      '03:40 investigating [Contract verification operational > major_outage] Contract verification: major outage, a contract that is known to match cannot be verified.',
      '06:40 monitoring [Contract verification major_outage > operational] Contract verification works again.',
      '16:40 resolved [Contract verification operational > operational] No trouble has come back. The incident took 15 minutes in all.',
    ],
  ],
  [
    'a maintenance by the clock, with an outage in it',
    (course) => {
      plan(course, 10, 30);
      course.pass(15 * 60);
      course.pass(10 * 60, { 'database.down': 1 });
      course.pass(30 * 60, { 'database.down': 0 });
    },
    [
      'New disks (maintenance, completed): started 00:30, created 00:30, monitoring -, resolved 35:00, from 10:00 until 30:00',
      '00:30 scheduled [Database operational > operational] Answers may be slow.',
      '10:00 in_progress [Database operational > under_maintenance] The planned time of the maintenance has begun.',
      '30:00 verifying [Database under_maintenance > under_maintenance] The planned time is over, and nothing of it has a problem; it is being watched whether that lasts.',
      '35:00 completed [Database under_maintenance > operational] No problem has come up since the planned time was over. The maintenance is completed.',
    ],
  ],
  [
    'a maintenance that leaves a problem behind',
    (course) => {
      plan(course, 1, 5);
      course.pass(45 * 60, { 'database.down': 1 });
      course.pass(rest, { 'database.down': 0 });
    },
    [
      'Overrun: New disks (major, resolved): started 05:00, created 35:00, monitoring 46:30, resolved 56:30',
      '35:00 investigating [Database operational > major_outage] The maintenance was planned to end 30 minutes ago, and there is still a problem. It becomes an incident.',
      '46:30 monitoring [Database major_outage > operational] Database works again.',
      '56:30 resolved [Database operational > operational] No trouble has come back. The incident took 52 minutes in all.',
      'New disks (maintenance, completed): started 00:30, created 00:30, monitoring -, resolved 35:00, from 01:00 until 05:00',
      '00:30 scheduled [Database operational > operational] Answers may be slow.',
      '01:00 in_progress [Database operational > under_maintenance] The planned time of the maintenance has begun.',
      '35:00 completed [Database under_maintenance > major_outage] The maintenance was planned to end 30 minutes ago, and there is still a problem. It becomes an incident.',
    ],
  ],
  [
    'a maintenance that has begun and is moved to later',
    (course) => {
      const id = plan(course, 1, 5);
      course.pass(90);
      byHand(course, id, { scheduledFor: beginning + 30 * minute, scheduledUntil: beginning + 35 * minute });
      course.pass(50 * 60);
    },
    [
      'New disks (maintenance, completed): started 00:30, created 00:30, monitoring -, resolved 40:00, from 30:00 until 35:00',
      '00:30 scheduled [Database operational > operational] Answers may be slow.',
      '01:00 in_progress [Database operational > under_maintenance] The planned time of the maintenance has begun.',
      '02:00 scheduled [Database under_maintenance > operational] The maintenance was moved to a later time.',
      '30:00 in_progress [Database operational > under_maintenance] The planned time of the maintenance has begun.',
      '35:00 verifying [Database under_maintenance > under_maintenance] The planned time is over, and nothing of it has a problem; it is being watched whether that lasts.',
      '40:00 completed [Database under_maintenance > operational] No problem has come up since the planned time was over. The maintenance is completed.',
    ],
  ],
  [
    'a maintenance that is cancelled, with what was set for it',
    (course) => {
      const id = plan(course, 1, 60);
      course.pass(120);
      byHand(course, id, { components: { database: 'partial_outage' }, body: 'Half of it is off.' });
      course.pass(60);
      course.say((state, now) => cancelMaintenance(state, id, { body: 'The disks have not come.' }, { ...by, now }));
      course.pass(rest);
    },
    [
      'New disks (maintenance, completed): started 00:30, created 00:30, monitoring -, resolved 03:30, from 01:00 until 00:00',
      '00:30 scheduled [Database operational > operational] Answers may be slow.',
      '01:00 in_progress [Database operational > under_maintenance] The planned time of the maintenance has begun.',
      '02:30 in_progress [Database under_maintenance > partial_outage] Half of it is off.',
      '03:30 completed [Database partial_outage > operational] The disks have not come.',
    ],
  ],
  [
    'an incident by hand, two words at one moment, and its postmortem',
    (course) => {
      const fire = { name: 'Fire', body: 'Smoke.', components: { api: 'major_outage' as const } };
      course.say((state, now) => openIncident(state, fire, { ...by, now }));
      const { id } = readHistory(course).incidents[0]!;
      byHand(course, id, { status: 'identified', body: 'A cable.' });
      course.pass(60);
      byHand(course, id, { status: 'postmortem', body: 'It was too thin.' });
      course.pass(rest);
    },
    [
      'Fire (major, postmortem): started 00:30, created 00:30, monitoring -, resolved 01:30',
      '00:30 investigating [Mirror Node REST API Testnet operational > major_outage] Smoke.',
      '00:30.001 identified [Mirror Node REST API Testnet major_outage > major_outage] A cable.',
      '01:30 postmortem [Mirror Node REST API Testnet major_outage > operational] It was too thin.',
    ],
  ],
  [
    'a consequence that fails alone soon after',
    (course) => {
      course.pass(300, { 'database.down': 1, 'api.down': 1 });
      course.pass(660, { 'database.down': 0, 'api.down': 0 });
      course.pass(400, { 'api.down': 1 });
      course.pass(rest, { 'api.down': 0 });
    },
    [
      'The query service does not answer (major, resolved): started 18:30, created 20:30, monitoring 24:10, resolved 34:10',
      '20:30 investigating [Mirror Node REST API Testnet operational > major_outage] Mirror Node REST API Testnet: major outage, the query service does not answer or is not ready.',
      '24:10 monitoring [Mirror Node REST API Testnet major_outage > operational] Mirror Node REST API Testnet works again.',
      '34:10 resolved [Mirror Node REST API Testnet operational > operational] No trouble has come back. The incident took 16 minutes in all.',
      'The database does not answer (major, resolved): started 01:00, created 03:00, monitoring 06:30, resolved 16:30',
      '03:00 investigating [Database operational > major_outage] Database: major outage, the database does not answer.',
      '04:30 investigating [Mirror Node REST API Testnet operational > major_outage, Database major_outage > major_outage] Mirror Node REST API Testnet: major outage, the query service does not answer or is not ready. / Database: major outage, the database does not answer.',
      '06:30 monitoring [Mirror Node REST API Testnet major_outage > operational, Database major_outage > operational] Mirror Node REST API Testnet and Database work again.',
      '16:30 resolved [Mirror Node REST API Testnet operational > operational, Database operational > operational] No trouble has come back. The incident took 16 minutes in all.',
    ],
  ],
];

describe('the history after', () => {
  it.each(courses)('%s', (_what, run, history) => {
    const course = createCourse();
    run(course);
    const found = readHistory(course);
    for (const one of found.incidents) assertMembers(course, 'incident', one);
    for (const one of found.maintenances) assertMembers(course, 'maintenance', one);
    expect(tell(found)).toEqual(history);
  });
});
