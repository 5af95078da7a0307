// Bodies of Sourcify's first API that are meant to hurt, what else comes to `/`, and metadata handed to the second API.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openDatabase } from '../../packages/postgres/wire/database.ts';
import { openServer } from '../../packages/test-support/http/open-server.ts';
import { waitMs } from '../../packages/test-support/timeouts.ts';
import { addVerification } from '../../src/server/add-verification.ts';
import {
  compilerVersion,
  initcodeOf,
  runtimeCodeOf,
  sourceOf,
  standardInput,
} from '../support/contracts/sample-contracts.ts';
import { compileMetadata } from './metadata-of.ts';
import { startVerificationStack, type VerificationStack } from './verification-stack.ts';

let stack: VerificationStack;
let compiled: Awaited<ReturnType<typeof compileMetadata>>;
let num = 9000;
const foreign = `0x${'ef'.repeat(20)}`;

beforeAll(async () => {
  stack = await startVerificationStack({
    explorers: [],
    chains: [
      {
        chainId: '1',
        name: 'Foreign <b>chain</b>',
        bytecode: { kind: 'rpc', urls: ['http://127.0.0.1:9'], timeoutMs: 5000 },
        explorers: [],
      },
    ],
  });
  compiled = await compileMetadata(['Coin']);
});
afterAll(() => stack?.close());

const at = { address: `0x${'12'.repeat(20)}`, chain: '298' };
const named = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`${i}.sol`, 'contract A {}']));

describe.each(['/', '/verify', '/verify/solc-json', '/session/input-files'])('hostile bodies to %s', (path) => {
  const send = async (body: string, type: string, more: Record<string, string> = {}) => {
    const headers = { 'content-type': type, ...more };
    return fetch(`${stack.url}${path}`, { method: 'POST', headers, body }).then(
      async (response) => ({ status: response.status, error: JSON.parse(await response.text()).error as string }),
      // The answer may come before the body is sent; a client that goes on sending then sees a closed connection.
      (error: Error & { cause?: { code?: string } }) => ({ status: 0, error: String(error.cause?.code) }),
    );
  };
  const solc = { ...at, compilerVersion, contractName: 'A' };
  const json = 'application/json';
  const form = (body: string) => `--x\r\nContent-Disposition: form-data; name="address"\r\n\r\n${body}`;

  it.each<[string, () => Promise<{ status: number; error: string }>, number, RegExp]>([
    [
      '30 MB',
      () => send(JSON.stringify({ ...at, files: { a: 'x'.repeat(30_000_000) } }), json),
      413,
      /ECONN|EPIPE|UND_ERR|large/,
    ],
    ['lists in lists', () => send(`{"files":${'['.repeat(500_000)}`, json), 400, /nested deeper/],
    ['millions of values', () => send(`{"files":[${'0,'.repeat(3_000_000)}0]}`, json), 400, /more than 200000 values/],
    ['1001 files', () => send(JSON.stringify({ ...solc, files: named(1001) }), json), 413, /at most 1000 files/],
    ['no boundary', () => send('x', 'multipart/form-data'), 400, /boundary|form/i],
    ['another boundary', () => send(form('a\r\n--x--'), 'multipart/form-data; boundary=y'), 400, /./],
    ['a form that is cut short', () => send(form('a'), 'multipart/form-data; boundary=x'), 400, /cut short/],
    ['packed', () => send('{}', json, { 'content-encoding': 'gzip' }), 415, /content encoding gzip/],
    [
      'a name of 2,000 characters',
      () => send(JSON.stringify({ ...solc, files: { ['x'.repeat(2000)]: 'a' } }), json),
      400,
      /no name/,
    ],
    ['a name with a zero', () => send(JSON.stringify({ ...solc, files: { 'a\0': 'a' } }), json), 400, /no name/],
    [
      '__proto__',
      () => send(`{"address":"${at.address}","chain":"298","files":{"__proto__":"a"}}`, json),
      400,
      /no name/,
    ],
  ])('%s', async (_name, ask, status, message) => {
    const answer = await ask();
    if (answer.status !== 0) expect(answer.status).toBe(status);
    expect(answer.error).toMatch(message);
    expect(({} as { content?: unknown }).content).toBeUndefined();
  });

  it('1001 files in a form', async () => {
    const body = new FormData();
    for (const [name, value] of Object.entries(solc)) body.set(name, value);
    for (const [name, content] of Object.entries(named(1001))) body.append('files', new Blob([content]), name);
    expect((await stack.post(path, body)).status).toBe(413);
  });
});

