// Lists as files: a CSV reader of others finds in them what all pages of the API have, whatever anyone wrote, and
// however the client reads.
import { request as httpRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Database } from '../../../packages/postgres/wire/database.ts';
import { defaultHttpSettings } from '../../../packages/test-support/http/default-settings.ts';
import { openServer } from '../../../packages/test-support/http/open-server.ts';
import { openSimulated, type SimulatedServer } from '../../../packages/test-support/http/open-simulated.ts';
import type { Admission } from '../../../packages/web-server/admission.ts';
import { refuse } from '../../../packages/web-server/request-error.ts';
import { createResponder } from '../../../packages/web-server/responder.ts';
import { findDialect } from '../../api/dialect/find-dialect.ts';
import { createCalls } from '../../calls/create-calls.ts';
import { noContractAbis } from '../../contracts/abi/create-contract-abis.ts';
import { createLedger } from '../../ledger/create-ledger.ts';
import { refusalShapes } from '../frame/refusal-page.ts';
import type { PageDownload } from '../page/page.ts';
import { createPageContext } from '../page/page-context.ts';
import { addDownloads, defaultDownloadLimits } from './add-downloads.ts';
import { listDownload } from './list-download.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 240_000 });

let server: SimulatedServer;
let app: SimulatedServer['app'];
let db: Database;

beforeAll(async () => {
  server = await openSimulated('busy');
  ({ app, db } = server);
});

afterAll(() => server?.close());

const get = async (url: string) => {
  const { statusCode, body, headers } = await app.inject({ url });
  return { status: statusCode, body, headers };
};

type Item = Record<string, unknown>;

const listAll = (url: string, member: string): Promise<Item[]> => server.listAll<Item>(url, member);

const read = (body: string): Record<string, string>[] => parse(body, { columns: true });

describe('the file of a list', () => {
  const transactions = fc.record(
    {
      limit: fc.integer({ min: 1, max: 100 }),
      order: fc.constantFrom('asc', 'desc'),
      result: fc.constantFrom('success', 'fail'),
      transactiontype: fc.constantFrom('CRYPTOTRANSFER', 'TOKENMINT', 'CONTRACTCALL', 'TOKENAIRDROP'),
      type: fc.constantFrom('credit', 'debit'),
      'account.id': fc.constantFrom('0.0.1001', '0.0.1002', '0.0.98', '1005'),
    },
    { requiredKeys: [] },
  );

  it('has the items of all pages of the API, whatever is asked', async () => {
    await fc.assert(
      fc.asyncProperty(transactions, async (query) => {
        const text = new URLSearchParams(
          Object.entries(query).map(([name, value]): [string, string] => [name, `${value}`]),
        ).toString();
        const { status, body } = await get(`/demo/transactions.csv?${text}`);
        expect(status).toBe(200);
        const items = await listAll(`/api/v1/transactions?${text.replace(/limit=\d+/, 'limit=100')}`, 'transactions');
        expect(
          read(body).map(({ consensus_timestamp, transaction_id, type, result }) => ({
            consensus_timestamp,
            transaction_id,
            type,
            result,
          })),
        ).toEqual(
          items.map(({ consensus_timestamp, transaction_id, name, result }) => ({
            consensus_timestamp,
            transaction_id,
            type: name,
            result,
          })),
        );
      }),
      { numRuns: 25 },
    );
  });

  it('is named, typed and never executed', async () => {
    const { headers, body } = await get('/demo/transactions.csv?limit=1');
    expect(headers['content-type']).toBe('text/csv; charset=utf-8; header=present');
    expect(headers['content-disposition']).toBe('attachment; filename="demo-transactions.csv"');
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(body.split('\r\n')[0]).toContain('consensus_timestamp');
  });

  it('has a name without anything that a header or a file system minds', async () => {
    const { headers, status } = await get('/demo/account/0x00000000000000000000000000000000000003e9/tokens.csv');
    expect([status, headers['content-disposition']]).toEqual([
      200,
      'attachment; filename="demo-account-0x00000000000000000000000000000000000003e9-tokens.csv"',
    ]);
  });

  it.each([
    ['/demo/transactions.csv?limit=0', 400],
    ['/demo/transactions.csv?limit=x', 400],
    ['/demo/transactions.csv?result=maybe', 400],
    ['/demo/account/0.0.4000000/tokens.csv', 404],
    ['/demo/account/nobody/tokens.csv', 400],
    ['/demo/account/0.0.1001/transactions.csv?year=26', 400],
    ['/demo/account/0.0.1001/operations.csv?from=2026-02-31', 400],
  ])('%s is refused as a page before anything is written', async (url, expected) => {
    const { status, headers } = await get(url);
    expect([status, headers['content-type'], headers['content-disposition']]).toEqual([
      expected,
      'text/html; charset=utf-8',
      undefined,
    ]);
  });

  it('is cut with a line that says where it goes on, and the rest begins there', async () => {
    const download = listDownload({
      path: '/some.csv',
      fields: () => [
        { name: 'n', text: (n: number) => `${n}` },
        { name: 'twice', text: (n: number) => `${2 * n}` },
      ],
      open:
        () =>
        async ({ queryText }) => {
          const from = Number(/from=(\d+)/.exec(queryText)?.[1] ?? 0);
          return { items: [from, from + 1], nextQuery: from + 2 < 10 ? `from=${from + 2}` : null };
        },
      maxRows: 4,
    });
    const context = pageContext();
    const all: string[][] = [];
    let queryText = '';
    for (let file = 0; file < 3; file++) {
      let text = '';
      for await (const piece of download.lines({ path: '/demo/some.csv', params: {}, queryText }, context))
        text += piece;
      const [head, ...rows] = parse(text) as string[][];
      expect(head).toEqual(['n', 'twice']);
      const note = rows.at(-1)![0]!;
      all.push(...rows.filter(([first]) => !first!.startsWith('#')));
      queryText = /^# Cut after 4 rows\. They go on at \/demo\/some\.csv\?(.+)$/.exec(note)?.[1] ?? '';
    }
    expect(all.map(([n]) => Number(n))).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(queryText).toBe('');
  });
});

