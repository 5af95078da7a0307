// The pages, feeds and badges over HTTP, made from a state with everything in it.
import { gzipSync } from 'node:zlib';
import { type FastifyInstance, fastify } from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addStatusPageRoutes } from '../../packages/status/http/page/add-status-page-routes.ts';
import { emptyState, type StatusState } from '../../packages/status/status-state.ts';
import { sampleIncident, sampleNow, sampleState, sampleUpdate } from './sample-state.ts';

let app: FastifyInstance;
let state: StatusState;
let now: number;

beforeEach(() => {
  app = fastify();
  state = sampleState();
  now = sampleNow;
  addStatusPageRoutes(app, { state: () => state, clock: () => now });
});
afterEach(() => app.close());

async function get(url: string): Promise<string> {
  const { statusCode, body } = await app.inject(url);
  expect(statusCode).toBe(200);
  return body;
}

const paths: [path: string, contentType: string][] = [
  ['/status', 'text/html; charset=utf-8'],
  ['/status/history', 'text/html; charset=utf-8'],
  ['/status/history/2026-10', 'text/html; charset=utf-8'],
  ['/status/incidents/h2jk5l7mnp9q', 'text/html; charset=utf-8'],
  ['/status/incidents/m5np6q7rs8tv', 'text/html; charset=utf-8'],
  ['/status/components/cdatabasexxx', 'text/html; charset=utf-8'],
  ['/status/components/cmirrorxxxxx', 'text/html; charset=utf-8'],
  ['/status/history.atom', 'application/atom+xml; charset=utf-8'],
  ['/status/history.rss', 'application/rss+xml; charset=utf-8'],
  ['/status/maintenance.ics', 'text/calendar; charset=utf-8'],
  ['/status/badge.svg', 'image/svg+xml; charset=utf-8'],
  ['/status/badge/cdatabasexxx.svg', 'image/svg+xml; charset=utf-8'],
  ['/status/icon.svg', 'image/svg+xml; charset=utf-8'],
];

describe('answers', () => {
  it.each(paths)('%s', async (url, contentType) => {
    const answer = await app.inject(url);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['content-type']).toBe(contentType);
    expect(answer.headers['cache-control']).toBe('public, max-age=15, stale-if-error=3600');
    expect(answer.headers['access-control-allow-origin']).toBe('*');
    const again = await app.inject({ url, headers: { 'if-none-match': answer.headers.etag } });
    expect([again.statusCode, again.body]).toEqual([304, '']);
    const head = await app.inject({ method: 'HEAD', url });
    expect([head.statusCode, head.headers.etag, head.body]).toEqual([200, answer.headers.etag, '']);
  });

  it.each([
    '/status/incidents/nosuchid',
    '/status/components/nosuchid',
    '/status/badge/nosuchid.svg',
    '/status/badge/cdatabasexxx',
    '/status/history/2026-13',
    '/status/history/<script>',
  ])('%s is nowhere', async (url) => {
    const answer = await app.inject(encodeURI(url));
    expect(answer.statusCode).toBe(404);
    expect(answer.body).toContain('There is no such page');
    expect(answer.body).not.toContain('<script');
  });

  it('no page runs or loads anything', async () => {
    for (const [url, contentType] of paths.filter(([, type]) => type.startsWith('text/html'))) {
      const body = await get(url);
      expect(body, contentType).not.toMatch(/<script|<link rel="stylesheet"|@import|https?:\/\/(?!127\.0\.0\.1:5551)/i);
    }
  });
});

