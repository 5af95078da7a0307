// What is at the root of the port: a page for people, an index for programs, a refusal for who expects JSON-RPC, and
// the files that every site has.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openServer } from '../../../packages/test-support/http/open-server.ts';
import { type StoredRows, storeRows } from '../../../packages/test-support/rows/store-rows.ts';

let stored: StoredRows;
let app: ReturnType<typeof openServer>;
beforeAll(async () => {
  stored = await storeRows([]);
  const settings = { securityContact: 'mailto:security@example.com', clock: () => 1_790_000_000_000_000_000n };
  app = openServer(stored.db, 'spec', { settings });
});
afterAll(async () => {
  await app?.close();
  await stored?.close();
});

const get = (url: string, accept?: string) => app.inject({ url, headers: accept === undefined ? {} : { accept } });

const page = 'text/html; charset=utf-8';
const json = 'application/json; charset=utf-8';
const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8';

describe('/ by what a client accepts', () => {
  it.each([
    [undefined, page],
    ['*/*', page],
    [browser, page],
    ['image/png', page],
    ['application/json', json],
    ['Application/JSON; charset=utf-8', json],
    // As axios asks.
    ['application/json, text/plain, */*', json],
    ['application/json;q=0.9, text/html;q=0.8', json],
    ['application/json;q=0.5, text/html', page],
    ['text/html;q=0, application/json', json],
    ['application/json;q=0', page],
    ['constructor', page],
  ])('%s', async (accept, type) => {
    const { statusCode, headers } = await get('/', accept);
    expect([statusCode, headers['content-type'], headers.vary]).toEqual([200, type, 'Accept, Accept-Encoding']);
  });

  it('the index says what is where, and every place answers', async () => {
    const body = (await get('/', 'application/json')).json();
    expect(body).toEqual({
      name: 'Ledger Mirror',
      network: 'demo',
      latest_block: null,
      links: {
        api: '/api/v1',
        documentation: '/docs',
        openapi: '/api/v1/docs/openapi.json',
        readiness: '/health/readiness',
        status: null,
      },
    });
    for (const link of [body.links.documentation, body.links.openapi]) expect((await get(link)).statusCode).toBe(200);
  });
});

describe('/ with a query', () => {
  it.each([undefined, '*/*', 'application/json'])('is refused to programs (%s)', async (accept) => {
    const { statusCode, headers, body } = await get('/?module=account&Action=balance&module=x', accept);
    expect([statusCode, headers['content-type']]).toEqual([400, json]);
    const texts = ['module', 'module', 'action'].map((name) => ({ message: `Unknown query parameter: ${name}` }));
    expect(JSON.parse(body)).toEqual({ _status: { messages: texts } });
  });

  it('sends people to the page', async () => {
    const { statusCode, headers } = await get('/?utm_source=x', browser);
    expect([statusCode, headers.location]).toEqual([302, '/']);
  });

  it('of no parameter is none', async () => {
    for (const url of ['/?', '/?&']) expect((await get(url)).headers['content-type']).toBe(page);
  });
});

describe('JSON-RPC', () => {
  const post = (payload: string, type = 'application/json') =>
    app.inject({ method: 'POST', url: '/', payload, headers: { 'content-type': type } });
  const call = { jsonrpc: '2.0', id: 7, method: 'eth_blockNumber', params: [] };

  it.each([
    [7, 7],
    ['a', 'a'],
    [null, null],
    [undefined, null],
    [{}, null],
    [0.5, null],
  ])('a call with the id %j gets the right address', async (id, expected) => {
    const { statusCode, headers, body } = await post(JSON.stringify({ ...call, id }));
    expect([statusCode, headers['content-type'], headers['access-control-allow-origin']]).toEqual([200, json, '*']);
    const answer = JSON.parse(body);
    expect(answer).toMatchObject({ jsonrpc: '2.0', id: expected, error: { code: -32601, data: { rest: '/api/v1' } } });
    expect(answer.error.message).toMatch(/^JSON-RPC is answered at \/rpc .* \/api\/v1 /);
  });

  it('an id beyond what numbers hold is not repeated wrongly', async () => {
    const { body } = await post('{"jsonrpc":"2.0","id":9007199254740993,"method":"x"}');
    expect(JSON.parse(body).id).toBeNull();
  });

  it('each call of a batch has its answer, whatever the type says', async () => {
    const { body } = await post(JSON.stringify([call, 3, { ...call, id: 8 }]), 'text/plain');
    expect(JSON.parse(body).map(({ id }: { id: unknown }) => id)).toEqual([7, null, 8]);
  });

  it('a batch of very many has one', async () => {
    const { body } = await post(JSON.stringify(Array.from({ length: 101 }, () => call)));
    expect(JSON.parse(body)).toMatchObject({ id: null, error: { code: -32600 } });
  });

  it.each(['', '{', '[]', '"x"', 'null', '{"id":1}', `[${'[],'.repeat(9)}1]`, ' '.repeat(70_000)])(
    'what is none is found nowhere',
    async (body) => {
      const { statusCode, body: answer } = await post(body);
      expect([statusCode, answer]).toEqual([404, '{"_status":{"messages":[{"message":"Not found"}]}}']);
    },
  );

  it('is not expected of any other place', async () => {
    const { statusCode } = await app.inject({ method: 'POST', url: '/api/v1/blocks', payload: call });
    expect(statusCode).toBe(404);
  });
});

describe('files of a site', () => {
  it('icons', async () => {
    for (const url of ['/favicon.svg', '/favicon.ico']) {
      const { statusCode, headers, body } = await get(url);
      expect([statusCode, headers['content-type'], body.slice(0, 4)]).toEqual([200, 'image/svg+xml', '<svg']);
    }
  });

  it('robots may read pages, not the ledger', async () => {
    const { statusCode, headers, body } = await get('/robots.txt');
    expect([statusCode, headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
    const closed = [...body.matchAll(/^Disallow: (\S+)$/gm)].map(([, path]) => path!);
    // RFC 9309: a path begins with the rule, whose star stands for anything.
    const rules = closed.map((rule) => new RegExp(`^${rule.replaceAll('*', '.*').replaceAll('?', String.raw`\?`)}`));
    const isOpen = (path: string) => !rules.some((rule) => rule.test(path));
    for (const path of ['/', '/api', '/docs', '/status', '/demo/blocks', '/demo/account/0.0.5'])
      expect([path, isOpen(path)]).toEqual([path, true]);
    for (const path of ['/api/v1/accounts', '/search?q=1', '/demo/blocks?limit=1', '/hiero/api/v1/blocks'])
      expect([path, isOpen(path)]).toEqual([path, false]);
  });

  it('security.txt names whom to tell, for half a year', async () => {
    const { headers, body } = await get('/.well-known/security.txt');
    expect(headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(body).toBe(
      'Contact: mailto:security@example.com\nExpires: 2027-03-20T00:00:00.000Z\nPreferred-Languages: en\n',
    );
  });

  it('without anybody to tell there is no security.txt', async () => {
    const silent = openServer(stored.db, 'spec');
    expect((await silent.inject('/.well-known/security.txt')).statusCode).toBe(404);
    await silent.close();
  });
});
