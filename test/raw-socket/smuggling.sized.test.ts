// Every shape of request that readers of HTTP disagree about, against the routes of the running product, in the long
// form every one of
// them: no answer but to
// who asked, and each later client gets its own. What is forwarded to the status service is tried twice, because a
// spoiled connection shows with the next request on it; the status service itself is attacked as well.
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sized } from '../../packages/test-support/sized.ts';
import { readStatusAddress } from '../../src/runtime/status/status-service-file.ts';
import { type Product, startProduct } from '../support/program/start-product.ts';
import { type AttackShape, attackShapes } from './attack-shapes.ts';
import { openRawConnection, type RawAnswer, type RawConnection } from './raw-connection.ts';

type Route = { method: string; path: string };
/** A listener under attack; only its own answer fits the request that it is sent. */
type Target = { port: number; makeRequest(word: string): OwnRequest };
type OwnRequest = { text: string; isAnswer(answer: RawAnswer | null): boolean };
type Attack = Route & { target: Target; times: number; isForwarded: boolean };

const statusPages = [
  '/status',
  '/status/history',
  '/status/history.atom',
  '/status/history.rss',
  '/status/maintenance.ics',
];
const forwardedRoutes: Route[] = [
  ...[...statusPages, '/status/badge.svg', '/status/icon.svg', '/status/incidents/x', '/status/components/x'],
  ...['summary', 'status', 'components', 'incidents', 'incidents/unresolved'].map((name) => `/api/v2/${name}.json`),
  ...[
    '/api/v2/x',
    '/status/manage/components',
    '/status/manage/incidents',
    '/status/manage/webhooks',
    '/control/about',
  ],
].map((path) => ({ method: 'GET', path }));
forwardedRoutes.push(
  { method: 'HEAD', path: '/status' },
  { method: 'HEAD', path: '/api/v2/summary.json' },
  ...['incidents', 'maintenances', 'webhooks', 'webhooks/x/test'].map((name) => ({
    method: 'POST',
    path: `/status/manage/${name}`,
  })),
  ...['components/x', 'incidents/x'].map((name) => ({ method: 'PATCH', path: `/status/manage/${name}` })),
  { method: 'DELETE', path: '/status/manage/webhooks/x' },
);
const ownRoutes: Route[] = [
  ...[
    '/',
    '/favicon.svg',
    '/health/liveness',
    '/health/readiness',
    '/metrics',
    '/docs',
    '/docs/start.js',
    '/none',
    '/chains',
    '/signature-database/v1/lookup',
  ],
  ...['/v2/verify/x', '/v2/contract/1/x', '/v2/contract/all-chains/x', '/v2/contracts/1'],
  ...['/files/1/x', '/files/contracts/any/1', '/session/data', '/repo-ui/1/x'],
].map((path) => ({ method: 'GET', path }));
ownRoutes.push(
  { method: 'HEAD', path: '/api/v1/schedules' },
  { method: 'PUT', path: '/api/v1/schedules' },
  ...[
    ...['/verify/explorer', '/v2/verify/etherscan/1/x', '/v2/verify/1/x', '/', '/verify', '/session/clear'],
    '/demo/contract/1/source',
  ].map((path) => ({ method: 'POST', path })),
);

const controlRoutes: Route[] = [
  { method: 'GET', path: '/control/about' },
  ...['report', 'stop'].map((name) => ({ method: 'POST', path: `/control/${name}` })),
];

/**
 * Endpoints share their listener, and nothing is forwarded: each shape attacks some of them, other shapes the others.
 */
const everyEndpoint = process.env.SMUGGLING_TO === 'all';
const oneIn = everyEndpoint
  ? { endpoints: 1, others: 1 }
  : sized({ short: { endpoints: 24, others: 8 }, long: { endpoints: 3, others: 1 } });
const isInTurn = (every: number, shape: number) => (_route: Route, index: number) => (index + shape) % every === 0;