describe('the status page', () => {
  it('tells how everything is, what is done, what is planned and what has been', async () => {
    const body = await get('/status');
    for (const part of [
      '<h1>Partial System Outage</h1>',
      'As of <time datetime="2026-11-21T11:59:56.000Z">21 Nov 2026, 11:59 UTC</time>.',
      'The database does not answer',
      '<strong>Identified</strong>',
      'A disk is full. Room is being made.</p><p>Queries are answered again',
      'Ledger Mirror - Database: partial outage → major outage',
      'Planned from <time datetime="2026-11-24T12:00:00.000Z">',
      'Affects Mirror Node REST API Testnet, Database',
      'Degraded performance: no fresh data',
      '95 % of the answers took up to 2.4 s; more than 2 s is degraded',
      'Import lag <span>now 3.2 s, median 2.7 s over 22 h 25 min, highest 3.9 s at <time',
      '<span>0 to 3.9 s</span>',
      /<span>89 days ago<\/span> <span>99\.80 % up in 74 d 10 h measured<\/span> <span>today<\/span>/.exec(body)?.[0] ??
        'the axis of the days',
      'Failed requests <span>now 0 %, median 0 % over 22 h 25 min, highest 2 % at <time',
      'The import has caught up.',
    ]) {
      expect(body).toContain(part);
    }
    expect(body.match(/<svg class="bars"/g)).toHaveLength(6);
    expect(body).not.toContain('what is missing counts as degraded');
  });

  it('says so when signals stop, and before the first', async () => {
    now = sampleNow + 10 * 60_000;
    expect(await get('/status')).toContain(
      'Some signals have not come in for 10 min; what is missing counts as degraded.',
    );
    state = { ...state, readings: {} };
    expect(await get('/status')).toContain('Not every signal has come in yet; what is missing counts as degraded.');
  });

  it.each([
    ['/status', undefined],
    ['/status?refresh=60', '60'],
    ['/status?refresh=9', undefined],
    ['/status?refresh=0;url=http://elsewhere.example', undefined],
    ['/status?refresh=60&refresh=70', undefined],
  ])('%s loads itself again after %s s', async (url, seconds) => {
    const { headers, statusCode } = await app.inject(url);
    expect([statusCode, headers.refresh]).toEqual([200, seconds]);
  });

  it('a line is broken where nothing was measured', async () => {
    const lines = [...(await get('/status')).matchAll(/<path class="line" d="([^"]+)"/g)].map((match) => match[1]!);
    expect(lines).toHaveLength(3);
    for (const line of lines) expect(line.match(/M/g)).toHaveLength(2);
  });

  it('a chart shows the last day, and less where there is less', async () => {
    const readLines = async () => {
      const body = await get('/status');
      return [...body.matchAll(/<path class="line" d="([^"]+)"/g)].map((match) => match[1]!.match(/[ML][\d.]+/g)!);
    };
    const points = Object.values(state.points);
    const pick = (chosen: typeof points) => Object.fromEntries(chosen.map((point) => [String(point.at), point]));
    expect((await readLines())[0]!.slice(0, 2)).toEqual(['M0', 'L2']);
    state = { ...state, points: pick(points.slice(-25)) };
    expect((await readLines())[0]).toEqual([
      'M0',
      ...Array.from({ length: 24 }, (_, index) => `L${Math.round((((index + 1) * 574) / 24) * 10) / 10}`),
    ]);
    state = { ...state, points: pick(points.slice(-1)) };
    expect((await readLines())[0]).toEqual(['M574']);
    // What is older than a day before the newest has no place.
    state = { ...state, points: pick([{ ...points[0]!, at: points[0]!.at - 86_400_000 * 30 }, ...points.slice(-2)]) };
    expect((await readLines())[0]).toEqual(['M572', 'L574']);
  });

  it('a chart is not made useless by the lag of a first start, and still tells it', async () => {
    const hours = 62 * 3_600_000;
    const points = Object.values(state.points).slice(-24);
    const first = points.slice(0, 3).map((point) => ({ ...point, lagMs: hours }));
    state = {
      ...state,
      points: Object.fromEntries([...first, ...points.slice(3)].map((point) => [String(point.at), point])),
    };
    const body = await get('/status');
    const [line] = [...body.matchAll(/<path class="line" d="([^"]+)"/g)].map((match) => match[1]!);
    const heights = line!.match(/[ML][\d.]+ [\d.]+/g)!.map((step) => Number(step.split(' ')[1]));
    expect(new Set(heights.slice(0, 3))).toEqual(new Set([3]));
    // Of 80: the swing of the others is still to be seen.
    expect(Math.max(...heights.slice(3)) - Math.min(...heights.slice(3))).toBeGreaterThan(4);
    expect(Math.max(...heights)).toBeLessThan(79);
    expect(body).toContain('highest 2 d 14 h at <time');
    expect(body).toMatch(/<span>0 to \d+\.\d s, 3 values above<\/span>/);
    expect(/<path class="cut" d="([^"]+)"/.exec(body)![1]!.match(/M/g)).toHaveLength(3);
  });

  it.each(['/status', '/status/history', '/status/incidents/h2jk5l7mnp9q', '/status/components/cdatabasexxx'])(
    'words that stand apart in %s are apart without the style, too',
    async (url) => {
      const glued = /<\/(?:span|a|strong|h\d|summary|time|li)><(?:span|a|strong|h\d|ul|li|time|p)\b.*/;
      expect(glued.exec(await get(url))?.[0].slice(0, 100)).toBeUndefined();
    },
  );

  it('shows a service that has only begun', async () => {
    state = { ...emptyState(), page: state.page };
    const body = await get('/status');
    expect(body).toContain('All Systems Operational');
    expect(body).toContain('None is recorded.');
    expect(body).not.toContain('The last day');
  });

  it('weighs less than 60 KB, and on its worst day less than that on the wire', async () => {
    expect(Buffer.byteLength(await get('/status'))).toBeLessThan(60 * 1024);
    state = worstState(state);
    expect(gzipSync(await get('/status')).length).toBeLessThan(60 * 1024);
    expect(gzipSync(await get('/status/components/cdatabasexxx')).length).toBeLessThan(60 * 1024);
  });
});

