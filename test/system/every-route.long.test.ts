// Every route of the port, asked by 24 clients again and again, while another client asks for liveness: nothing is made
// again for each of them, and liveness is never behind more than one round of the others.
import { Agent, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openDatabase } from '../../packages/postgres/wire/database.ts';
import { openServer } from '../../packages/test-support/http/open-server.ts';
import { createScratchDatabase, type ScratchDatabase } from '../../packages/test-support/postgres/scratch-database.ts';
import { writeSimulatedStream } from '../../packages/test-support/streams/simulated-stream.ts';
import type { createServer } from '../../src/server/server.ts';

const clients = 24;
const rounds = 2;
let scratch: ScratchDatabase;
let db: ReturnType<typeof openDatabase>;
let app: ReturnType<typeof createServer>;
let port: number;
const registry = new Registry();
const agent = new Agent({ keepAlive: true, maxSockets: clients + 1 });

beforeAll(async () => {
  scratch = await createScratchDatabase();
  const stream = await writeSimulatedStream({ seed: 'routes', blocks: 2, transactionsPerBlock: 5 });
  await stream.importInto(scratch.connectionString);
  stream.close();
  db = openDatabase({ connectionString: scratch.connectionString, maxConnections: 4 });
  app = openServer(db, 'spec', { registry, hasRoom: db.hasRoom });
  await app.listen({ port: 0, host: '127.0.0.1' });
  port = (app.server.address() as AddressInfo).port;
});
afterAll(async () => {
  agent.destroy();
  await app?.close();
  await db?.close();
  await scratch?.close();
});

/** Of the router itself, so that none is left out. */
function everyPath(): string[] {
  const printed = app.printRoutes({ commonPrefix: false });
  const paths: string[] = [];
  const above: string[] = [];
  for (const line of printed.split('\n')) {
    const found = /^([\s│]*)[├└]── (\S*)(?: \((.*)\))?$/.exec(line);
    if (!found) continue;
    const [, indent, part, methods = ''] = found;
    above.length = indent!.length / 4;
    above.push(part!);
    if (methods.split(', ').includes('GET')) paths.push(above.join(''));
  }
  return paths.map((path) => path.replaceAll(/:\w+/g, '0.0.1001').replace('*', 'x'));
}

function ask(path: string): Promise<number> {
  return new Promise((done, refuse) => {
    get({ host: '127.0.0.1', port, path, agent }, (answer) => {
      answer.resume().on('end', () => done(answer.statusCode!));
    }).on('error', refuse);
  });
}

async function renderings(): Promise<Map<string, number>> {
  const found = await registry.getSingleMetric('http_pages_rendered_total')!.get();
  return new Map(found.values.map(({ labels, value }) => [String(labels.page), value]));
}

it('no route is made for each client, and liveness comes between', async () => {
  const paths = everyPath();
  expect(paths).toEqual(
    expect.arrayContaining(['/', '/metrics', '/search', '/docs', '/api/v1/docs/openapi.yml', '/api/v1/blocks']),
  );
  expect(paths.length).toBeGreaterThan(50);
  const before = await renderings();
  let answered = 0;
  const waits: number[] = [];
  const refused = new Set<string>();
  for (const path of paths) {
    let isOver = false;
    const watch = (async () => {
      while (!isOver) {
        const sofar = answered;
        expect(await ask('/health/liveness')).toBe(200);
        waits.push(answered - sofar);
      }
    })();
    await Promise.all(
      Array.from({ length: clients }, async () => {
        for (let round = 0; round < rounds; round += 1) {
          const status = await ask(path);
          answered += 1;
          if (status >= 500 && status !== 501) refused.add(`${path} ${status}`);
        }
      }),
    );
    isOver = true;
    await watch;
  }
  // Only for want of time.
  expect([...refused].filter((line) => !line.endsWith(' 503'))).toEqual([]);
  expect(Math.max(...waits)).toBeLessThanOrEqual(2 * clients);
  const after = await renderings();
  for (const [page, count] of after) {
    const made = count - (before.get(page) ?? 0);
    // What is kept is made once for each second; what is each reader's own, once for all that ask at a time.
    expect([page, made <= 4 * rounds]).toEqual([page, true]);
  }
});
