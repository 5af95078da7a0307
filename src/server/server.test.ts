// The server as clients meet it: real HTTP, a real ledger in PostgreSQL, both dialects side by side.

import { createHash } from 'node:crypto';
import { request } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { brotliDecompressSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../packages/postgres/wire/database.ts';
import { defaultHttpSettings } from '../../packages/test-support/http/default-settings.ts';
import { openServer } from '../../packages/test-support/http/open-server.ts';
import { createAnswerValidator } from '../../packages/test-support/http/validate-answer.ts';
import { toSetupRows } from '../../packages/test-support/rows/setup-rows.ts';
import type { JsonObject } from '../../packages/test-support/rows/spec-file.ts';
import { type StoredRows, storeRows } from '../../packages/test-support/rows/store-rows.ts';
import { findDialect } from '../api/dialect/find-dialect.ts';
import type { DialectName } from '../api/frame/asked-dialect.ts';
import type { HttpSettings } from '../api/frame/http-settings.ts';
import { endpoints } from '../resources/endpoints.ts';

const start = 1_600_000_000_000_000_000n;
const at = (second: number): string => `${1_600_000_000 + second}.000000000`;
const ns = (second: number): bigint => start + BigInt(second) * 1_000_000_000n;
const evmAddress = '62cf9068fed962cf9aaabbb962cf9068fed9dddd';
const eth = {
  r: 'b5c21ab4dfd336e30ac2106cad4aa8888b1873a99bce35d50f64d2ec2cc5f6d9',
  s: '1092806a99727a20c31836959133301b65a2bfa980f9795522d21a254e629110',
};

const setup: JsonObject = {
  accounts: [
    {
      num: 1001n,
      balance: 9_007_199_254_740_993n,
      balance_timestamp: start,
      created_timestamp: start,
      memo: 'hi 👩\u200d🚀',
    },
    { num: 1002n, alias: 'KGNABD5L3ZGSRVUCSPDR7TONZSRY3D5OMEBKQMVTD2AC6JL72HMQ' },
    { num: 1003n, alias: 'KGNABD5L3ZGSRVUCSPDR7TONZSRY3D5OMEBKQMVTD2AC6JL72HMQ' },
  ],
  contracts: [{ num: 2001n, evm_address: evmAddress, created_timestamp: start, file_id: null, initcode: '0x6001' }],
  entities: [
    { num: 3001n, type: 'TOKEN', memo: '' },
    { num: 4001n, type: 'SCHEDULE', memo: 'later' },
  ],
  tokens: [{ token_id: '0.0.3001', created_timestamp: start, symbol: 'A"B', name: 'Token' }],
  cryptotransfers: Array.from({ length: 30 }, (_, index) => ({
    consensus_timestamp: ns(index),
    payerAccountId: '0.0.1001',
    recipientAccountId: '0.0.1002',
    nodeAccountId: '0.0.3',
    treasuryAccountId: '0.0.98',
    valid_start_timestamp: ns(index) - 1n,
  })),
  contractresults: [
    { consensus_timestamp: ns(1), contract_id: 2001n, sender_id: 1001n, payer_account_id: 1001n, gas_used: 21_000n },
    { consensus_timestamp: ns(2), contract_id: 2001n, sender_id: 1001n, payer_account_id: 1001n, amount: 7n },
  ],
  ethereumtransactions: [
    {
      consensus_timestamp: ns(1),
      payer_account_id: 1001n,
      chain_id: '0x012a',
      signature_r: eth.r,
      signature_s: eth.s,
      value: ['8ac7230489e80000'],
      access_list: [{ address: `0x${evmAddress}`, storage_keys: [] }],
    },
  ],
  schedules: [
    { schedule_id: '0.0.4001', consensus_timestamp: ns(5), executed_timestamp: ns(6) },
    { schedule_id: '0.0.4002', consensus_timestamp: ns(7) },
  ],
  transactionsignatures: [
    {
      consensus_timestamp: ns(6),
      entity_id: '0.0.4001',
      public_key_prefix: [1, 2],
      signature: Array(64).fill(0),
      type: 3,
    },
  ],
};

const settings: HttpSettings = {
  ...defaultHttpSettings,
  clock: () => ns(100),
  users: [{ username: 'ann', password: 'secret:1', limit: 2 }],
};

let stored: StoredRows;
const servers = {} as Record<DialectName, { app: FastifyInstance; port: number }>;

async function startServer(
  dialect: DialectName,
  database: Database,
  changes: Partial<HttpSettings> = {},
): Promise<{ app: FastifyInstance; port: number }> {
  const changed = { ...settings, ...changes };
  const app = openServer(database, dialect, { settings: changed, network: { name: 'tests & trials' } });
  await app.listen({ host: '127.0.0.1', port: 0 });
  return { app, port: (app.server.address() as AddressInfo).port };
}

beforeAll(async () => {
  stored = await storeRows(toSetupRows(setup, { shard: 0n, realm: 0n }));
  for (const dialect of ['spec', 'hiero'] as const) servers[dialect] = await startServer(dialect, stored.db);
});
afterAll(async () => {
  for (const { app } of Object.values(servers)) await app.close();
  await stored?.close();
});

type Response = { status: number; headers: Record<string, string | undefined>; names: string[]; body: Buffer };
type Options = { dialect?: DialectName; method?: string; headers?: Record<string, string>; body?: string };

/** Without anything that fetch would add, decode or tidy up. */
function get(path: string, { dialect = 'hiero', method = 'GET', headers = {}, body }: Options = {}): Promise<Response> {
  return new Promise((resolve, reject) => {
    const sent = request({ port: servers[dialect].port, host: '127.0.0.1', path, method, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('end', () =>
        resolve({
          status: response.statusCode!,
          headers: response.headers as Response['headers'],
          names: response.rawHeaders.filter((_, index) => index % 2 === 0),
          body: Buffer.concat(chunks),
        }),
      );
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

async function messages(path: string, options?: Options): Promise<[number, ...string[]]> {
  const { status, body } = await get(path, options);
  expectDocumented(path, { status, text: body.toString() }, options);
  const { _status } = JSON.parse(body.toString()) as { _status: { messages: { message: string }[] } };
  return [status, ..._status.messages.map(({ message }) => message)];
}

const validators = {
  spec: createAnswerValidator({ dialect: findDialect('spec'), settings }),
  hiero: createAnswerValidator({ dialect: findDialect('hiero'), settings }),
};

function expectDocumented(path: string, answer: { status: number; text: string }, options: Options = {}): void {
  const { dialect = 'hiero', method = 'GET' } = options;
  if (method === 'GET') expect(validators[dialect].validate(path, answer)).toEqual([]);
}

const notFound = '{"_status":{"messages":[{"message":"Not found"}]}}';

describe('the surface', () => {
  it('headers come in the order that clients know', async () => {
    const { names, headers, body } = await get('/api/v1/schedules?limit=1');
    expect(names).toEqual([
      'Access-Control-Allow-Origin',
      'cache-control',
      'Content-Type',
      'Link',
      'Content-Length',
      'ETag',
      'Vary',
      'X-Content-Type-Options',
      'Date',
      'Connection',
      'Keep-Alive',
    ]);
    const tag = createHash('sha1').update(body).digest('base64').slice(0, 27);
    expect(headers).toMatchObject({
      'access-control-allow-origin': '*',
      'cache-control': 'public, max-age=10',
      'content-type': 'application/json; charset=utf-8',
      link: '</api/v1/schedules?limit=1&schedule.id=gt:0.0.4001>; rel="next"',
      'content-length': String(body.length),
      etag: `W/"${body.length.toString(16)}-${tag}"`,
      vary: 'Accept-Encoding',
      'keep-alive': 'timeout=60',
    });
  });

  it('errors have neither cache-control nor link', async () => {
    const { status, names, body } = await get('/api/v1/nothing');
    expect([status, body.toString()]).toEqual([404, notFound]);
    expect(names.slice(0, 5)).toEqual([
      'Access-Control-Allow-Origin',
      'Content-Type',
      'Content-Length',
      'ETag',
      'Vary',
    ]);
  });

  it.each(['/API/V1/Schedules/', '/api/v1/schedules/', '/api/v1/accounts/1001/'])('%s is found', async (path) => {
    expect((await get(path)).status).toBe(200);
  });

  it.each(['/api/v1//schedules', '/api/v1/accounts/1001//', '/api/v1', '/api/v1/%'])(
    '%s is not found',
    async (path) => {
      expect(await messages(path)).toEqual([404, 'Not found']);
    },
  );

  it.each(['POST', 'PUT', 'DELETE', 'PATCH', 'PROPFIND'])('%s is not found, whatever it carries', async (method) => {
    const headers = { 'content-type': 'application/json', 'content-length': '1' };
    expect(await messages('/api/v1/schedules', { method, headers, body: '{' })).toEqual([404, 'Not found']);
  });

  it.each(['/api/v1/schedules', '/nowhere', '/api/v1/accounts/%'])('OPTIONS %s is allowed', async (path) => {
    const headers = { 'access-control-request-headers': 'x-one' };
    const response = await get(path, { method: 'OPTIONS', headers });
    expect(response.status).toBe(204);
    expect(response.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET,HEAD,PUT,PATCH,POST,DELETE',
      'access-control-allow-headers': 'x-one',
      vary: 'Access-Control-Request-Headers',
      'content-length': '0',
    });
  });

  it('HEAD says what GET would, plain', async () => {
    const path = '/api/v1/accounts/1001';
    const plain = await get(path);
    const head = await get(path, { method: 'HEAD', headers: { 'accept-encoding': 'br' } });
    expect([head.status, head.body.length]).toEqual([200, 0]);
    expect(head.headers['content-length']).toBe(String(plain.body.length));
    expect(head.headers.etag).toBe(plain.headers.etag);
    expect(head.headers['content-encoding']).toBeUndefined();
  });

  it('long bodies are compressed, with the same tag', async () => {
    const path = '/api/v1/accounts/1001';
    const plain = await get(path);
    const compressed = await get(path, { headers: { 'accept-encoding': 'gzip, br' } });
    expect(compressed.headers['content-encoding']).toBe('br');
    expect(compressed.headers['content-length']).toBeUndefined();
    expect(compressed.headers.etag).toBe(plain.headers.etag);
    expect(brotliDecompressSync(compressed.body).equals(plain.body)).toBe(true);
    const short = await get('/api/v1/nothing', { headers: { 'accept-encoding': 'gzip, br' } });
    expect([short.headers['content-encoding'], short.headers.vary]).toEqual([undefined, 'Accept-Encoding']);
  });

  it('what the client holds already is not sent again', async () => {
    const path = '/api/v1/accounts/1001?transactions=false';
    const { etag } = (await get(path)).headers;
    for (const held of [etag!, `"x", ${etag}`, etag!.slice(2), '*']) {
      const { status, names, body } = await get(path, { headers: { 'if-none-match': held } });
      expect([status, body.length]).toEqual([304, 0]);
      expect(names).toEqual([
        'Access-Control-Allow-Origin',
        'cache-control',
        'ETag',
        'Date',
        'Connection',
        'Keep-Alive',
      ]);
    }
    const inSpec = await get(path, { dialect: 'spec' });
    const unchanged = await get(path, { dialect: 'spec', headers: { 'if-none-match': inSpec.headers.etag! } });
    expect([unchanged.status, unchanged.headers.vary]).toEqual([304, inSpec.headers.vary]);
    expect(inSpec.headers.vary).toBe('Accept-Encoding');
    const insisting: Record<string, string>[] = [
      { 'if-none-match': '"x"' },
      { 'if-none-match': etag!, 'cache-control': 'no-cache' },
    ];
    for (const headers of insisting) {
      expect((await get(path, { headers })).status).toBe(200);
    }
  });

  it('the link to the next page is there as well when nothing else is sent again', async () => {
    const path = '/api/v1/schedules?limit=1';
    const { etag, link } = (await get(path)).headers;
    const unchanged = await get(path, { headers: { 'if-none-match': etag! } });
    expect(link).toBeDefined();
    expect([unchanged.status, unchanged.headers.link]).toEqual([304, link]);
  });

  it.each([
    ['/api/v1/sch%65dules', 404],
    ['/api/v1/contracts/result%73', 404],
    ['/api/v1/contracts/%72esults?limit=1', 404],
    ['/%61pi/v1/accounts/1001', 404],
    ['/health/%6civeness', 404],
    ['/api/v1/accounts/100%31', 200],
    ['/api/v1/schedules?%6cimit=1', 200],
  ])('only parameters may be percent-encoded: %s', async (path, status) => {
    expect((await get(path)).status).toBe(status);
  });

  it.each(['http://example.com', 'HTTPS://example.com:8443', 'http://user@[::1]:1'])(
    'a request in absolute form is the one of its path: %s',
    async (host) => {
      const path = '/api/v1/schedules?limit=1';
      const plain = await get(path);
      const absolute = await get(`${host}${path}`);
      expect([absolute.body.toString(), absolute.headers.link]).toEqual([plain.body.toString(), plain.headers.link]);
      expect((await get(host)).headers['content-type']).toBe('text/html; charset=utf-8');
    },
  );

  it('two hosts are one too many', async () => {
    const body = await new Promise((resolve, reject) => {
      let text = '';
      const socket = connect(servers.hiero.port, '127.0.0.1', () =>
        socket.write('GET / HTTP/1.1\r\nHost: a\r\nhOST: a\r\n\r\n'),
      );
      socket.on('data', (chunk) => {
        text += chunk;
      });
      socket.on('error', reject);
      socket.on('close', () => resolve(text));
    });
    expect(body).toMatch(/^HTTP\/1\.1 400 .*Connection: close\r\n.*"Bad request"/s);
  });

  it('a body on GET does not matter', async () => {
    const headers = { 'content-type': 'application/json', 'content-length': '1' };
    expect((await get('/api/v1/schedules', { headers, body: '{' })).status).toBe(200);
  });

  it('nothing from the query breaks out of the Link header', async () => {
    const { status, headers, body } = await get('/api/v1/schedules?limit=%0d%0aX:%3E%C3%A9:eq:1');
    expect(status).toBe(200);
    expect(headers.link).toBe('</api/v1/schedules?limit=%0D%0AX:%3E%C3%A9:eq:1&schedule.id=gt:0.0.4001>; rel="next"');
    expect(JSON.parse(body.toString()).links.next).toBe(
      '/api/v1/schedules?limit=\r\nX:>é:eq:1&schedule.id=gt:0.0.4001',
    );
  });

  it('credentials are not needed, but must be right', async () => {
    const basic = (text: string) => ({ headers: { authorization: `Basic ${Buffer.from(text).toString('base64')}` } });
    expect(await messages('/api/v1/schedules', basic('ann:wrong'))).toEqual([401, 'Invalid credentials']);
    expect(await messages('/api/v1/nothing', basic('bob:secret:1'))).toEqual([401, 'Invalid credentials']);
    const noCredentials = [
      'Bearer x',
      'Basic',
      'Basic ???',
      'Basic a b',
      `Basic ${btoa('no colon')}`,
      `Basic ${btoa('a:b\n')}`,
    ];
    for (const authorization of noCredentials) {
      const { status } = await get('/api/v1/schedules', { headers: { authorization } });
      expect([authorization, status]).toEqual([authorization, 200]);
    }
    const { body } = await get('/api/v1/accounts/1001?limit=50', basic('ann:secret:1'));
    expect(JSON.parse(body.toString()).transactions).toHaveLength(2);
  });
});

describe('refusals', () => {
  const opaque = 'ebb9a1be370150759408cd7af48e9eda2b8ead57';

  it.each<[string, [number, ...string[]]]>([
    ['/api/v1/tokens/abc?foo=1', [400, 'Invalid parameter: tokenid']],
    [
      '/api/v1/tokens/0.0.3001?timestamp=gt:1&foo=1',
      [400, 'Invalid parameter: timestamp', 'Unknown query parameter: foo'],
    ],
    ['/api/v1/tokens/0.0.9', [404, 'Not found']],
    ['/api/v1/accounts/abc?limit=0', [400, 'Invalid parameter: limit']],
    ['/api/v1/accounts/abc', [400, 'Invalid parameter: idOrAliasOrEvmAddress']],
    ['/api/v1/accounts/%', [400, 'Invalid parameter: idOrAliasOrEvmAddress']],
    [`/api/v1/accounts/1.0.${opaque}`, [400, 'Invalid parameter: idOrAliasOrEvmAddress']],
    [`/api/v1/accounts/${opaque}`, [404, 'Not found']],
    ['/api/v1/accounts/MZXW6YTB', [404, 'No account with a matching alias found']],
    [`/api/v1/accounts/${opaque}?transactions=false`, [404, 'Not found']],
    ['/api/v1/accounts/MZXW6YTB?transactions=false', [404, 'No account with a matching alias found']],
    ['/api/v1/accounts/KGNABD5L3ZGSRVUCSPDR7TONZSRY3D5OMEBKQMVTD2AC6JL72HMQ', [500, 'Internal error']],
    ['/api/v1/accounts/1001?timestamp=gt:5&timestamp=lt:5', [404, 'Timestamp range is empty']],
    ['/api/v1/accounts/1001?limit[a]=5', [400, 'Invalid parameter: limit']],
    ['/api/v1/contracts/RESULTS', [400, 'Invalid parameter: contractid']],
    [
      '/api/v1/contracts/1.1.00000000000000000000000000000000000007d1',
      [400, 'Invalid entity ID "1.1.00000000000000000000000000000000000007d1"'],
    ],
    ['/api/v1/contracts/1001', [404, 'Not found']],
    [
      '/api/v1/contracts/results?foo=1&from=x&internal=2',
      [400, 'Invalid parameter: from', 'Invalid parameter: internal', 'Unknown query parameter: foo'],
    ],
    [
      `/api/v1/contracts/results?transaction.index=1`,
      [
        400,
        'Invalid parameter usage: transaction.index - transaction.index requires block.number or block.hash filter to be specified',
      ],
    ],
    [
      `/api/v1/contracts/results?block.number=1&block.hash=${'ab'.repeat(32)}`,
      [400, 'Invalid parameter usage: block.hash - cannot combine block.number and block.hash'],
    ],
    [
      '/api/v1/contracts/results?hbar=eq:true',
      [400, "Invalid hbar parameter value: eq:true. Must be 'true' or 'false'"],
    ],
    [
      '/api/v1/contracts/results?hbar=true&hbar=false',
      [400, "Invalid hbar parameter value: true,false. Must be 'true' or 'false'"],
    ],
    ['/api/v1/contracts/results?hbar[]=true', [400, "Invalid hbar parameter value: true. Must be 'true' or 'false'"]],
    ['/api/v1/contracts/results?hbar[]=', [400, 'Invalid parameter: hbar']],
    [
      '/api/v1/contracts/results?transaction.index=2147483648',
      [
        400,
        'Invalid parameter usage: transaction.index - transaction.index requires block.number or block.hash filter to be specified',
      ],
    ],
    // The path is judged before the text of the query.
    ['/api/v1/tokens/x?timestamp[a][b]=1', [400, 'Invalid parameter: tokenid']],
    ['/api/v1/schedules//?limit[a][b]=1', [404, 'Not found']],
    [`/api/v1/contracts/results?from=${opaque}`, [404, 'Not found']],
    [
      '/api/v1/schedules?account.id=0.0.x&executed=true',
      [400, 'Invalid parameter: account.id', 'Unknown query parameter: executed'],
    ],
    ['/api/v1/schedules?schedule.id=-5', [400, 'Invalid entity ID "0.0.-5"']],
    ['/api/v1/schedules/abc?b=1&a=2&b=3', [400, 'Unknown query parameter: b', 'Unknown query parameter: a']],
    ['/api/v1/schedules/00000000000000000000000000000000000007d1', [400, 'Invalid parameter: scheduleid']],
    ['/api/v1/schedules/9', [404, 'Not found']],
  ])('%s', async (path, expected) => {
    expect(await messages(path)).toEqual(expected);
  });

  it.each([
    ['/api/v1/tokens/0.0.3001?timestamp=9999999999', 200],
    ['/api/v1/tokens/0.0.3001?timestamp=lt:9223372036.854775808', 200],
    ['/api/v1/accounts/1001?timestamp=lte:9999999999.999999999', 200],
    ['/api/v1/accounts/1001?timestamp=gt:9223372036.854775807', 200],
    ['/api/v1/accounts/1001?timestamp=ne:9999999999', 404],
    ['/api/v1/contracts/2001?timestamp=gt:9999999999', 200],
    ['/api/v1/contracts/2001?timestamp=ne:9999999999', 404],
    ['/api/v1/contracts/results?timestamp=gt:9999999999', 200],
    ['/api/v1/contracts/results?timestamp=eq:9999999999&timestamp=ne:9999999998', 200],
    ['/api/v1/schedules?schedule.id=gt:511.65535.274877906943', 200],
    ['/api/v1/schedules?account.id=lt:512.0.0', 200],
  ])('a time or an id beyond int64 is none of ours: %s', async (path, status) => {
    const answer = await get(path);
    expect(answer.status).toBe(status);
    expectDocumented(path, { status, text: answer.body.toString() });
  });

  it('what only one dialect takes', async () => {
    const spec = { dialect: 'spec' } as const;
    expect(await messages('/api/v1/schedules?limit=101', spec)).toEqual([400, 'Invalid parameter: limit']);
    expect((await get('/api/v1/schedules?limit=101')).status).toBe(200);
    expect(await messages('/api/v1/tokens/3001', spec)).toEqual([400, 'Invalid parameter: tokenid']);
    expect((await get('/api/v1/tokens/3001')).status).toBe(200);
    expect(await messages('/api/v1/contracts/results?from=gt:0.0.5', spec)).toEqual([400, 'Invalid parameter: from']);
    expect((await get('/api/v1/contracts/results?from=gt:0.0.5')).status).toBe(200);
    const types = 'transactiontype=cryptotransfer&transactiontype=tokenmint';
    const refused = [400, 'Invalid parameter: transactiontype'];
    expect(await messages(`/api/v1/accounts/1001?${types.toUpperCase()}`, spec)).toEqual(refused);
    expect((await get(`/api/v1/accounts/1001?${types}`)).status).toBe(200);
    expect(await messages('/api/v1/accounts/1001?transactiontype=NODE')).toEqual([
      400,
      'Invalid parameter: transactiontype',
    ]);
    expect((await get('/api/v1/accounts/1001?transactiontype=NODE', spec)).status).toBe(200);
  });
});

describe('bodies, to the byte', () => {
  const text = async (path: string, options?: Options) => {
    const { status, body } = await get(path, options);
    expectDocumented(path, { status, text: body.toString() }, options);
    return body.toString();
  };

  it('token', async () => {
    expect(await text('/api/v1/tokens/0.0.3001')).toBe(
      `{"admin_key":null,"auto_renew_account":null,"auto_renew_period":null,"created_timestamp":"${at(0)}","custom_fees":{"created_timestamp":"${at(0)}","fixed_fees":[],"fractional_fees":[]},"decimals":"1000","deleted":false,"expiry_timestamp":null,"fee_schedule_key":null,"freeze_default":false,"freeze_key":null,"initial_supply":"1000000","kyc_key":null,"max_supply":"9223372036854775807","memo":"","metadata":"","metadata_key":null,"modified_timestamp":"${at(0)}","name":"Token","pause_key":null,"pause_status":"NOT_APPLICABLE","supply_key":null,"supply_type":"INFINITE","symbol":"A\\"B","token_id":"0.0.3001","total_supply":"1000000","treasury_account_id":"0.0.98","type":"FUNGIBLE_COMMON","wipe_key":null}`,
    );
  });

  it('account without its transactions', async () => {
    expect(await text('/api/v1/accounts/1001?transactions=false')).toBe(
      `{"account":"0.0.1001","alias":null,"auto_renew_period":null,"balance":{"balance":9007199254740993,"timestamp":"${at(0)}","tokens":[]},"created_timestamp":"${at(0)}","decline_reward":false,"deleted":false,"ethereum_nonce":null,"evm_address":"0x00000000000000000000000000000000000003e9","expiry_timestamp":null,"key":null,"max_automatic_token_associations":0,"memo":"hi 👩\\u200d🚀","pending_reward":0,"receiver_sig_required":false,"staked_account_id":null,"staked_node_id":null,"stake_period_start":null,"transactions":[],"links":{"next":null}}`,
    );
  });

  it('account with a transaction', async () => {
    const body = await text('/api/v1/accounts/1001?limit=1');
    const transactions = body.slice(body.indexOf('"transactions":'));
    const hash = Buffer.from(Array.from({ length: 48 }, (_, index) => index + 1)).toString('base64');
    expect(transactions).toBe(
      `"transactions":[{"batch_key":null,"bytes":"Ynl0ZXM=","charged_tx_fee":7,"consensus_timestamp":"${at(29)}","entity_id":null,"high_volume":false,"high_volume_pricing_multiplier":1,"max_fee":"33","max_custom_fees":[],"memo_base64":null,"name":"CRYPTOTRANSFER","nft_transfers":[],"node":"0.0.3","nonce":0,"parent_consensus_timestamp":null,"result":"SUCCESS","scheduled":false,"staking_reward_transfers":[],"token_transfers":[],"transaction_hash":"${hash}","transaction_id":"0.0.1001-1600000028-999999999","transfers":[{"account":"0.0.98","amount":1,"is_approval":false},{"account":"0.0.1001","amount":-3,"is_approval":false},{"account":"0.0.1002","amount":2,"is_approval":false}],"valid_duration_seconds":"11","valid_start_timestamp":"1600000028.999999999"}],"links":{"next":"/api/v1/accounts/1001?limit=1&timestamp=lt:${at(29)}"}}`,
    );
  });

  it('contract', async () => {
    const byId = await text('/api/v1/contracts/2001');
    expect(byId).toBe(
      `{"admin_key":null,"auto_renew_account":null,"auto_renew_period":null,"contract_id":"0.0.2001","created_timestamp":"${at(0)}","deleted":false,"evm_address":"0x${evmAddress}","expiration_timestamp":null,"file_id":null,"max_automatic_token_associations":0,"memo":"contract memo","nonce":null,"obtainer_id":null,"permanent_removal":null,"proxy_account_id":null,"timestamp":{"from":"0.000000000","to":null},"bytecode":"0x6001","runtime_bytecode":"0x"}`,
    );
    expect(await text(`/api/v1/contracts/0x${evmAddress}`)).toBe(byId);
  });

  it('contract results', async () => {
    const hash = Buffer.from(Array.from({ length: 32 }, (_, index) => index)).toString('hex');
    const common = (status: string, accessList: string, second: number, rest: string) =>
      `"bloom":"0x","call_result":"0x","child":false,"contract_id":"0.0.2001","created_contract_ids":[],"error_message":null,"from":"0x00000000000000000000000000000000000003e9","function_parameters":"0x010102020303","gas_consumed":null,"gas_limit":1000,"gas_used":${second === 1 ? 21000 : null},"timestamp":"${at(second)}","to":"0x${second === 1 ? '0000000000000000000000000000000000001389' : '00000000000000000000000000000000000007d1'}","hash":"0x${hash}","block_hash":"0x","block_number":null,"result":"SUCCESS","transaction_index":1,"status":${status},"failed_initcode":null,"access_list":${accessList},"block_gas_used":null,${rest}}`;
    const plain = (status: string, none: string) =>
      `{"address":"0x${evmAddress}","amount":7,${common(status, none, 2, '"chain_id":"0x128","gas_price":null,"max_fee_per_gas":null,"max_priority_fee_per_gas":null,"r":null,"s":null,"type":0,"v":null,"nonce":null')}`;
    const ethereum = (status: string, list: string, amount: string, price: string) =>
      `{"address":"0x${evmAddress}","amount":${amount},${common(status, list, 1, `"chain_id":"0x12a","gas_price":"${price}","max_fee_per_gas":"0x","max_priority_fee_per_gas":"0x","r":"0x${eth.r}","s":"0x${eth.s}","type":2,"v":1,"nonce":1`)}`;
    const list = `[{"address":"0x${evmAddress}","storage_keys":[]}]`;
    const links = '"links":{"next":null}';
    expect(await text('/api/v1/contracts/results')).toBe(
      `{"results":[${plain('"0x1"', '[]')},${ethereum('"0x1"', list, '1000000000', '0x4a817c80')}],${links}}`,
    );
    const rlp = `"0xd7d694${evmAddress}c0"`;
    expect(await text('/api/v1/contracts/results?hbar=false&order=asc&limit=100', { dialect: 'spec' })).toBe(
      `{"results":[${ethereum('1', rlp, '10000000000000000000', '0xad78ebc5ac620000')},${plain('1', '"0x"').replace('"amount":7,', '"amount":70000000000,')}],${links}}`,
    );
  });

  it('schedules, with and without an entity', async () => {
    const signature = `${'A'.repeat(76)}\\n${'A'.repeat(10)}==`;
    const known = `{"admin_key":null,"deleted":false,"consensus_timestamp":"${at(5)}","creator_account_id":"0.0.1024","executed_timestamp":"${at(6)}","expiration_time":null,"memo":"later","payer_account_id":"0.0.1024","schedule_id":"0.0.4001","signatures":[{"consensus_timestamp":"${at(6)}","public_key_prefix":"AQI=","signature":"${signature}","type":"ED25519"}],"transaction_body":"AQECAgMD","wait_for_expiry":false}`;
    const rest = (deleted: string, memo: string) =>
      `{"admin_key":null,${deleted}"consensus_timestamp":"${at(7)}","creator_account_id":"0.0.1024","executed_timestamp":null,"expiration_time":null,${memo}"payer_account_id":"0.0.1024","schedule_id":"0.0.4002","signatures":[],"transaction_body":"AQECAgMD","wait_for_expiry":false}`;
    expect(await text('/api/v1/schedules')).toBe(`{"schedules":[${known},${rest('', '')}],"links":{"next":null}}`);
    expect(await text('/api/v1/schedules/0.0.4002')).toBe(rest('"deleted":null,', '"memo":null,'));
    expect(await text('/api/v1/schedules/4001')).toBe(known);
    expect(await text('/api/v1/schedules/4001', { dialect: 'spec' })).toBe(known.replace('\\n', ''));
  });

  it('each resource is fresh for its own time', async () => {
    const ages = {
      '/api/v1/tokens/0.0.3001': 5,
      '/api/v1/accounts/1001': 2,
      '/api/v1/contracts/2001': 1,
      '/api/v1/contracts/results': 10,
      '/api/v1/schedules': 10,
      '/api/v1/schedules/4001': 3600,
      '/api/v1/schedules/4002': 1,
    };
    for (const [path, age] of Object.entries(ages)) {
      expect((await get(path)).headers['cache-control']).toBe(`public, max-age=${age}`);
    }
  });
});

type TransactionsPage = { transactions: { consensus_timestamp: string }[]; links: { next: string | null } };

async function followLinks(port: number, first: string): Promise<{ seen: string[]; pages: number }> {
  const seen: string[] = [];
  let pages = 0;
  for (let path: string | null = first; path !== null; pages++) {
    const response: globalThis.Response = await fetch(`http://127.0.0.1:${port}${path}`);
    const page = (await response.json()) as TransactionsPage;
    seen.push(...page.transactions.map((item) => item.consensus_timestamp));
    path = page.links.next;
  }
  return { seen, pages };
}

describe('following the links shows every transaction once', () => {
  const everyTimestamp = Array.from({ length: 30 }, (_, index) => at(index));

  it.each(['spec', 'hiero'] as const)('in %s', async (dialect) => {
    const { port } = servers[dialect];
    expect(await followLinks(port, '/api/v1/accounts/0.0.1001?limit=7&order=asc')).toEqual({
      seen: everyTimestamp,
      pages: 5,
    });
  });

  it('when each answer is bounded to 20 seconds, of which some hold nothing', async () => {
    const { app, port } = await startServer('hiero', stored.db, {
      bindTimestampRange: true,
      maxTransactionsTimestampRange: 20_000_000_000n,
      clock: () => ns(60),
    });
    expect(await followLinks(port, '/api/v1/accounts/1001')).toEqual({ seen: everyTimestamp.toReversed(), pages: 4 });
    expect(await followLinks(port, '/api/v1/accounts/1001?order=asc')).toEqual({ seen: everyTimestamp, pages: 4 });
    await app.close();
  });
});

describe('for operators', () => {
  it('the start says that nothing is there yet', async () => {
    const { status, headers, body } = await get('/');
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    const html = body.toString();
    expect(html).toContain('The ledger of tests &#38; trials');
    expect(html).toContain('no block has been imported yet');
  });

  it('the page about the API shows what is there and says what is not', async () => {
    const { status, headers, body } = await get('/api');
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    const html = body.toString();
    expect(html).toContain('tests &#38; trials');
    expect(html).toContain('no block has been imported yet');
    const links = [...html.matchAll(/href="([^"]+)"/g)].map((match) => match[1]!);
    const shown = html.match(/<li><(?:a href="|code>)\/api\/v1\/(?!docs)/g);
    expect(shown).toHaveLength(endpoints.filter(({ example, own }) => example && !own).length);
    for (const link of links.filter((candidate) => candidate.startsWith('/') && candidate !== '/health/readiness')) {
      // The setup has no system files and no stake, and its contract results have no call result.
      const isMissing = /^\/api\/v1\/network\/(?:exchangerate|fees|stake|supply)$/.test(link);
      const isPartial = /^\/api\/v1\/contracts\/.*results\/\d/.test(link) && !link.endsWith('/actions');
      // Browsers take compressed answers; here nothing is said of that.
      const uncompressed = { opcodes: 400, prestate: 406 }[link.slice(link.lastIndexOf('/') + 1)];
      const found = uncompressed ?? (isMissing ? 404 : isPartial ? 206 : 200);
      expect([link, (await get(link)).status]).toEqual([link, found]);
    }
  });

  it('health: alive at once, ready once there is an address book', async () => {
    const alive = await get('/health/liveness');
    expect([alive.status, alive.body.toString()]).toEqual([200, '{"status":"ok"}']);
    const early = await get('/health/readiness');
    expect([early.status, early.body.toString()]).toEqual([503, '{"status":"error"}']);
  });

  it('metrics count requests by route', async () => {
    await get('/api/v1/schedules/4001');
    await get('/api/v1/nowhere');
    const text = (await get('/metrics')).body.toString();
    expect(text).toMatch(
      /http_requests_total\{method="GET",route="\/api\/v1\/schedules\/:scheduleId",status="200"\} [1-9]/,
    );
    expect(text).toMatch(/http_requests_total\{method="GET",route="none",status="404"\} [1-9]/);
    expect(text).toMatch(
      /http_request_duration_seconds_count\{method="GET",route="\/api\/v1\/schedules\/:scheduleId"\} [1-9]/,
    );
  });
});

it('a database that does not answer is 503, without further details', async () => {
  const lost = openDatabase(stored);
  await lost.close();
  const { app, port } = await startServer('hiero', lost);
  const response = await fetch(`http://127.0.0.1:${port}/api/v1/schedules`);
  expect([response.status, await response.text()]).toEqual([
    503,
    '{"_status":{"messages":[{"message":"Service unavailable"}]}}',
  ]);
  expect((await fetch(`http://127.0.0.1:${port}/health/readiness`)).status).toBe(503);
  await app.close();
});
