// Claims that want to harm: each gets a clear refusal, the process that looked at it is gone, and nothing outside was
// read, written or called.

import { spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { waitMs } from '../../packages/test-support/timeouts.ts';
import { createVerifier, type Verifier, type VerifierOptions } from '../../packages/verification/create-verifier.ts';
import type { OnchainContract } from '../../packages/verification/terms/onchain-contract.ts';
import type { SourceClaim } from '../../packages/verification/terms/source-claim.ts';
import { longVersions } from './contract-sources.ts';

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
  niceness: 0,
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
  await expect.poll(processes, { timeout: 120_000 }).toEqual([]);
});

async function withLimits<T>(other: Partial<typeof limits>, use: (limited: Verifier) => Promise<T>): Promise<T> {
  const compilers = { folder: null, download: 'off', downloadUrl: '' } as const;
  const limited = createVerifier({ niceness: 0, compilers, limits: { ...limits, ...other }, log: () => undefined });
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
  ['half a character in a name', claimOf({ 'A\ud800.sol': { content: '' } }), { code: 'invalid_sources' }],
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
  [
    'syntax errors, in the words of the compiler',
    claimOf({ 'A.sol': { content: 'contract A { function }' } }),
    { details: { compilerErrors: [expect.objectContaining({ severity: 'error', type: 'ParserError' })] } },
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
      message: expect.stringMatching(/more than 3 seconds of processor time/),
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
  const receiver = createSocket('udp4', (message) => calls.push(`datagram ${message}`));
  receiver.bind(0, '127.0.0.1');
  await once(receiver, 'listening');
  const udpPort = receiver.address().port;
  const bystander = spawn('sleep', ['600']);
  const secret = join(folder, 'secret.txt');
  writeFileSync(secret, 'secret');
  const attempts = {
    read: `require('node:fs').readFileSync(${JSON.stringify(secret)})`,
    write: `require('node:fs').writeFileSync(${JSON.stringify(join(folder, 'written.txt'))}, '1')`,
    start: `require('node:child_process').execFileSync('true')`,
    thread: `new (require('node:worker_threads').Worker)('1', { eval: true })`,
    connect: `require('node:net').connect(${port}, '127.0.0.1')`,
    call: `require('node:http').get('http://127.0.0.1:${port}/call')`,
    datagram: `require('node:dgram').createSocket('udp4').send('x', ${udpPort}, '127.0.0.1')`,
    name: `require('node:dns').lookup('localhost', () => undefined)`,
    signal: `process.kill(${bystander.pid})`,
    parent: `process.kill(process.ppid, 0)`,
    answer: `process.send({ kind: 'identified', version: '0.9.9+commit.12345678' })`,
    post: `postMessage({ text: 'x' })`,
    timer: `setTimeout(() => undefined)`,
    world: `if (!new Function('return this')().process) throw new Error()`,
    caller: `if (!(() => undefined).constructor('return process')()) throw new Error()`,
    builtin: `process.getBuiltinModule('node:dgram')`,
    environment: `if (!Object.keys(process.env).some((name) => /^(HOME|USER|DATABASE_URL)$/.test(name))) throw new Error()`,
  };
  const program = Object.entries(attempts).map(
    ([name, code]) => `try { (() => { ${code} })(); done.push('${name}'); } catch { refused.push('${name}'); }`,
  );
  const report = `throw new Error('done: ' + done.join() + '; refused: ' + refused.join());`;
  // Loads asynchronously: only what arrives would show it.
  const importing = `import('node:dgram').then(({ createSocket }) => createSocket('udp4').send('imported', ${udpPort}, '127.0.0.1')).catch(() => {});`;
  const start = `const done = [], refused = []; try { ${importing} } catch {}`;
  writeFileSync(join(folder, 'soljson-v0.9.9.js'), [start, ...program, report].join('\n'));
  writeFileSync(join(folder, 'soljson-v0.9.8.js'), 'module.exports = {};');

  const claim = claimOf(plain, { compilerVersion: '0.9.9' });
  await expect(verifier.verify(onchain, claim)).rejects.toMatchObject({ code: 'compiler_not_available' });
  expect(bystander.exitCode ?? bystander.signalCode).toBeNull();
  bystander.kill();
  server.close();
  receiver.close();
  await once(bystander, 'close');
  expect(lines.join('\n')).toContain(`done: ; refused: ${Object.keys(attempts).join()}`);
  expect(existsSync(join(folder, 'written.txt'))).toBe(false);
  expect(calls).toEqual([]);
  // Asked for by its name, so that no other compiler is started: all of them take minutes on a busy machine.
  await expect(verifier.verify(onchain, claimOf(plain, { compilerVersion: '0.9.8' }))).rejects.toMatchObject({
    code: 'compiler_not_available',
  });
  expect(lines.join('\n')).toContain('soljson-v0.9.8.js is not a usable Solidity compiler');
});