function pageContext() {
  const settings = { ...defaultHttpSettings };
  const { clock, system } = settings;
  const calls = createCalls({
    db,
    system,
    network: settings.network,
    limits: { requestsPerSecond: 1, gasPerSecond: 1, tracesPerSecond: 1 },
  });
  const ledger = createLedger({ db, clock, system });
  return createPageContext(
    { ledger, calls, abis: noContractAbis, verifiedShare: async () => null, settings, dialect: findDialect('spec') },
    { site: { networkName: 'demo', slug: 'demo' } },
  );
}

const textOfPieces = 200_000;

/** A file without an end, which counts what was made of it. */
function endless(path: string) {
  const seen = { made: 0, making: 0, mostMaking: 0, ended: 0 };
  const download: PageDownload = {
    path,
    async *lines() {
      try {
        for (;;) {
          seen.making += 1;
          seen.mostMaking = Math.max(seen.mostMaking, seen.making);
          await new Promise((done) => setImmediate(done));
          seen.making -= 1;
          seen.made += 1;
          yield 'x'.repeat(textOfPieces);
        }
      } finally {
        seen.ended += 1;
      }
    },
  };
  return { seen, download };
}

describe('a client', () => {
  const { seen, download } = endless('/endless.csv');
  const limits = { ...defaultDownloadLimits, maxOpen: 6, maxMaking: 2, readWithinMs: 500 };
  let own: ReturnType<typeof openServer>;
  let port: number;
  let isFull = false;
  let asked = 0;
  const admission: Admission = {
    run(_client, work) {
      asked += 1;
      return isFull ? Promise.reject(refuse('overloaded')) : work();
    },
  };
  const short: PageDownload = {
    path: '/short.csv',
    async *lines() {
      for (let piece = 0; piece < 5; piece++) yield `${piece}\r\n`;
    },
  };
  const headIsRead = Promise.withResolvers<void>();
  const broken: PageDownload = {
    path: '/broken.csv',
    async *lines() {
      yield 'head\r\n';
      await headIsRead.promise;
      throw new Error('The database is gone');
    },
  };

  beforeAll(async () => {
    own = openServer(db, 'spec');
    const form = {
      shapes: refusalShapes({ networkName: 'demo', slug: 'demo', apiPrefix: '', hasStatus: () => false }),
    };
    const frame = {
      responder: createResponder(own.log),
      admission,
      clientOf: own.clientOf,
      form,
      registry: new Registry(),
    };
    addDownloads(own, [download, short, broken], pageContext(), frame, limits);
    await own.listen({ port: 0, host: '127.0.0.1' });
    port = (own.server.address() as AddressInfo).port;
  });
  afterAll(async () => {
    await own?.close();
  });

  const open = (path: string, from = '127.0.0.1') =>
    new Promise<IncomingMessage>((done, failed) => {
      const request = httpRequest({ port, path, host: '127.0.0.1', localAddress: from, agent: false }, done);
      request.on('error', failed);
      request.end();
    });

  it('that does not read stops what is made for it, and is ended after a while', async () => {
    const answer = await open('/demo/endless.csv');
    const closed = new Promise((done) => answer.on('close', done));
    answer.on('error', () => undefined);
    let before = -1;
    await vi.waitUntil(
      () => {
        const isStill = seen.made === before;
        before = seen.made;
        return isStill;
      },
      { interval: 100, timeout: 20_000 },
    );
    // What the system keeps between two sockets.
    expect(seen.made * textOfPieces).toBeLessThan(30_000_000);
    await vi.waitUntil(() => seen.ended === 1, { timeout: 20_000 });
    answer.resume();
    await closed;
  });

  it('that leaves ends what is made for it', async () => {
    const answer = await open('/demo/endless.csv');
    answer.on('error', () => undefined);
    await new Promise((done) => answer.once('data', done));
    answer.destroy();
    await vi.waitUntil(() => seen.ended === 2, { timeout: 20_000 });
  });

  it('has company: few pieces are made at once, and files beyond a number are refused', async () => {
    const answers = await Promise.all(Array.from({ length: limits.maxOpen }, () => open('/demo/endless.csv')));
    for (const answer of answers) answer.on('error', () => undefined).resume();
    const refused = await open('/demo/endless.csv');
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '5']);
    refused.resume();
    await vi.waitUntil(() => seen.made > 60, { timeout: 20_000 });
    expect(seen.mostMaking).toBeLessThanOrEqual(limits.maxMaking);
    for (const answer of answers) answer.destroy();
    await vi.waitUntil(() => seen.ended === 2 + limits.maxOpen, { timeout: 20_000 });
    const after = await open('/demo/short.csv');
    expect(after.statusCode).toBe(200);
    after.resume();
  });

  it('of another address gets a place of the one that has all, and its pieces are made in turn', async () => {
    const before = seen.ended;
    // The file of the test before ends here a moment after its client has it.
    await new Promise((done) => setTimeout(done, 100));
    const answers = await Promise.all(Array.from({ length: limits.maxOpen }, () => open('/demo/endless.csv')));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(answers.map(() => 200));
    const broken: Error[] = [];
    const take = (answer: IncomingMessage) => answer.on('error', (error) => broken.push(error)).resume();
    answers.forEach(take);
    for (const from of ['127.0.0.2', '127.0.0.3']) {
      const own = await open('/demo/short.csv', from);
      expect([own.statusCode, await textOf(own)]).toEqual([200, '0\r\n1\r\n2\r\n3\r\n4\r\n']);
      await new Promise((done) => setTimeout(done, 100));
      const again = await Promise.all(Array.from({ length: 3 }, () => open('/demo/endless.csv')));
      // The place that was given back is there for one of them.
      expect(again.map(({ statusCode }) => statusCode).sort()).toEqual([200, 429, 429]);
      again.forEach(take);
      answers.push(...again);
    }
    // Its newest file ended without its end.
    expect(broken).toHaveLength(2);
    for (const answer of answers) answer.destroy();
    await vi.waitUntil(() => seen.ended === before + limits.maxOpen + 2, { timeout: 20_000 });
  });

  it('waits in the middle of a file where a new question would be refused, and is refused before its first', async () => {
    isFull = true;
    const refused = await open('/demo/short.csv');
    expect(refused.statusCode).toBe(503);
    refused.resume();
    isFull = false;
    asked = 0;
    const { run } = admission;
    admission.run = (_client, work) => {
      asked += 1;
      // The second and third look find no room.
      return asked === 2 || asked === 3 ? Promise.reject(refuse('overloaded')) : work();
    };
    const answer = await open('/demo/short.csv');
    let text = '';
    for await (const part of answer) text += part;
    admission.run = run;
    expect(text).toBe('0\r\n1\r\n2\r\n3\r\n4\r\n');
    expect(asked).toBe(8);
  });

  it('sees that a file is not whole', async () => {
    const answer = await open('/demo/broken.csv');
    const reading = (async () => {
      for await (const _ of answer) headIsRead.resolve();
    })();
    await expect(reading).rejects.toThrow(/aborted/);
  });

  it('that asks for the head alone gets it without a body', async () => {
    const { statusCode, body, headers } = await own.inject({ method: 'HEAD', url: '/demo/short.csv' });
    expect([statusCode, body, headers['content-disposition']]).toEqual([
      200,
      '',
      'attachment; filename="demo-short.csv"',
    ]);
  });
});

async function textOf(answer: IncomingMessage): Promise<string> {
  let text = '';
  for await (const part of answer) text += part;
  return text;
}