describe('files', () => {
  it('a thousand are taken, and names that lead elsewhere are names', async () => {
    const address = await stack.addContract(num++, { runtime: runtimeCodeOf('Coin') });
    const files = {
      ...named(997),
      '../../../etc/passwd': 'x',
      '/etc/../Coin.sol': sourceOf('Coin'),
      m: compiled.metadata.Coin,
    };
    expect(await stack.post('/verify', { address, chain: '298', files })).toMatchObject({
      status: 200,
      body: { result: [{ status: 'perfect' }] },
    });
    const { body } = await stack.get(`/files/any/298/${address}`);
    expect(body.files.map(({ name }: { name: string }) => name)).toEqual(['Coin.sol', 'metadata.json']);
  });

  it('text that looks like metadata a hundred thousand times is read once', async () => {
    const start = '"{\\"compiler\\":{\\"version\\"';
    const answer = await stack.post('/verify', { ...at, files: { a: start.repeat(100_000) } });
    expect(answer).toMatchObject({
      status: 400,
      body: { error: expect.stringMatching(/^No valid Solidity metadata/) },
    });
  });

  it('build output with more contracts than any project has', async () => {
    const one = { metadata: compiled.metadata.Coin };
    const contracts = { 'A.sol': Object.fromEntries(Array.from({ length: 1001 }, (_, i) => [`A${i}`, one])) };
    const build = JSON.stringify({ input: { sources: {} }, output: { contracts } });
    expect(await stack.post('/verify', { ...at, files: { build } })).toMatchObject({
      status: 400,
      body: { error: 'The files have metadata of more than 1000 contracts.' },
    });
  });
});

