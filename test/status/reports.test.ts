// Reports from other machines, as a hostile one sends them: who may, what is taken of them, and what is shown.
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createStatusService, type StatusService } from '../../packages/status/create-status-service.ts';
import { createStatusApp } from '../../packages/status/http/status-app.ts';
import { createStatusGate } from '../../packages/status/http/status-gate.ts';
import { createReporterRoll, type ReporterRoll } from '../../packages/status/reporter-roll.ts';
import { openStatusJournal, type StatusJournal } from '../../packages/status/status-journal.ts';
import { defaultStatusRules } from '../../packages/status/status-rules.ts';
import { createWebhooks, type Webhooks } from '../../packages/status/webhooks/create-webhooks.ts';
import { beginning, page } from '../../packages/test-support/status/status-rehearsal.ts';

const tokens = { mirrors: 'a-token-of-the-mirrors', others: 'a-token-of-the-others', kim: 'a-token-of-an-operator' };

let folder: string;
let now: number;
let journal: StatusJournal;
let service: StatusService;
let webhooks: Webhooks;
let roll: ReporterRoll;
let app: FastifyInstance;
let lost: string[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'reports-'));
  now = beginning;
  lost = [];
  journal = openStatusJournal(folder);
  const clock = (): number => now;
  service = createStatusService({
    ...{ journal, rules: defaultStatusRules, page, clock, onChange: () => {}, hasRoom: () => true },
    onProblem(error) {
      throw error;
    },
    onRecovered: () => {},
  });
  webhooks = createWebhooks({ folder: join(folder, 'webhooks'), clock, allowPrivate: true, log: () => {} });
  roll = createReporterRoll({ freshMs: 30_000 });
  const gate = createStatusGate({
    tokens: new Map([[tokens.kim, 'kim']]),
    reporters: new Map([
      [tokens.mirrors, 'mirrors'],
      [tokens.others, 'others'],
    ]),
    ...{ secret: 'of this machine', clock },
  });
  const reporting = {
    about: () => ({ service: 'x', everyMs: 5000 }),
    network: 'testnet',
    onReport(
      { name, kind }: { name: string; kind: 'serve' | 'import' },
      report: Parameters<StatusService['report']>[0],
    ) {
      if (!roll.note(name, kind, now)) return false;
      service.report(report);
      return true;
    },
    onLeave: ({ name }: { name: string }) => void roll.forget(name),
    onLost: ({ name }: { name: string }) => void lost.push(name),
    list: () => roll.list(now),
    forget: roll.forget,
  };
  const log = pino({ level: 'silent' });
  app = createStatusApp({ service, webhooks, gate, clock, log, control: null, reporting, standsIn: false });
});
afterEach(async () => {
  await app.close();
  await webhooks.close();
  journal.close();
  rmSync(folder, { recursive: true, force: true });
});

const sound = { reporter: 'one:5551', kind: 'serve', network: 'testnet', values: {}, facts: {} };

async function report(payload: unknown, token: string | null = tokens.mirrors, path = '/status/report') {
  const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) };
  const text = typeof payload === 'string' ? payload : JSON.stringify(payload);
  const answer = await app.inject({ method: 'POST', url: path, headers, payload: text });
  return { status: answer.statusCode, text: answer.payload };
}

describe('who may report', () => {
  it.each([
    ['nobody', null, 401],
    ['a guess', 'a-token-of-the-mirrorz', 401],
    ['an operator', tokens.kim, 401],
    ['a reporter', tokens.mirrors, 200],
  ])('%s', async (_who, token, status) => {
    expect((await report(sound, token)).status).toBe(status);
  });

  it('guesses are limited, and a right token is taken all the same', async () => {
    for (let guess = 0; guess < 10; guess += 1) await report(sound, `a-guess-with-number-${guess}`);
    expect((await report(sound, 'one-more-guess-of-it')).status).toBe(429);
    expect((await report(sound)).status).toBe(200);
  });

  it('a reporter changes nothing that is an operator’s, and sees no reporters', async () => {
    const headers = { authorization: `Bearer ${tokens.mirrors}` };
    const set = {
      method: 'PATCH',
      url: '/status/manage/components/api',
      headers,
      payload: { status: 'operational' },
    } as const;
    expect((await app.inject(set)).statusCode).toBe(401);
    expect((await app.inject({ url: '/status/manage/reporters', headers })).statusCode).toBe(401);
  });

  it('operators see who reports, and forget one', async () => {
    await report(sound);
    const headers = { authorization: `Bearer ${tokens.kim}` };
    const list = await app.inject({ url: '/status/manage/reporters', headers });
    expect(list.json()).toEqual([{ name: 'mirrors/one:5551', kind: 'serve', heardAt: now, isLost: false }]);
    const url = `/status/manage/reporters/${encodeURIComponent('mirrors/one:5551')}`;
    expect((await app.inject({ method: 'DELETE', url, headers })).statusCode).toBe(200);
    expect((await app.inject({ method: 'DELETE', url, headers })).statusCode).toBe(404);
  });

  it('one token takes no leave for another', async () => {
    await report(sound);
    expect((await report(sound, tokens.others, '/status/report/leave')).status).toBe(200);
    expect(roll.list(now)).toHaveLength(1);
    await report(sound, tokens.mirrors, '/status/report/leave');
    expect(roll.list(now)).toEqual([]);
  });
});