/** Trouble of every kind on every day, and twenty open incidents with a hundred updates each. */
function worstState(state: StatusState): StatusState {
  const days = Object.entries(state.days).map(([key, day]) => [
    key,
    {
      ...day,
      seconds: {
        ...day.seconds,
        degraded_performance: 3607,
        partial_outage: 7211,
        major_outage: 10_813,
        under_maintenance: 977,
      },
    },
  ]);
  const incidents = Array.from({ length: 20 }, (_, incident) => {
    const updates = Array.from({ length: 100 }, (_, update) =>
      sampleUpdate({
        id: `${incident}-${update}`,
        createdAt: sampleNow - update * 61_000,
        body: `Step ${update} of ${incident}: we are looking.`,
      }),
    );
    return sampleIncident({
      id: `bad${incident}`,
      status: 'investigating',
      startedAt: sampleNow - incident * 1000,
      updates,
    });
  });
  return {
    ...state,
    days: Object.fromEntries(days),
    incidents: { ...state.incidents, ...Object.fromEntries(incidents.map((incident) => [incident.id, incident])) },
  };
}

describe('history', () => {
  it('is shown by month, and months without an entry are skipped', async () => {
    const november = await get('/status/history');
    expect(november).toContain('History: November 2026');
    expect(november).toContain('href="/status/history/2026-10">Earlier: October 2026');
    expect(november).not.toContain('Later:');
    const october = await get('/status/history/2026-10');
    expect(october.match(/Import is behind/g)).toHaveLength(2);
    expect(october).toContain('href="/status/history/2026-11">Later: November 2026');
    expect(await get('/status/history/2020-01')).toContain('href="/status/history/2026-10">Later: October 2026');
  });

  it('months are those of the page’s time zone', async () => {
    const incident = sampleIncident({
      id: 'late',
      name: 'Night shift',
      startedAt: Date.UTC(2026, 9, 1, 3),
      resolvedAt: Date.UTC(2026, 9, 1, 4),
    });
    const page = { ...state.page.page!, timeZone: 'America/Denver' };
    state = { ...state, page: { page }, incidents: { late: incident } };
    const september = await get('/status/history/2026-09');
    expect(september).toContain('Night shift');
    expect(september).toContain('30 Sept 2026, 21:00 GMT-6');
    expect(september).toContain('Times are in America/Denver');
  });
});

const hostile =
  '<script>alert(1)</script><img src=x onerror=alert(2)>"\' onload=alert(3) ]]>&amp;\u0000\u001b\ud800 {{x}} javascript:alert(4)';

