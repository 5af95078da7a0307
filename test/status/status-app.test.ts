// The status service over HTTP: the read endpoints to the letter, the ways to speak, and who may.
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance, InjectOptions } from 'fastify';
import { pino } from 'pino';
import { Statuspage } from 'statuspage.io';
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import { createStatusService, type StatusService } from '../../packages/status/create-status-service.ts';
import { createStatusApp } from '../../packages/status/http/status-app.ts';
import { createStatusGate, forwardKeyOf } from '../../packages/status/http/status-gate.ts';
import { openStatusJournal, type StatusJournal } from '../../packages/status/status-journal.ts';
import { defaultStatusRules } from '../../packages/status/status-rules.ts';
import type { SignalReport } from '../../packages/status/take-signals.ts';
import { createWebhooks, type Webhooks } from '../../packages/status/webhooks/create-webhooks.ts';
import { beginning, calmSignals, page } from '../../packages/test-support/status/status-rehearsal.ts';
import { assertStatusBody, statusPaths } from '../oracle/read/strict-status-decoder.ts';

const secret = 'the secret of this machine';
const token = 'a token of sixteen characters';

let folder: string;
let now: number;
let journal: StatusJournal;
let service: StatusService;
let webhooks: Webhooks;
let app: FastifyInstance;
let stops: number;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'status-app-'));
  now = beginning;
  stops = 0;
  open(new Map([[token.replaceAll(' ', '-'), 'kim']]));
});
afterEach(async () => {
  await close();
  rmSync(folder, { recursive: true, force: true });
});

const clock = (): number => now;

function open(tokens: Map<string, string>): void {
  journal = openStatusJournal(folder);
  service = createStatusService({
    journal,
    rules: defaultStatusRules,
    page,
    clock,
    onChange: () => {},
    onProblem: (error) => {
      throw error;
    },
    hasRoom: () => true,
    onRecovered: () => {},
  });
  webhooks = createWebhooks({ folder: join(folder, 'webhooks'), clock, allowPrivate: true, log: () => {} });
  const gate = createStatusGate({ tokens, secret, clock });
  const control = {
    gate,
    about: () => ({ pid: 1 }),
    onReport(report: SignalReport) {
      service.report(report);
      return { service: 'x' };
    },
    onLeave: () => {},
    onStop: async () => {
      stops += 1;
      return false;
    },
  };
  const log = pino({ level: 'silent' });
  app = createStatusApp({ service, webhooks, gate, clock, log, control, standsIn: false });
}

async function close(): Promise<void> {
  await app.close();
  await webhooks.close();
  journal.close();
}

function pass(seconds: number, signals: Record<string, number> = {}): void {
  for (let step = 0; step < seconds; step += 10) {
    now += 10_000;
    service.report({ values: { ...calmSignals, ...signals }, facts: { 'network.version': 'v0.77.1' } });
  }
}

const bearer = { authorization: `Bearer ${token.replaceAll(' ', '-')}` };

async function say(method: 'POST' | 'PATCH', path: string, payload: object, headers: Record<string, string> = bearer) {
  const answer = await app.inject({ method, url: `/status/manage/${path}`, payload, headers });
  return { status: answer.statusCode, body: answer.json() as Record<string, unknown> };
}

const messageOf = (body: Record<string, unknown>): string =>
  (body._status as { messages: { message: string }[] }).messages[0]!.message;

const hour = (offset: number): string => new Date(beginning + offset * 3_600_000).toISOString();

/** Something of everything: an open incident, a resolved one, a maintenance of each kind. */
async function fill(): Promise<void> {
  pass(200, { 'database.down': 1 });
  // Later than what would open the same incident again.
  pass(1700);
  pass(200, { 'network.silentMs': 200_000 });
  const plan = (name: string, from: number, until: number, status: string) =>
    say('POST', 'maintenances', {
      name,
      body: 'As planned.',
      status,
      scheduled_for: hour(from),
      scheduled_until: hour(until),
      components: ['import'],
    });
  await plan('Upcoming', 5, 6, 'scheduled');
  await plan('Active', 0, 3, 'in_progress');
  await plan('Done', -3, -2, 'completed');
}