const counts = { sent: 0, right: 0, refused: 0, spoiled: 0 };
let product: Product;
let attacks: Attack[];
let endpoints: Attack[];
/** Clients that keep their connections, as a proxy does. */
let bystanders: RawConnection[];

beforeAll(async () => {
  product = await startProduct(['--status-token', 'kim:a-token-of-sixteen-characters', '--idle-timeout', '3600']);
  const answer = await fetch(`${product.url}/api/v1/docs/openapi.json`);
  const { paths } = (await answer.json()) as { paths: Record<string, Record<string, unknown>> };
  const documented = Object.keys(paths).filter((path) => path.startsWith('/api/v1/') && 'get' in paths[path]!);
  const mirror: Target = { port: product.port, makeRequest };
  const { port } = readStatusAddress(join(product.dataFolder, 'status'))!;
  const statusService: Target = { port, makeRequest: makeStatusRequest };
  const own = { target: mirror, times: 1, isForwarded: false };
  endpoints = documented.map((path) => ({ method: 'GET', path: path.replace(/\{[^}]*\}/g, '1'), ...own }));
  attacks = [
    ...ownRoutes.map((route) => ({ ...route, ...own })),
    ...forwardedRoutes.map((route) => ({ ...route, target: mirror, times: 2, isForwarded: true })),
    ...[...forwardedRoutes, ...controlRoutes].map((route) => ({
      ...route,
      target: statusService,
      times: 1,
      isForwarded: true,
    })),
  ];
  bystanders = [openRawConnection(product.port), openRawConnection(product.port)];
});
afterAll(async () => {
  console.log(
    `${attackShapes.length} shapes, ${attacks.length + endpoints.length} routes: ${counts.sent} requests sent, ${counts.right} answers right, ${counts.refused} refused as they should be, ${counts.spoiled} spoiled`,
  );
  await product.close();
});

test.each(attackShapes.map((shape, index) => [shape.name, shape, index] as const))('%s', async (_name, shape, turn) => {
  const expectNone = (problem: string | null, route: Route) => {
    if (problem) counts.spoiled += 1;
    expect(problem && { ...route, problem }).toBeNull();
  };
  for (const route of [
    ...endpoints.filter(isInTurn(oneIn.endpoints, turn)),
    ...attacks.filter(isInTurn(oneIn.others, turn)),
  ]) {
    for (let time = 0; time < route.times; time++) {
      expectNone(await attack(shape, route), route);
      // What the mirror answers itself shares no connection: others are asked after all of those, and here after every
      // one.
      if (route.isForwarded || everyEndpoint) expectNone(await askAsOthers(), route);
    }
  }
});

test('nothing of it was published', async () => {
  const answer = await fetch(`${product.url}/api/v2/incidents.json`);
  expect(((await answer.json()) as { incidents: unknown[] }).incidents).toEqual([]);
  expect(counts.sent).toBe(counts.right + counts.refused);
});

/** What went wrong, or null. */
async function attack(shape: AttackShape, route: Attack): Promise<string | null> {
  const { text, isAnswer } = route.target.makeRequest('hidden');
  const connection = openRawConnection(route.target.port);
  connection.send(Buffer.from(shape.bytes({ ...route, hidden: text }), 'latin1'));
  counts.sent += shape.outcome === 'both' ? 2 : 1;
  const problem = await judge[shape.outcome](connection, route, isAnswer);
  connection.close();
  return problem;
}

type Judge = (
  connection: RawConnection,
  route: Attack,
  isHidden: (answer: RawAnswer | null) => boolean,
) => Promise<string | null>;