describe('what is refused', () => {
  it.each<[string, unknown, number, string]>([
    ['no JSON', '{', 400, ''],
    ['a list', [], 400, 'a report is a JSON object'],
    ['no name', { ...sound, reporter: undefined }, 400, 'reporter'],
    ['a name with markup', { ...sound, reporter: '<b>' }, 400, 'reporter'],
    ['a long name', { ...sound, reporter: 'x'.repeat(101) }, 400, 'reporter'],
    ['another kind', { ...sound, kind: 'status' }, 400, 'kind'],
    ['another network', { ...sound, network: 'mainnet' }, 400, 'shows the network testnet'],
    ['a text for a number', { ...sound, values: { 'api.p95Ms': '5' } }, 400, 'must be a finite number'],
    [
      'too many members',
      { ...sound, values: Object.fromEntries(Array.from({ length: 201 }, (_, i) => [`x${i}`, 1])) },
      400,
      'at most 200',
    ],
    ['a long text', { ...sound, facts: { 'import.halted': 'x'.repeat(2001) } }, 400, 'must be a short text'],
    ['a member of every object', '{"__proto__": {}, "values": {}}', 400, ''],
    ['a large body', { ...sound, padding: 'x'.repeat(65_536) }, 413, ''],
  ])('%s', async (_what, payload, status, message) => {
    const answer = await report(payload);
    expect([answer.status, answer.text]).toEqual([status, expect.stringContaining(message)]);
    expect(roll.list(now)).toEqual([]);
  });

  it('more reporters than there is room for', () => {
    for (let index = 0; index < 1000; index += 1) expect(roll.note(`r${index}`, 'serve', now)).toBe(true);
    expect(roll.note('one more', 'serve', now)).toBe(false);
    expect(roll.note('r7', 'serve', now + 3_500_000)).toBe(true);
    expect(roll.note('one more', 'serve', now + 3_700_000)).toBe(true);
    expect(roll.list(now + 3_700_000).map(({ name }) => name)).toEqual(['one more', 'r7']);
  });
});

describe('what is taken', () => {
  it('signals that the rules know, within bounds; nothing that the service finds out itself', async () => {
    const values = {
      'api.p95Ms': 1e300,
      'database.probeMs': -5,
      'api.lost': 0,
      'api.down': 0,
      constructor: 1,
      'my.own': 1,
    };
    const known = { 'network.version': 'v0.77.1', 'network.name': 'previewnet' };
    const facts = { ...known, 'status.writeFails': 'ha', toString: 'x', 'my.own': 'x' };
    expect((await report({ ...sound, values, facts })).status).toBe(200);
    expect(service.state().readings).toEqual({
      'api.p95Ms': { at: now, value: 1e13 },
      'database.probeMs': { at: now, value: 0 },
    });
    expect(service.state().facts).toEqual(known);
  });

  it('texts as text, on one line, without what turns or hides it', async () => {
    const hostile = '<script>alert(1)</script>\u202e\u0000\n\u2028]]>"\'';
    const facts = {
      'network.newest': hostile,
      'network.version': hostile,
      'network.name': hostile,
      'import.halted': `${hostile}${'x'.repeat(1500)}`,
    };
    await report({ ...sound, values: { 'import.halted': 1 }, facts });
    now += 10_000;
    service.tick();
    const shown = await app.inject('/status');
    expect(shown.payload).not.toContain('<script>');
    expect(shown.payload).toContain('&#60;script&#62;');
    expect(shown.payload).not.toMatch(/[\u202e\u2028]/);
    expect(shown.payload).toContain('<h4><a');
    const { components } = (await app.inject('/api/v2/components.json')).json() as { components: { name: string }[] };
    expect(components.at(-1)!.name).toBe('Hedera Testnet | Network Uptime');
    expect(Math.max(...Object.values(service.state().facts).map((text) => text.length))).toBeLessThanOrEqual(500);
  });
});

describe('a connection that ends', () => {
  const headers = (more = '') =>
    `POST /status/report HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${tokens.mirrors}\r\nContent-Type: application/json\r\n${more}`;

  async function reportAndHangUp(more: string): Promise<void> {
    await app.listen({ port: 0, host: '127.0.0.1' });
    const body = JSON.stringify(sound);
    const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
    socket.write(`${headers(more)}Content-Length: ${body.length}\r\n\r\n${body}`);
    await new Promise((done) => socket.once('data', done));
    socket.resetAndDestroy();
  }

  it('is a reporter that is lost', async () => {
    await reportAndHangUp('');
    await expect.poll(() => lost, { timeout: 50_000, interval: 5 }).toEqual(['mirrors/one:5551']);
  });

  it('says nothing behind a proxy', async () => {
    await reportAndHangUp('Via: 1.1 proxy\r\n');
    await app.close();
    expect(lost).toEqual([]);
  });
});

it('without a token nobody reports', async () => {
  const gate = createStatusGate({ tokens: new Map(), secret: 'of this machine', clock: () => now });
  const closed = createStatusApp({
    ...{ service, webhooks, gate, clock: () => now, log: pino({ level: 'silent' }), control: null, standsIn: false },
  });
  const headers = { authorization: 'Bearer ', 'content-type': 'application/json' };
  const answer = await closed.inject({
    method: 'POST',
    url: '/status/report',
    headers,
    payload: JSON.stringify(sound),
  });
  expect(answer.statusCode).toBe(404);
  await closed.close();
});