describe('the read endpoints', () => {
  test.each(statusPaths)('%s has exactly its members before anything has happened', async (path) => {
    const answer = await app.inject(`/api/v2/${path}.json`);
    expect(answer.statusCode).toBe(200);
    assertStatusBody(path, answer.json());
  });

  test.each(statusPaths)('%s has exactly its members with something of everything', async (path) => {
    await fill();
    const answer = await app.inject(`/api/v2/${path}.json`);
    expect(answer.statusCode).toBe(200);
    assertStatusBody(path, answer.json());
  });

  it('select and order as their clients expect', async () => {
    await fill();
    const read = async (path: string) => (await app.inject(`/api/v2/${path}.json`)).json();
    const names = (records: { name: string }[]) => records.map(({ name }) => name);
    const summary = await read('summary');
    expect(names(summary.components)).toEqual([
      'Ledger Mirror',
      'Mirror Node REST API Testnet',
      'Record stream import',
      'Stream continuity',
      'Database',
      'Hedera Testnet (v0.77.1) | Network Uptime',
    ]);
    expect(summary.components[0].components).toEqual(
      summary.components.slice(1, 5).map(({ id }: { id: string }) => id),
    );
    expect(names(summary.incidents)).toEqual(['The network publishes no new files']);
    expect(names(summary.scheduled_maintenances).toSorted()).toEqual(['Active', 'Upcoming']);
    expect(names((await read('incidents')).incidents)).toEqual([
      'The network publishes no new files',
      'The database does not answer',
    ]);
    expect(names((await read('incidents/unresolved')).incidents)).toHaveLength(1);
    expect(names((await read('scheduled-maintenances')).scheduled_maintenances)).toHaveLength(3);
    expect(names((await read('scheduled-maintenances/upcoming')).scheduled_maintenances)).toEqual(['Upcoming']);
    expect(names((await read('scheduled-maintenances/active')).scheduled_maintenances)).toEqual(['Active']);
    expect((await read('status')).status).toEqual(summary.status);
    expect(summary.incidents[0].shortlink).toBe(`${page.url}/incidents/${summary.incidents[0].id}`);
  });

  it('keep their ids and change their tag only with what is shown', async () => {
    pass(60);
    const first = await app.inject('/api/v2/summary.json');
    pass(60);
    const second = await app.inject('/api/v2/summary.json');
    expect(second.headers.etag).toBe(first.headers.etag);
    expect(
      Date.parse(String(second.headers['x-status-as-of'])) - Date.parse(String(first.headers['x-status-as-of'])),
    ).toBe(60_000);
    const unchanged = await app.inject({
      url: '/api/v2/summary.json',
      headers: { 'if-none-match': String(first.headers.etag) },
    });
    expect([unchanged.statusCode, unchanged.body]).toEqual([304, '']);
    pass(60, { 'database.down': 1 });
    const third = await app.inject({
      url: '/api/v2/summary.json',
      headers: { 'if-none-match': String(first.headers.etag) },
    });
    expect(third.statusCode).toBe(200);
    const idsOf = (body: { components: { id: string }[] }) => body.components.map(({ id }) => id);
    expect(idsOf(third.json())).toEqual(idsOf(first.json()));
  });

  it('have their feeds also where Statuspage has them', async () => {
    for (const feed of ['history.atom', 'history.rss']) {
      const answer = await app.inject(`/${feed}`);
      expect([answer.statusCode, answer.headers.location]).toEqual([301, `/status/${feed}`]);
      expect((await app.inject(answer.headers.location!)).statusCode).toBe(200);
    }
  });

  it('answer GET, HEAD and OPTIONS from anywhere', async () => {
    const ask = (method: InjectOptions['method']) =>
      app.inject({ method: method!, url: '/api/v2/summary.json', headers: { origin: 'https://example.com' } });
    const [get, head, options] = [await ask('GET'), await ask('HEAD'), await ask('OPTIONS')];
    expect(get.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'public, max-age=15, stale-if-error=3600',
    });
    expect([head.statusCode, head.body, head.headers.etag]).toEqual([200, '', get.headers.etag]);
    expect([options.statusCode, options.headers['access-control-allow-origin']]).toEqual([204, '*']);
  });

  it('are all that npm statuspage.io reads', async () => {
    await fill();
    const url = await app.listen({ port: 0, host: '127.0.0.1' });
    const client = new Statuspage('page');
    client.setApiUrl(url);
    expect((await client.api.getStatus()).status.indicator).toBe('minor');
    // Its type of the summary contradicts itself.
    const summary = (await client.api.getSummary()) as { incidents: unknown[] };
    expect(summary.incidents).toHaveLength(1);
    expect((await client.api.getComponents()).components).toHaveLength(6);
    expect((await client.api.incidents.getAll()).incidents).toHaveLength(2);
    expect((await client.api.incidents.getUnresolved()).incidents).toHaveLength(1);
    // All three of its functions ask for the upcoming ones.
    const { getAll, getUpcoming, getActive } = client.api.scheduledMaintenances;
    for (const read of [getAll, getUpcoming, getActive]) {
      const { scheduled_maintenances: planned } = await read.call(client.api.scheduledMaintenances);
      expect(planned).toMatchObject([{ name: 'Upcoming' }]);
    }
  });

  it('show the name by which relays find the version of the network', async () => {
    pass(10);
    const { components } = (await app.inject('/api/v2/components.json')).json() as { components: { name: string }[] };
    const found = components.find(
      ({ name }) => name.endsWith(' | Network Uptime') && name.toLowerCase().includes('testnet'),
    );
    expect(found!.name.slice(found!.name.indexOf('(') + 2, found!.name.indexOf(')'))).toBe('0.77.1');
  });
});

