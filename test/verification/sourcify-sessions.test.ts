// The requests of the explorer's verification dialog, in its order and shape: files are collected, checked without
// being kept, and then for good. And what sessions cost at most.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { initcodeOf, runtimeCodeOf, sourceOf } from '../support/contracts/sample-contracts.ts';
import { compileMetadata } from './metadata-of.ts';
import { startVerificationStack, type VerificationStack } from './verification-stack.ts';

let stack: VerificationStack;
let compiled: Awaited<ReturnType<typeof compileMetadata>>;
let num = 8000;

const limits = { sessions: 100, perClient: 3, sessionBytes: 1_000_000, bytes: 3_000_000, idleMs: 600_000 };

beforeAll(async () => {
  stack = await startVerificationStack({ explorers: [], sessionLimits: limits });
  compiled = await compileMetadata(['Coin', 'Vault']);
});
afterAll(() => stack?.close());

/** A browser: it keeps the cookie, and sends it with its origin. */
function openBrowser(headers: Record<string, string> = {}) {
  let cookie = '';
  return {
    cookie: () => cookie,
    async ask(method: 'GET' | 'POST', path: string, body?: unknown) {
      const response = await fetch(`${stack.url}${path}`, {
        method,
        headers: {
          origin: 'http://127.0.0.1:8080',
          ...(cookie && { cookie }),
          ...(body !== undefined && !(body instanceof FormData) && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: body instanceof FormData ? body : JSON.stringify(body) }),
      });
      const set = response.headers.get('set-cookie');
      if (set) cookie = set.split(';')[0]!;
      const text = await response.text();
      const isJson = response.headers.get('content-type')?.startsWith('application/json');
      return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
    },
  };
}

const deploy = (name: 'Coin' | 'Vault') =>
  stack.addContract(num++, {
    runtime: runtimeCodeOf(name),
    initcode: Buffer.concat([initcodeOf(name), Buffer.alloc(name === 'Coin' ? 32 : 0)]),
  });
const verified = async (address: string) => (await stack.get(`/v2/contract/298/${address}`)).body.match;

