// Claims that want to harm: each gets a clear refusal, the process that looked at it is gone, and nothing outside was
// read, written or called.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { createVerifier, type VerifierOptions } from '../../src/verification/create-verifier.ts';
import type { OnchainContract } from '../../src/verification/onchain-contract.ts';
import type { SourceClaim } from '../../src/verification/source-claim.ts';
import type { Verifier } from '../../src/verification/verifier.ts';
import { longVersions } from './contract-sources.ts';

// Compilers are programs of 10 MB: on a busy machine each takes its time.
vi.setConfig({ testTimeout: 240_000 });

const newest = longVersions['0.8.37'];

const limits: VerifierOptions['limits'] = {
  compileMs: 60_000,
  memoryBytes: 1_500_000_000,
  concurrent: 1,
  queue: 10,
  inputBytes: 1_000_000,
};

const folder = mkdtempSync(join(tmpdir(), 'hostile-claims-'));
const lines: string[] = [];
const verifier = createVerifier({
  compilers: { folder, download: 'off', downloadUrl: '' },
  limits,
  log: (line) => lines.push(line),
});

afterAll(async () => {
  await verifier.close();
  rmSync(folder, { recursive: true });
});

afterEach(async () => {
  const processes = () => process.getActiveResourcesInfo().filter((name) => name === 'ProcessWrap');
  await expect.poll(processes).toEqual([]);
});

async function withLimits<T>(other: Partial<typeof limits>, use: (limited: Verifier) => Promise<T>): Promise<T> {
  const compilers = { folder: null, download: 'off', downloadUrl: '' } as const;
  const limited = createVerifier({ compilers, limits: { ...limits, ...other }, log: () => undefined });
  try {
    return await use(limited);
  } finally {
    await limited.close();
  }
}

const onchain: OnchainContract = {
  chainId: '298',
  address: `0x${'77'.repeat(20)}`,
  otherAddresses: [],
  kind: 'contract',
  runtimeCode: Buffer.from('6001600055', 'hex'),
  creationCodes: [],
  deleted: false,
  creation: null,
  implementation: null,
};

function claimOf(sources: SourceClaim['input']['sources'], more: Partial<SourceClaim> = {}): SourceClaim {
  return {
    language: 'Solidity',
    compilerVersion: newest,
    input: { language: 'Solidity', sources, settings: {} },
    target: { path: 'A.sol', name: 'A' },
    ...more,
  };
}

const plain = { 'A.sol': { content: 'contract A { function f() external {} }' } };
const endless = {
  'A.sol': {
    content: `contract A { ${Array.from(
      { length: 6000 },
      (_, n) => `function f${n}(uint a, uint b) external pure returns (uint) { return a * ${n} + b % ${n + 1}; }`,
    ).join(' ')} }`,
  },
};

test.each<[string, SourceClaim, object]>([
  ['no sources', claimOf({}), { code: 'invalid_sources' }],
  [
    'sources by address',
    claimOf({ 'A.sol': { urls: ['http://127.0.0.1:1/A.sol', 'file:///etc/passwd'] } }),
    { code: 'invalid_sources', message: expect.stringMatching(/only "urls", which are not followed/) },
  ],
  [
    'a source that is no text',
    claimOf({ 'A.sol': { content: 7 } } as never),
    { code: 'invalid_sources', message: expect.stringMatching(/no "content"/) },
  ],
  [
    'a prototype as name',
    claimOf(JSON.parse('{"__proto__": {"content": "contract A {}"}}')),
    { code: 'invalid_sources' },
  ],
  ['a zero byte in a name', claimOf({ 'A.sol\0.txt': { content: '' } }), { code: 'invalid_sources' }],
  ['a name of 2 KB', claimOf({ ['A'.repeat(2000)]: { content: '' } }), { code: 'invalid_sources' }],
  ['too much source', claimOf({ 'A.sol': { content: 'x'.repeat(1_000_001) } }), { code: 'invalid_sources' }],
  [
    'too many sources',
    claimOf(Object.fromEntries(Array.from({ length: 5001 }, (_, n) => [`${n}.sol`, { content: '' }]))),
    { code: 'invalid_sources' },
  ],
  [
    'no settings',
    claimOf(plain, { input: { language: 'Solidity', sources: plain } as never }),
    { code: 'invalid_sources' },
  ],
  [
    'settings without end',
    claimOf(plain, {
      input: {
        language: 'Solidity',
        sources: plain,
        settings: JSON.parse(`{"x":${'['.repeat(100_000)}${']'.repeat(100_000)}}`),
      },
    }),
    { code: 'invalid_sources', message: 'The settings are nested too deeply.' },
  ],
  ['no contract named', claimOf(plain, { target: { path: 'A.sol', name: '' } }), { code: 'invalid_sources' }],
  ['another language', claimOf(plain, { language: 'Fe' as never }), { code: 'unsupported_language', status: 400 }],
  ['Vyper', claimOf(plain, { language: 'Vyper' }), { code: 'compiler_not_available', status: 503 }],
  [
    'a path for a version',
    claimOf(plain, { compilerVersion: '../../../etc/passwd' }),
    { code: 'invalid_compiler_version' },
  ],
  [
    'a compiler that nobody has',
    claimOf(plain, { compilerVersion: 'v0.8.37+commit.00000000' }),
    {
      code: 'compiler_not_available',
      status: 503,
      message: expect.stringMatching(/0\.8\.37\+commit\.00000000 is not available here.*0\.8\.37\+commit\.f401782d/),
    },
  ],
  [
    'imports of files and addresses',
    claimOf({
      'A.sol': { content: 'import "../../../../etc/passwd"; import "http://127.0.0.1:1/x.sol"; contract A {}' },
    }),
    { code: 'compiler_error', status: 400, message: expect.stringMatching(/File import callback not supported/) },
  ],
  [
    'syntax errors',
    claimOf({ 'A.sol': { content: 'contract A { function }' } }),
    { code: 'compiler_error', message: expect.stringMatching(/^Compiler error\. ParserError/) },
  ],
  [
    'a contract that is not there',
    claimOf(plain, { target: { path: 'A.sol', name: 'B' } }),
    { code: 'contract_not_found_in_compiler_output', message: expect.stringMatching(/compiled: A\.sol:A/) },
  ],
  [
    'nesting without end',
    claimOf({ 'A.sol': { content: `contract A { uint a = ${'('.repeat(300_000)}1${')'.repeat(300_000)}; }` } }),
    { status: 400, message: expect.stringMatching(/nested too deeply|recursion depth/) },
  ],
])('%s', async (_, claim, refusal) => {
  await expect(verifier.verify(onchain, claim)).rejects.toMatchObject(refusal);
});