const judge: Record<AttackShape['outcome'], Judge> = {
  async served(connection, { method, target }, isHidden) {
    const answer = await connection.next({ method });
    if (!answer || isHidden(answer)) return `answered with ${answer?.head}`;
    counts.right += 1;
    return askAsNext(connection, target);
  },
  async both(connection, { method, target }, isHidden) {
    const answer = await connection.next({ method });
    if (!answer || isHidden(answer)) return `answered first with ${answer?.head}`;
    counts.right += 1;
    const second = await connection.next();
    // A server may end a connection after any answer; the second request is then sent again.
    if (second && !isHidden(second)) return `answered second with ${second.head} ${second.body}`;
    counts[second ? 'right' : 'refused'] += 1;
    return second ? askAsNext(connection, target) : null;
  },
  async refused(connection, _route, isHidden) {
    const answers = await connection.rest();
    if (answers.length > 1 || answers.some((answer) => answer.status < 400 || isHidden(answer))) {
      return `not refused: ${answers.map(({ head, body }) => `${head} ${body.slice(0, 200)}`)}`;
    }
    counts.refused += 1;
    return null;
  },
  async ended(connection, { method }, isHidden) {
    const first = await connection.next({ method });
    const more = first ? await connection.rest() : [];
    if (isHidden(first) || more.length > 0) return `answered with ${first?.head}, then ${more[0]?.head}`;
    counts[first ? 'right' : 'refused'] += 1;
    return null;
  },
  async open(connection, { method }) {
    // Routes that read bodies wait for it.
    const waits = method !== 'GET' && method !== 'HEAD';
    const answer = waits ? null : await connection.next({ method });
    if (!waits && !answer) return 'not answered';
    counts.right += 1;
    return null;
  },
};

let made = 0;

function makeRequest(word: string): OwnRequest {
  made += 1;
  const name = `${word}${made}`;
  return {
    text: `GET /api/v1/schedules?${name}=1 HTTP/1.1\r\nHost: localhost\r\n\r\n`,
    isAnswer: (answer) => answer?.body.includes(`Unknown query parameter: ${name}"`) === true,
  };
}

/** Of a path that is not attacked itself: nothing that the status service answers with repeats what it was asked. */
function makeStatusRequest(): OwnRequest {
  return {
    text: 'GET /api/v2/scheduled-maintenances/active.json HTTP/1.1\r\nHost: localhost\r\n\r\n',
    isAnswer: (answer) =>
      answer?.body.includes('"scheduled_maintenances"') === true && !answer.body.includes('"components"'),
  };
}

/** The next client of the same connection, as behind a proxy. */
async function askAsNext(connection: RawConnection, target: Target): Promise<string | null> {
  const { text, isAnswer } = target.makeRequest('next');
  connection.send(text);
  counts.sent += 1;
  const answer = await connection.next();
  // It may have been ended after the answer before.
  if (answer && !isAnswer(answer)) return `the next client got ${answer.head} ${answer.body.slice(0, 200)}`;
  counts[answer ? 'right' : 'refused'] += 1;
  return null;
}

/** Clients of other connections: of the ledger, and of the status service. */
async function askAsOthers(): Promise<string | null> {
  const { text: own, isAnswer } = makeRequest('other');
  const summary = ['status', 'components', 'incidents'][made % 3]!;
  const asked = [
    { connection: openRawConnection(product.port), text: own, isOwn: isAnswer },
    ...bystanders.map((connection, index) => {
      const name = index === 0 ? summary : 'scheduled-maintenances';
      return {
        connection,
        text: `GET /api/v2/${name}.json HTTP/1.1\r\nHost: localhost\r\n\r\n`,
        isOwn: (answer: RawAnswer | null) =>
          answer?.status === 200 && `${name.replace('-', '_')}` in JSON.parse(answer.body),
      };
    }),
  ];
  for (const { connection, text } of asked) connection.send(text);
  for (const { connection, isOwn } of asked) {
    counts.sent += 1;
    const answer = await connection.next();
    if (!isOwn(answer)) return `another client got ${answer?.head} ${answer?.body.slice(0, 200)}`;
    counts.right += 1;
  }
  asked[0]!.connection.close();
  return null;
}