describe('the dialog', () => {
  it('metadata and sources: looked at, checked, and then kept', async () => {
    await stack.query('delete from verified_contract');
    const address = await deploy('Coin');
    const browser = openBrowser();
    const cleared = await browser.ask('POST', '/session/clear');
    expect([cleared.status, cleared.body]).toEqual([200, 'Session successfully cleared']);

    const files = { 'Coin.sol': sourceOf('Coin'), 'metadata.json': compiled.metadata.Coin, 'readme.txt': 'no source' };
    const added = await browser.ask('POST', '/session/input-files?dryrun=true', { files });
    expect(added.status).toBe(200);
    expect(added.body).toEqual({
      contracts: [
        {
          verificationId: expect.stringMatching(/^0x[0-9a-f]{64}$/),
          compiledPath: 'Coin.sol',
          name: 'Coin',
          compilerVersion: '0.8.37+commit.f401782d',
          constructorArgumentsArray: [expect.objectContaining({ type: 'uint256' })],
          files: { found: ['Coin.sol'], missing: {}, invalid: {} },
          status: 'error',
          statusMessage: 'Missing chainId for contract Coin',
        },
      ],
      unused: ['readme.txt'],
      files: ['Coin.sol', 'metadata.json', 'readme.txt'],
    });
    const cookie = added.headers.get('set-cookie')!;
    expect(cookie).toMatch(/^sourcify_vid=[\w-]{43}; Path=\/; Max-Age=1800; HttpOnly; SameSite=Lax$/);
    expect(added.headers.get('access-control-allow-origin')).toBe('http://127.0.0.1:8080');
    expect(added.headers.get('access-control-allow-credentials')).toBe('true');
    expect(added.headers.get('cache-control')).toBe('no-store');

    const { verificationId } = added.body.contracts[0];
    const contracts = [{ address, chainId: '298', verificationId, creatorTxHash: null }];
    const looked = await browser.ask('POST', '/session/verify-checked?dryrun=true', { contracts });
    expect(looked.body.contracts[0]).toMatchObject({ status: 'perfect', name: 'Coin', address, chainId: '298' });
    expect(await verified(address)).toBeNull();
    const kept = await browser.ask('POST', '/session/verify-checked', { contracts });
    expect(kept.body.contracts[0]).toMatchObject({ status: 'perfect', compiledPath: 'Coin.sol' });
    expect(await verified(address)).toBe('exact_match');
    const again = await browser.ask('GET', '/session/data');
    expect(again.body).toEqual(kept.body);

    await browser.ask('POST', '/session/clear');
    expect((await browser.ask('GET', '/session/data')).body).toEqual({ contracts: [], unused: [], files: [] });
  });

  it('the files of a contract on the chain come from a verified one of the same source', async () => {
    // The contract of the test before is verified, this one has the same code.
    const address = await deploy('Coin');
    const browser = openBrowser();
    const added = await browser.ask('POST', '/session/input-contract', { address, chainId: '298' });
    expect(added.body).toMatchObject({
      contracts: [{ name: 'Coin', files: { found: ['Coin.sol'], missing: {} } }],
      files: ['metadata.json', 'Coin.sol'],
    });
    const other = await deploy('Vault');
    expect(await browser.ask('POST', '/session/input-contract', { address: other, chainId: '298' })).toMatchObject({
      status: 404,
      body: { error: expect.stringMatching(/^Could not retrieve metadata from 1220[0-9a-f]{64}: /) },
    });
    const bare = await stack.addContract(num++, { runtime: Buffer.from('6001', 'hex') });
    expect(await browser.ask('POST', '/session/input-contract', { address: bare, chainId: '298' })).toMatchObject({
      status: 400,
      body: { error: "The contract doesn't have a metadata IPFS CID" },
    });
  });

  it('files in several steps; what is missing is named until it is there', async () => {
    const browser = openBrowser();
    const first = await browser.ask('POST', '/session/input-files', { files: { m: compiled.metadata.Vault } });
    expect(Object.keys(first.body.contracts[0].files.missing)).toEqual(['Vault.sol']);
    const form = new FormData();
    form.append('files', new Blob([sourceOf('Vault')]), 'any name');
    const second = await browser.ask('POST', '/input-files', form);
    expect(second.body.contracts).toHaveLength(1);
    expect(second.body.contracts[0]).toMatchObject({ name: 'Vault', files: { found: ['Vault.sol'], missing: {} } });
    expect(second.body.unused).toEqual([]);
  });

  it('of a build output the contract that is there is found, and the others are not compiled', async () => {
    const address = await deploy('Vault');
    const browser = openBrowser();
    const added = await browser.ask('POST', '/session/input-files?dryrun=true', { files: { b: compiled.buildInfo } });
    const ids = added.body.contracts.map(({ verificationId }: { verificationId: string }) => verificationId);
    expect(ids).toHaveLength(3);
    const contracts = ids.map((verificationId: string) => ({ address, chainId: '298', verificationId }));
    const checked = await browser.ask('POST', '/session/verify-validated', { contracts });
    expect(checked.body.contracts.map(({ name, status }: Record<string, string>) => [name, status])).toEqual([
      ['Coin', 'error'],
      ['ICounter', 'error'],
      ['Vault', 'perfect'],
    ]);
    expect(checked.body.contracts[0].statusMessage).toMatch(/another contract of these files/);
  });

  it('code that is another: the reason is said', async () => {
    const address = await deploy('Vault');
    await stack.query('delete from verified_contract');
    const browser = openBrowser();
    const files = { s: sourceOf('Coin'), m: compiled.metadata.Coin };
    const added = await browser.ask('POST', '/session/input-files', { files });
    const contracts = [{ address, chainId: '298', verificationId: added.body.contracts[0].verificationId }];
    const checked = await browser.ask('POST', '/session/verify-checked', { contracts });
    expect(checked.body.contracts[0]).toMatchObject({
      status: 'error',
      statusMessage: expect.stringMatching(/differ|length/),
    });
    const nowhere = [{ ...contracts[0], address: `0x${'56'.repeat(20)}` }];
    const none = await browser.ask('POST', '/session/verify-checked', { contracts: nowhere });
    expect(none.body.contracts[0].statusMessage).toMatch(/^Chain #298 does not have a contract deployed at/);
  });
});

describe('refusals', () => {
  it.each([
    ['/session/input-files', {}, 400, 'There should be files in the <files> field'],
    ['/session/input-files', { files: {} }, 400, 'No files found'],
    ['/session/input-files', { files: { a: 1 } }, 400, 'request/body/files/a must be string'],
    ['/session/input-files?url=http://127.0.0.1/', { files: { a: 'b' } }, 400, /^Nothing is fetched from addresses/],
    ['/session/verify-checked', { contracts: [] }, 400, 'There are currently no pending contracts.'],
    ['/session/verify-checked', { contracts: {} }, 400, /must be a list/],
    ['/session/verify-checked', { contracts: [{}] }, 400, /required property 'address'/],
    [
      '/session/verify-checked',
      { contracts: [{ address: '0x12', chainId: '298', verificationId: 'x' }] },
      400,
      'Invalid address: 0x12',
    ],
    ['/session/input-files', { files: { a: 'x'.repeat(1_100_000) } }, 413, /^Too much session memory used/],
  ])('%s %#', async (path, body, status, message) => {
    const browser = openBrowser();
    const answer = await browser.ask('POST', path, body);
    expect([answer.status, browser.cookie()]).toEqual([status, '']);
    expect(answer.body.error).toEqual(typeof message === 'string' ? message : expect.stringMatching(message));
  });
});

describe('cookies', () => {
  const files = { a: 'contract A {}' };

  it('one that was not given out here is nobody, and is not taken over', async () => {
    const forged = 'A'.repeat(43);
    const browser = openBrowser({ cookie: `sourcify_vid=${forged}` });
    const answer = await browser.ask('POST', '/session/input-files', { files });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('set-cookie')).not.toContain(forged);
    expect((await browser.ask('GET', '/session/data')).body.files).toEqual([]);
  });

  it.each([
    ['http://127.0.0.1:9999', 'http://127.0.0.1:9999', /SameSite=Lax$/],
    ['http://localhost:3000', 'http://localhost:3000', /SameSite=Lax$/],
    ['https://explorer.example.org', 'https://explorer.example.org', /SameSite=None; Secure$/],
    ['https://evil.example', '*', /SameSite=Lax$/],
    ['null', '*', /SameSite=Lax$/],
    ['http://127.0.0.1.evil.example', '*', /SameSite=Lax$/],
  ])('a page of %s', async (origin, allowed, cookie) => {
    const answer = await openBrowser({ origin }).ask('POST', '/session/input-files', { files });
    expect(answer.headers.get('access-control-allow-origin')).toBe(allowed);
    expect(answer.headers.get('access-control-allow-credentials')).toBe(allowed === '*' ? null : 'true');
    expect(answer.headers.get('set-cookie')).toMatch(cookie);
  });
});