test('names that look like paths are only names', async () => {
  const place = join(folder, 'sources');
  mkdirSync(place);
  const name = `../../../../../../..${place}/A.sol`;
  const claim = claimOf({ [name]: plain['A.sol'] }, { target: { path: name, name: 'A' } });
  const outcome = await verifier.verify(onchain, claim);
  expect(outcome.code).toBe('no_match');
  expect(outcome.compilation?.sources).toEqual({ [name]: plain['A.sol'].content });
  expect(readdirSync(place)).toEqual([]);
});

test('a compile that does not end is ended', async () => {
  await withLimits({ compileMs: 2500 }, (limited) =>
    expect(limited.verify(onchain, claimOf(endless))).rejects.toMatchObject({
      code: 'compiler_limit',
      message: expect.stringMatching(/longer than 3 seconds/),
    }),
  );
});

test.skipIf(process.platform !== 'linux')('a compile that takes too much memory is ended', async () => {
  await withLimits({ memoryBytes: 128_000_000 }, (limited) =>
    expect(limited.verify(onchain, claimOf(endless))).rejects.toMatchObject({
      code: 'compiler_limit',
      message: expect.stringMatching(/more than 128 MB of memory/),
    }),
  );
});

test('a compiler can neither read, write, start nor call anything, and is no other than it says', async () => {
  const calls: string[] = [];
  const server = createServer((request, response) => {
    calls.push(request.url!);
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const secret = join(folder, 'secret.txt');
  writeFileSync(secret, 'secret');
  const attempts = {
    read: `fs.readFileSync(${JSON.stringify(secret)})`,
    write: `fs.writeFileSync(${JSON.stringify(join(folder, 'written.txt'))}, '1')`,
    start: `require('node:child_process').execFileSync('true')`,
    thread: `new (require('node:worker_threads').Worker)('1', { eval: true })`,
    connect: `require('node:net').connect(${port}, '127.0.0.1')`,
    call: `require('node:http').get('http://127.0.0.1:${port}/call')`,
    environment: `if (!Object.keys(process.env).some((name) => /^(HOME|USER|DATABASE_URL)$/.test(name))) throw new Error()`,
  };
  const program = Object.entries(attempts).map(
    ([name, code]) => `try { (() => { ${code} })(); done.push('${name}'); } catch { refused.push('${name}'); }`,
  );
  const report = `throw new Error('done: ' + done.join() + '; refused: ' + refused.join());`;
  const start = `const fs = require('node:fs'); const done = [], refused = [];`;
  writeFileSync(join(folder, 'soljson-v0.9.9.js'), [start, ...program, report].join('\n'));
  writeFileSync(join(folder, 'soljson-v0.9.8.js'), 'module.exports = {};');

  const claim = claimOf(plain, { compilerVersion: '0.9.9' });
  await expect(verifier.verify(onchain, claim)).rejects.toMatchObject({ code: 'compiler_not_available' });
  server.close();
  expect(lines.join('\n')).toContain(`done: ; refused: ${Object.keys(attempts).join()}`);
  expect(lines.join('\n')).toContain('soljson-v0.9.8.js is no Solidity compiler that can be used here');
  expect(existsSync(join(folder, 'written.txt'))).toBe(false);
  expect(calls).toEqual([]);
  const listed = await verifier.listCompilers();
  expect(listed).toEqual(expect.arrayContaining(Object.values(longVersions)));
  expect(listed.filter((version) => version.startsWith('0.9.'))).toEqual([]);
});

test('more claims than may wait are refused at once', async () => {
  const settled = await withLimits({ queue: 1 }, (limited) =>
    Promise.allSettled([1, 2, 3].map(() => limited.verify(onchain, claimOf(plain)))),
  );
  expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
  expect((settled[2] as PromiseRejectedResult).reason).toMatchObject({
    code: 'too_many_jobs',
    status: 429,
    retryAfterSeconds: expect.any(Number),
  });
});

test('closing ends what runs and refuses what waits', async () => {
  const limited = createVerifier({
    compilers: { folder: null, download: 'off', downloadUrl: '' },
    limits,
    log: () => undefined,
  });
  const claims = [1, 2].map(() => limited.verify(onchain, claimOf(endless)));
  const settled = Promise.allSettled(claims);
  await limited.close();
  for (const one of await settled) {
    expect(one).toMatchObject({ status: 'rejected', reason: { code: 'too_many_jobs', retryAfterSeconds: 5 } });
  }
});