describe('hostile texts', () => {
  beforeEach(() => {
    state = sampleState({ text: () => hostile });
  });

  it.each(paths)('%s shows them as texts', async (url, contentType) => {
    const body = await get(url);
    // A calendar knows no markup.
    if (contentType.startsWith('text/calendar')) expect(body).toContain('SUMMARY:<script>');
    else expect(body).not.toMatch(/<script|<img src=x|onerror=alert\(2\)>[^&]|"' onload/i);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they must not be there
    expect(body).not.toMatch(/[\u0000-\u0008\u001b]/);
    expect(body.isWellFormed()).toBe(true);
  });

  it('ids are no way out of an address', async () => {
    const evil = sampleIncident({ id: '"><script>/../x', startedAt: sampleNow - 1000 });
    state = { ...state, incidents: { evil } };
    for (const url of ['/status', '/status/history', '/status/history.atom', '/status/history.rss']) {
      expect(await get(url)).not.toContain('<script');
    }
  });
});

describe('feeds', () => {
  it('Atom has incidents and maintenances, newest change first, with ids that stay', async () => {
    const body = await get('/status/history.atom');
    const ids = [...body.matchAll(/<entry>\n<id>([^<]+)/g)].map((match) => match[1]);
    expect(ids[0]).toBe('tag:ledger-mirror,2026:kctbh9vrtdwd/h2jk5l7mnp9q');
    expect(ids).toHaveLength(6);
    const updated = [...body.matchAll(/<updated>([^<]+)/g)].map((match) => match[1]!);
    expect(updated.slice(1)).toEqual(updated.slice(1).toSorted().reverse());
    expect(updated[0]).toBe(updated[1]);
    expect(body).toContain('href="http://127.0.0.1:5551/status/incidents/h2jk5l7mnp9q"');
    expect(body).toContain('<title>Larger disks (scheduled)</title>');
  });

  it('RSS says the same', async () => {
    const body = await get('/status/history.rss');
    expect(body.match(/<item>/g)).toHaveLength(6);
    expect(body).toContain('<guid isPermaLink="false">tag:ledger-mirror,2026:kctbh9vrtdwd/h2jk5l7mnp9q</guid>');
    expect(body).toContain('<pubDate>Sat, 21 Nov 2026 11:50:00 GMT</pubDate>');
  });

  it('stand still while nothing happens', async () => {
    const before = await get('/status/history.atom');
    now += 3_600_000;
    state = {
      ...state,
      readings: {},
      page: { page: { ...state.page.page!, updatedAt: now } },
    };
    expect(await get('/status/history.atom')).toBe(before);
  });

  it('the calendar has each maintenance, folded and escaped as it must be', async () => {
    const long = 'Ünïcödé 🛠; commas, back\\slashes\nand a second line: '.repeat(5);
    const changed = Object.fromEntries(
      Object.entries(state.incidents).map(([id, each]) => [id, { ...each, name: long }]),
    );
    state = { ...state, incidents: changed };
    const body = await get('/status/maintenance.ics');
    const lines = body.split('\r\n');
    expect(lines.pop()).toBe('');
    for (const line of lines) {
      expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
      expect(line).not.toMatch(/[\r\n]/);
    }
    const unfolded = body.replaceAll('\r\n ', '').split('\r\n');
    expect(unfolded.filter((line) => line === 'BEGIN:VEVENT')).toHaveLength(2);
    expect(unfolded).toContain('DTSTART:20261124T120000Z');
    expect(unfolded).toContain('DTEND:20261124T140000Z');
    expect(unfolded).toContain('UID:m5np6q7rs8tv.kctbh9vrtdwd@ledger-mirror');
    expect(unfolded).toContain(`SUMMARY:${'Ünïcödé 🛠\\; commas\\, back\\\\slashes\\nand a second line: '.repeat(5)}`);
  });
});

it('badges tell the state in words and with a sign', async () => {
  expect(await get('/status/badge.svg')).toContain(
    '<title>Ledger Mirror – Hedera Testnet: Partial System Outage</title>',
  );
  const component = await get('/status/badge/cverificatio.svg');
  expect(component).toContain('>⚒ Under maintenance</text>');
});