test('what only moved on is written with the next tick, what matters at once', async () => {
  pass(30);
  service.tick();
  const sizeOf = () => statSync(join(folder, 'journal-0.jsonl')).size;
  const before = sizeOf();
  pass(10);
  expect(sizeOf()).toBe(before);
  service.tick();
  expect(sizeOf()).toBe(before);
  now += 10_000;
  service.tick();
  const after = sizeOf();
  expect(after).toBeGreaterThan(before);
  await say('PATCH', 'components/api', { status: 'operational' });
  expect(sizeOf()).toBeGreaterThan(after);
  const copy = openStatusJournal(folder);
  expect(copy.state).toEqual(service.state());
  copy.close();
});

describe('people', () => {
  it('open, update and resolve an incident', async () => {
    pass(30);
    const opened = await say('POST', 'incidents', {
      name: 'Fire',
      body: 'It burns.',
      impact: 'critical',
      components: { api: 'major_outage', database: null },
    });
    expect(opened).toMatchObject({
      status: 201,
      body: { status: 'investigating', impact: 'critical', held_by: 'kim', automatic: false },
    });
    const { id } = opened.body;
    expect((await app.inject('/api/v2/summary.json')).json()).toMatchObject({
      status: { indicator: 'major' },
      incidents: [{ id, components: [{ status: 'major_outage' }, { status: 'operational' }] }],
    });
    now += 1000;
    expect(await say('PATCH', `incidents/${id}`, { status: 'identified', body: 'A candle.' })).toMatchObject({
      status: 200,
    });
    now += 1000;
    const { body } = await say('PATCH', `incidents/${id}`, { status: 'resolved' });
    expect(
      (body.incident_updates as { status: string; body: string }[]).map((each) => `${each.status}: ${each.body}`),
    ).toEqual(['resolved: The incident is over.', 'identified: A candle.', 'investigating: It burns.']);
    expect((await app.inject('/api/v2/status.json')).json().status.indicator).toBe('none');
    const changes = (await app.inject({ url: '/status/manage/changes', headers: bearer })).json() as Record<
      string,
      unknown
    >[];
    expect(changes[0]).toMatchObject({
      by: 'kim',
      what: 'incident',
      id,
      old: { status: 'identified' },
      new: { status: 'resolved' },
    });
    expect(changes.map(({ what }) => what)).toContain('component');
  });

  it('lose nothing of it when the service is killed right after its answer', async () => {
    const opened = await say('POST', 'incidents', { name: 'Fire', body: 'It burns.' });
    await app.close();
    await webhooks.close();
    // As a kill leaves it: nothing was closed orderly.
    const copy = openStatusJournal(folder);
    expect(copy.state.incidents[opened.body.id as string]).toMatchObject({ name: 'Fire' });
    copy.close();
    open(new Map());
    expect(service.state().incidents[opened.body.id as string]).toMatchObject({ name: 'Fire' });
  });

  it.each<[string, 'POST' | 'PATCH', string, object, number, RegExp]>([
    ['without a name', 'POST', 'incidents', { body: 'x' }, 400, /"name" must be a text/],
    ['without a text', 'POST', 'incidents', { name: 'x' }, 400, /"body" must be a text/],
    ['with an unknown member', 'POST', 'incidents', { nam: 'x' }, 400, /"nam" is not known here; known are name, /],
    [
      'with an unknown status',
      'POST',
      'incidents',
      { name: 'x', body: 'x', status: 'bad' },
      400,
      /one of investigating/,
    ],
    [
      'with an unknown impact',
      'POST',
      'incidents',
      { name: 'x', body: 'x', impact: 'bad' },
      400,
      /"impact" must be one of/,
    ],
    [
      'of a component that is not there',
      'POST',
      'incidents',
      { name: 'x', body: 'x', components: ['y'] },
      404,
      /There are api \(/,
    ],
    ['with a group', 'PATCH', 'components/mirror', { status: 'operational' }, 400, /is a group/],
    ['without a status', 'PATCH', 'components/api', {}, 400, /"status" is missing/],
    ['of an incident that is not there', 'PATCH', 'incidents/000000000000', { body: 'x' }, 404, /There is no incident/],
    ['of a maintenance without time', 'POST', 'maintenances', { name: 'x', body: 'x' }, 400, /needs "scheduled_for"/],
    [
      'with no time at all',
      'POST',
      'maintenances',
      { name: 'x', body: 'x', scheduled_for: 'soon' },
      400,
      /date and time such as/,
    ],
    ['with a list', 'POST', 'incidents', [], 400, /must be a JSON object/],
  ])(
    'get an error that names what is wrong with a change %s',
    async (_what, method, path, payload, status, message) => {
      const answer = await say(method, path, payload);
      expect(answer.status).toBe(status);
      expect(messageOf(answer.body)).toMatch(message);
    },
  );
});

describe('what an operator takes back', () => {
  it('an incident is deleted, a maintenance is cancelled', async () => {
    await fill();
    const remove = async (path: string, payload?: object) => {
      const answer = await app.inject({ method: 'DELETE', url: `/status/manage/${path}`, headers: bearer, payload });
      return { status: answer.statusCode, body: answer.json() as Record<string, unknown> };
    };
    const { incidents } = (await app.inject('/api/v2/incidents.json')).json();
    expect(await remove(`incidents/${incidents[0].id}`)).toMatchObject({ status: 200, body: { id: incidents[0].id } });
    expect((await app.inject('/api/v2/incidents.json')).json().incidents).toHaveLength(incidents.length - 1);
    expect((await app.inject(`/status/incidents/${incidents[0].id}`)).statusCode).toBe(404);
    expect((await remove(`incidents/${incidents[0].id}`)).status).toBe(404);
    const read = async () => (await app.inject('/api/v2/scheduled-maintenances/upcoming.json')).json();
    const [upcoming] = (await read()).scheduled_maintenances;
    expect(await remove(`maintenances/${upcoming.id}`, { body: 'Not today.' })).toMatchObject({
      status: 200,
      body: { status: 'completed' },
    });
    expect((await read()).scheduled_maintenances).toEqual([]);
    const story = (await app.inject(`/status/incidents/${upcoming.id}`)).body;
    expect(story).toContain('<strong>Cancelled</strong>');
    expect(story).not.toMatch(/Completed|lasted/);
    expect((await app.inject('/status/maintenance.ics')).body).toContain('STATUS:CANCELLED');
    expect((await remove(`maintenances/${upcoming.id}`)).status).toBe(400);
  });

  it('what is held says so on the page', async () => {
    await fill();
    await say('PATCH', 'components/api', { status: 'partial_outage' });
    await say('POST', 'incidents', { name: 'Fire', body: 'It burns.' });
    const { body } = await app.inject('/status');
    expect(body).toContain('<strong>Set by an operator</strong>');
    expect(body).toContain('measured: operational');
    expect(body).toContain('<strong>Kept by an operator</strong>');
  });
});

describe('the gate', () => {
  it('is closed to requests without a token', async () => {
    const answer = await app.inject({ method: 'POST', url: '/status/manage/incidents', payload: {} });
    expect([answer.statusCode, answer.headers['www-authenticate']]).toEqual([401, 'Bearer']);
    expect(Object.keys(service.state().incidents)).toEqual([]);
  });

  it('is closed altogether where no token is set', async () => {
    await close();
    open(new Map());
    expect(await say('POST', 'incidents', { name: 'x', body: 'x' })).toMatchObject({ status: 403 });
  });

  it('limits guesses by client, also behind the forwarding server', async () => {
    const guess = async (client: string) =>
      (
        await say(
          'POST',
          'incidents',
          {},
          { authorization: 'Bearer wrong', 'x-status-forward': forwardKeyOf(secret), 'x-status-client': client },
        )
      ).status;
    for (let count = 0; count < 10; count += 1) expect(await guess('192.0.2.1')).toBe(401);
    expect(await guess('192.0.2.1')).toBe(429);
    expect(await guess('192.0.2.2')).toBe(401);
    // An IPv6 client has a whole network of addresses.
    for (let count = 0; count < 10; count += 1) expect(await guess(`2001:db8:1:2::${count}`)).toBe(401);
    expect(await guess('2001:db8:1:2:ffff::99')).toBe(429);
    expect(await guess('2001:db8:1:3::1')).toBe(401);
    now += 60_000;
    expect(await guess('192.0.2.1')).toBe(401);
  });

  it('takes a right token however many wrong ones came before from the same address', async () => {
    const wrong = { authorization: 'Bearer wrong' };
    for (let count = 0; count < 30; count += 1) await say('POST', 'incidents', {}, wrong);
    expect((await say('POST', 'incidents', {}, wrong)).status).toBe(429);
    expect((await say('POST', 'incidents', { name: 'x', body: 'x' })).status).toBe(201);
    expect((await say('POST', 'incidents', {}, wrong)).status).toBe(429);
  });

  it('limits changes', async () => {
    const statuses = [];
    for (let count = 0; count < 121; count += 1)
      statuses.push((await say('PATCH', 'components/api', { status: null })).status);
    expect(statuses.slice(-2)).toEqual([200, 429]);
  });

  it('lets this machine speak for a person, and no other client', async () => {
    const own = { 'x-status-secret': secret, 'x-status-by': 'kim%20%C3%A4' };
    expect(await say('POST', 'incidents', { name: 'x', body: 'x' }, own)).toMatchObject({
      status: 201,
      body: { held_by: 'kim ä' },
    });
    expect(await say('POST', 'incidents', { name: 'x', body: 'x' }, { 'x-status-by': 'kim' })).toMatchObject({
      status: 401,
    });
  });

  it.each([
    ['with the key of the forwarding server', { 'x-status-forward': forwardKeyOf(secret) }],
    ['with the secret as well', { 'x-status-forward': forwardKeyOf(secret), 'x-status-secret': secret }],
    ['with the secret for a client', { 'x-status-client': '192.0.2.1', 'x-status-secret': secret }],
    ['with any sign of being forwarded', { 'x-status-forward': '', 'x-status-secret': secret }],
    ['with the key in place of the secret', { 'x-status-secret': forwardKeyOf(secret) }],
  ])('takes no name from a forwarded request: %s', async (_what, headers) => {
    const said = await say('POST', 'incidents', { name: 'x', body: 'x' }, { ...headers, 'x-status-by': 'kim' });
    expect([said.status, Object.keys(service.state().incidents)]).toEqual([401, []]);
  });

  it('takes the address of a client only from the forwarding server', async () => {
    const guess = async (headers: Record<string, string>) =>
      (await say('POST', 'incidents', {}, { authorization: 'Bearer wrong', ...headers })).status;
    for (let count = 0; count < 10; count += 1) await guess({ 'x-status-client': `192.0.2.${count}` });
    expect(await guess({ 'x-status-client': '192.0.2.99', 'x-status-forward': 'guess' })).toBe(429);
    expect(await guess({ 'x-status-client': '192.0.2.99', 'x-status-forward': forwardKeyOf(secret) })).toBe(401);
  });

  it.each([
    ['without the secret', {}, 403],
    ['with another one', { 'x-status-secret': 'guess' }, 403],
    ['forwarded for a client', { 'x-status-secret': secret, 'x-status-client': '192.0.2.1' }, 403],
    ['with the secret', { 'x-status-secret': secret }, 200],
  ])('takes reports and orders only from this machine: %s', async (_what, headers, status) => {
    const report = { values: { 'database.down': 0 }, facts: {} };
    const reported = await app.inject({ method: 'POST', url: '/control/report', payload: report, headers });
    const stopped = await app.inject({ method: 'POST', url: '/control/stop', headers });
    expect([reported.statusCode, stopped.statusCode, stops]).toEqual([status, status, status === 200 ? 1 : 0]);
  });

  it('refuses reports that are none', async () => {
    for (const payload of [
      {},
      { values: { a: 'x' }, facts: {} },
      { values: [], facts: {} },
      { values: { '__proto__ x': 1 }, facts: {} },
    ]) {
      const answer = await app.inject({
        method: 'POST',
        url: '/control/report',
        payload,
        headers: { 'x-status-secret': secret },
      });
      expect(answer.statusCode).toBe(400);
    }
  });
});