it.each([
  ['/session/input-solc-json', 404, /POST \/verify\/solc-json/],
  ['/session/verify/etherscan', 404, /POST \/verify\/etherscan/],
  ['/verify/vyper', 400, /Vyper/],
])('POST %s is refused with what does the same', async (path, status, sentence) => {
  const answer = await openBrowser().ask('POST', path, { address: '0x', chain: '298' });
  expect([answer.status, answer.body.error]).toEqual([status, expect.stringMatching(sentence)]);
  expect(answer.body.message).toBe(answer.body.error);
});

describe('what sessions cost', () => {
  /** What is left of five sessions of one client. */
  async function openFive(address: string): Promise<unknown[]> {
    const browsers = Array.from({ length: 5 }, () => openBrowser({ 'x-forwarded-for': address }));
    for (const { ask } of browsers) await ask('POST', '/session/input-files', { files: { a: 'contract A {}' } });
    return Promise.all(browsers.map(async ({ ask }) => (await ask('GET', '/session/data')).body.files));
  }

  it('one client keeps the newest of its sessions', async () => {
    expect(await openFive('192.0.2.1')).toEqual([[], [], ['a'], ['a'], ['a']]);
  });

  it('ten times as many clients have no more sessions and bytes than the limits', async () => {
    const content = 'x'.repeat(20_000);
    for (let from = 0; from < 10 * limits.sessions; from += 100) {
      const answers = Array.from({ length: 100 }, async (_, i) => {
        const address = `10.${(from + i) >> 8}.${(from + i) & 255}.1`;
        const browser = openBrowser({ 'x-forwarded-for': address });
        return browser.ask('POST', '/session/input-files', { files: { [`${address}.sol`]: content } });
      });
      for (const { status } of await Promise.all(answers)) expect(status).toBe(200);
    }
    const { sessions, bytes } = stack.sessionLoad();
    expect(sessions).toBe(limits.sessions);
    expect(bytes).toBeLessThanOrEqual(limits.bytes);
  });

  it('where others have one each, one client has one, too', async () => {
    expect(await openFive('192.0.2.2')).toEqual([[], [], [], [], ['a']]);
  });
});