describe('POST / of the whole server', () => {
  it('calls are refused as ever, contracts are checked, and everything else is found nowhere', async () => {
    const db = openDatabase({ connectionString: stack.connectionString });
    const app = openServer(db, 'spec');
    addVerification(app, stack.routes);
    const post = async (payload: string | Buffer, type = 'application/json') => {
      const { statusCode, body } = await app.inject({
        method: 'POST',
        url: '/',
        payload,
        headers: { 'content-type': type },
      });
      return [statusCode, JSON.parse(body)] as const;
    };
    const call = { jsonrpc: '2.0', id: 7, method: 'eth_chainId' };
    expect(await post(JSON.stringify(call))).toMatchObject([200, { id: 7, error: { code: -32601 } }]);
    expect(await post(JSON.stringify([call, { ...call, id: 8 }]), 'text/plain')).toMatchObject([
      200,
      [{ id: 7 }, { id: 8 }],
    ]);
    expect(await post(JSON.stringify({ ...call, address: at.address }))).toMatchObject([
      200,
      { error: { code: -32601 } },
    ]);
    for (const other of ['[]', '{"id":1}', '"x"', 'null', ' '.repeat(70_000)]) {
      expect(await post(other)).toEqual([404, { _status: { messages: [{ message: 'Not found' }] } }]);
    }
    expect(await post('contract A {', 'text/plain')).toMatchObject([404, { _status: {} }]);
    expect(await post('{')).toMatchObject([400, { customCode: 'invalid_json' }]);
    expect(await post(JSON.stringify(at))).toMatchObject([
      404,
      { error: expect.stringMatching(/^Couldn't extract files/) },
    ]);
    // Any page can send it without being asked first.
    expect(await post(JSON.stringify(at), 'text/plain')).toMatchObject([
      415,
      { customCode: 'unsupported_media_type', message: expect.stringMatching(/application\/json/) },
    ]);
    const preflight = async (url: string, origin: string) => {
      const headers = { origin, 'access-control-request-headers': 'content-type', host: 'mirror.example.org' };
      return (await app.inject({ method: 'OPTIONS', url, headers })).headers;
    };
    expect(await preflight('/session/input-files', 'https://mirror.example.org:8080')).toMatchObject({
      'access-control-allow-origin': 'https://mirror.example.org:8080',
      'access-control-allow-credentials': 'true',
    });
    for (const [url, origin] of [
      ['/session/input-files', 'https://evil.example.org'],
      ['/verify', 'https://mirror.example.org'],
    ] as const) {
      const headers = await preflight(url, origin);
      expect(headers['access-control-allow-origin']).toBe('*');
      expect(headers['access-control-allow-credentials']).toBeUndefined();
    }
    await app.close();
    await db.close();
  });
});

describe('the page of a contract of another chain', () => {
  it('shows the match and leads to the files, whatever they are called', async () => {
    const address = await stack.addContract(num++, { runtime: runtimeCodeOf('Vault') });
    const input = standardInput('Vault');
    const sources = { '"><script>alert(1)</script>.sol': input.sources['Vault.sol']! };
    const members = { address, chain: '298', compilerVersion, contractName: 'Vault' };
    const files = { a: JSON.stringify({ ...input, sources }) };
    expect((await stack.post('/verify/solc-json', { ...members, files })).status).toBe(200);
    // As if it had been checked there.
    await stack.query(`update verified_contract set chain_id = 1, address = '\\x${foreign.slice(2)}'
      where address = '\\x${address.slice(2)}'`);
    const response = await fetch(`${stack.url}/repo-ui/1/${foreign}`);
    const page = await response.text();
    expect(response.status).toBe(200);
    expect(response.headers.get('content-security-policy')).toMatch(/default-src 'none'/);
    expect(page).not.toMatch(/<script>|<b>chain/);
    const links = [...page.matchAll(/href="(\/repository[^"]*)"/g)].map(([, link]) => link!);
    expect(links).toHaveLength(2);
    const [source] = await Promise.all(links.map((link) => fetch(`${stack.url}${link}`)));
    expect(source!.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(await source!.text()).toBe(sourceOf('Vault'));
    expect((await fetch(`${stack.url}/repo-ui/1/${at.address}`)).status).toBe(404);
    expect((await fetch(`${stack.url}/repo-ui/7/${at.address}`)).status).toBe(400);
  });
});

describe('metadata for the second API', () => {
  const post = (address: string, body: object) => stack.post(`/v2/verify/metadata/298/${address}`, body);
  const metadata = () => JSON.parse(compiled.metadata.Coin);
  const sources = () => ({ 'src/Coin.sol': sourceOf('Coin') });

  async function finished({ status, body }: Awaited<ReturnType<typeof post>>) {
    expect([status, body.message]).toEqual([202, undefined]);
    const completed = async () => {
      const job = (await stack.get(`/v2/verify/${body.verificationId}`)).body;
      return job.isJobCompleted && job;
    };
    return vi.waitUntil(completed, { timeout: waitMs, interval: 20 });
  }

  it('a match; then it is verified already', async () => {
    const address = await stack.addContract(num++, { runtime: runtimeCodeOf('Coin'), initcode: coinCreation() });
    expect(await finished(await post(address, { metadata: metadata(), sources: sources() }))).toMatchObject({
      compilationTime: expect.any(String),
      contract: { match: 'exact_match', creationMatch: 'exact_match', runtimeMatch: 'exact_match', chainId: '298' },
    });
    expect(await post(address, { metadata: metadata(), sources: sources() })).toMatchObject({
      status: 409,
      body: { customCode: 'already_verified', errorId: expect.any(String) },
    });
  });

  it('sources that are missing or others are the failure of the job', async () => {
    const address = await stack.addContract(num++, { runtime: runtimeCodeOf('Coin') });
    expect(await finished(await post(address, { metadata: metadata(), sources: {} }))).toMatchObject({
      error: {
        customCode: 'missing_source',
        message: expect.stringMatching(/Missing sources: Coin\.sol$/),
        errorData: { missingSources: ['Coin.sol'] },
      },
      contract: { match: null },
    });
    // The same path, but another file.
    const others = { 'Coin.sol': 'contract Coin {}', 'Unused.sol': '' };
    expect(await finished(await post(address, { metadata: metadata(), sources: others }))).toMatchObject({
      error: {
        customCode: 'missing_or_invalid_source',
        errorData: { missingSources: [], invalidSources: ['Coin.sol'] },
      },
    });
    const inside = metadata();
    inside.sources['Coin.sol'].content = 'contract Coin {}';
    expect(await finished(await post(address, { metadata: inside, sources: {} }))).toMatchObject({
      error: {
        customCode: 'missing_or_invalid_source',
        message: expect.stringMatching(/Invalid sources: Coin\.sol$/),
        errorData: { missingSources: [], invalidSources: ['Coin.sol'] },
      },
    });
  });

  it.each<[string, (metadata: ReturnType<typeof JSON.parse>) => object, string, string]>([
    ['none', () => ({ sources: {} }), 'invalid_parameter', "request/body must have required property 'metadata'"],
    [
      'no sources',
      (metadata) => ({ metadata }),
      'invalid_parameter',
      "request/body must have required property 'sources'",
    ],
    [
      'a source that is no text',
      (metadata) => ({ metadata, sources: { a: {} } }),
      'invalid_parameter',
      'request/body/sources/a must be string',
    ],
    ...(['compiler', 'language', 'settings', 'sources'] as const).map(
      (member): [string, (metadata: Record<string, unknown>) => object, string, string] => [
        `no ${member}`,
        ({ [member]: _, ...rest }) => ({ metadata: rest, sources: {} }),
        'invalid_parameter',
        `Metadata must contain a ${member} field.`,
      ],
    ),
    [
      'no version',
      (metadata) => ({ metadata: { ...metadata, compiler: {} }, sources: {} }),
      'invalid_parameter',
      'Metadata must contain a compiler.version field.',
    ],
    [
      'no target',
      (metadata) => ({ metadata: { ...metadata, settings: {} }, sources: {} }),
      'invalid_parameter',
      'Metadata must contain a settings.compilationTarget field.',
    ],
    [
      'two targets',
      (metadata) => ({
        metadata: { ...metadata, settings: { compilationTarget: { a: 'A', b: 'B' } } },
        sources: {},
      }),
      'invalid_compilation_target',
      'More than one compilationTarget in the metadata, or the compilationTarget is invalid. compilationTarget: a, b',
    ],
  ])('%s', async (_name, body, customCode, message) => {
    expect(await post(at.address, body(metadata()))).toMatchObject({ status: 400, body: { customCode, message } });
  });
});

function coinCreation(): Buffer {
  return Buffer.concat([initcodeOf('Coin'), Buffer.alloc(32)]);
}