test('an absent compiler is reported without starting every other', async () => {
  const own: string[] = [];
  const fresh = mkdtempSync(join(tmpdir(), 'hostile-claims-'));
  writeFileSync(join(fresh, 'soljson-v0.9.7.js'), 'module.exports = {};');
  const looking = createVerifier({
    niceness: 0,
    compilers: { folder: fresh, download: 'off', downloadUrl: '' },
    limits,
    log: (line) => own.push(line),
  });
  await expect(looking.verify(onchain, claimOf(plain, { compilerVersion: '0.9.1' }))).rejects.toMatchObject({
    code: 'compiler_not_available',
    message: expect.stringMatching(/Solidity compiler 0\.9\.1 is not available here\. Available: 0\.9\.7, 0\.8\.37,/),
    details: { missing: '0.9.1', available: expect.arrayContaining(['0.9.7', '0.8.37', '0.4.26']) },
  });
  // A file that is asked for its version, and is no compiler, leaves a line.
  expect(own).toEqual([]);
  await expect(looking.verify(onchain, claimOf(plain, { compilerVersion: '0.9.7' }))).rejects.toMatchObject({
    code: 'compiler_not_available',
  });
  expect(own.join()).toContain('soljson-v0.9.7.js');
  await looking.close();
  rmSync(fresh, { recursive: true });
});

test.skipIf(process.platform !== 'linux')('a check that is held up by the machine is not ended for it', async () => {
  const compileMs = 6000;
  await withLimits({ compileMs }, async (limited) => {
    const started = Date.now();
    const verified = limited.verify(onchain, claimOf(plain));
    const child = await vi.waitUntil(
      () => childrenOf(process.pid).find((pid) => commandOf(pid).includes('check-process')),
      { timeout: waitMs, interval: 5 },
    );
    process.kill(child, 'SIGSTOP');
    await sleep(compileMs + 1000 - (Date.now() - started));
    process.kill(child, 'SIGCONT');
    expect((await verified).code).toBe('no_match');
    expect(Date.now() - started).toBeGreaterThan(compileMs);
  });
});

function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(/\s+/).filter(Boolean).map(Number);
}

function commandOf(pid: number): string {
  return existsSync(`/proc/${pid}/cmdline`) ? readFileSync(`/proc/${pid}/cmdline`, 'utf8') : '';
}

test('more claims than may wait are refused at once', async () => {
  const settled = await withLimits({ queue: 1 }, (limited) =>
    Promise.allSettled([1, 2, 3].map(() => limited.verify(onchain, claimOf(plain)))),
  );
  // Which one it is depends on whose compiler is found first.
  const rejected = settled.filter((one) => one.status === 'rejected');
  expect(rejected).toHaveLength(1);
  expect(rejected[0]!.reason).toMatchObject({
    code: 'too_many_jobs',
    status: 429,
    retryAfterSeconds: expect.any(Number),
  });
});

test('closing ends what runs and refuses what waits', async () => {
  const limited = createVerifier({
    niceness: 0,
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
