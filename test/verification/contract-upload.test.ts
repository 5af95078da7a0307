// Sources handed in by the form of a contract's page: they become the check that POST /v2/verify would make, the page
// shows how it goes, and then the contract has its names.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../packages/postgres/wire/database.ts';
import { openServer } from '../../packages/test-support/http/open-server.ts';
import { waitMs } from '../../packages/test-support/timeouts.ts';
import { openChecked } from '../../packages/test-support/verification/open-checked.ts';
import { addVerification } from '../../src/server/add-verification.ts';
import type { MirrorServer } from '../../src/server/server.ts';
import { compileSolidity } from '../support/contracts/compile-solidity.ts';
import { createEvm } from '../support/contracts/evm-deployment.ts';
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
let db: Database;
let app: MirrorServer;
let url: string;
beforeAll(async () => {
  stack = await startVerificationStack({ explorers: [], perClient: 3 });
  db = openDatabase({ connectionString: stack.connectionString });
  const { abis, sources } = openChecked(db, stack.routes.jobs);
  app = openServer(db, 'spec', { abis, sources });
  addVerification(app, stack.routes);
  url = await app.listen({ port: 0, host: '127.0.0.1' });
  for (const num of [2001, 2002, 2003, 2004, 2006]) {
    await stack.addContract(num, { runtime: runtimeCodeOf('Vault'), initcode: initcodeOf('Vault') });
  }
  await stack.addContract(2005, { runtime: runtimeCodeOf('Coin'), initcode: initcodeOf('Coin') });
});
afterAll(async () => {
  await app?.close();
  await db?.close();
  await stack?.close();
});

type Sent = { files?: Record<string, string>; fields?: Record<string, string> };

async function send(num: number, { files = {}, fields = {} }: Sent) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  for (const [name, content] of Object.entries(files)) form.append('files', new Blob([content]), name);
  const response = await fetch(`${url}/demo/contract/0.0.${num}/source`, {
    method: 'POST',
    body: form,
    redirect: 'manual',
  });
  return { status: response.status, location: response.headers.get('location') ?? '', body: await response.text() };
}

async function read(path: string): Promise<string> {
  return (await fetch(`${url}${path}`)).text();
}

/** Follows the page as a browser does, until it asks no more. */
async function finish(location: string): Promise<string> {
  const [path] = location.split('#');
  let body = await read(path!);
  await expect
    .poll(
      async () => {
        body = await read(path!);
        return body.includes('http-equiv="refresh"');
      },
      { timeout: waitMs, interval: 300 },
    )
    .toBe(false);
  return body;
}

describe('what is checked', () => {
  it('standard JSON, with the version and the name', async () => {
    const before = await read('/demo/contract/0.0.2001/source');
    expect(before).toContain('enctype="multipart/form-data"');
    expect(before).toContain('Not verified');
    const { status, location } = await send(2001, {
      files: { 'input.json': JSON.stringify(standardInput('Vault')) },
      fields: { compilerVersion, contractName: 'Vault' },
    });
    expect(status).toBe(303);
    expect(location).toMatch(/^\/demo\/contract\/0\.0\.2001\/source\?job=[0-9a-f-]{36}#job$/);
    const done = await finish(location);
    expect(done).toContain('Verified: exact match');
    expect(done).toContain('id="L1"');
    // A form that nobody needs any more.
    expect(done).not.toContain('enctype');
    // What another process has checked shows after a while.
    await expect.poll(() => read('/demo/contract/0.0.2001'), { timeout: 60_000 }).toContain('<bdi>Vault</bdi>');
    const again = await send(2001, {
      files: { 'input.json': JSON.stringify(standardInput('Vault')) },
      fields: { compilerVersion, contractName: 'Vault' },
    });
    expect([again.status, again.body]).toEqual([409, expect.stringContaining('already verified')]);
  });

  it('metadata and sources', async () => {
    const { metadata } = await compileMetadata(['Coin']);
    const files = { 'metadata.json': metadata.Coin, 'renamed.sol': sourceOf('Coin') };
    const { status, location } = await send(2005, { files });
    expect(status).toBe(303);
    expect(await finish(location)).toContain('Verified: exact match');
  });

  it('the input of a build-info, which says the version', async () => {
    const build = { solcLongVersion: compilerVersion.slice(1), input: standardInput('Vault') };
    const { location } = await send(2002, {
      files: { 'build.json': JSON.stringify(build) },
      fields: { contractName: 'Vault.sol:Vault' },
    });
    expect(await finish(location)).toContain('Verified: exact match');
  });

  it.each<[number, string, string, Record<string, string>]>([
    [2007, 'a flattened file with its settings', 'Vault.sol', { contractName: 'Vault' }],
    [
      2008,
      'a file that is called otherwise, with the path that it had',
      'flat.txt',
      { contractName: 'Vault.sol:Vault' },
    ],
  ])('%i: %s', async (num, _what, file, fields) => {
    // Code of its own: that of the others is known by now.
    const source = sourceOf('Vault').replace('not sent', `not sent ${num}`);
    const input = { ...standardInput('Vault'), sources: { 'Vault.sol': { content: source } } };
    const [output] = await compileSolidity('0.8.37', [input]);
    const { deployedBytecode } = output!.contracts['Vault.sol']!.Vault!.evm;
    await stack.addContract(num, { runtime: Buffer.from(deployedBytecode.object, 'hex') });
    const typed = { ...fields, compilerVersion, optimizer: 'on', runs: '200', evmVersion: 'cancun' };
    const { status, location } = await send(num, { files: { [file]: source }, fields: typed });
    expect(status).toBe(303);
    expect(await finish(location)).toContain('Verified: exact match');
    const { body } = await stack.get(`/v2/contract/298/0x${num.toString(16).padStart(40, '0')}?fields=compilation`);
    expect(body.compilation).toMatchObject({
      fullyQualifiedName: 'Vault.sol:Vault',
      compilerSettings: { optimizer: { enabled: true, runs: 200 }, evmVersion: 'cancun' },
    });
  });

  it('a build of several contracts, of which one is named', async () => {
    const { buildInfo } = await compileMetadata(['Coin', 'Vault']);
    const files = { 'build-info.json': buildInfo };
    const unnamed = await send(2006, { files });
    expect([unnamed.status, unnamed.body]).toEqual([
      400,
      expect.stringContaining('Coin.sol:Coin, Vault.sol:ICounter, Vault.sol:Vault'),
    ]);
    const { location } = await send(2006, { files, fields: { contractName: 'Vault' } });
    expect(await finish(location)).toContain('Verified: exact match');
  });

  it('nothing but that a similar contract is verified', async () => {
    const { location } = await send(2003, { fields: { way: 'similar' } });
    expect(await finish(location)).toContain('Verified: exact match');
  });

  it('other sources: the page says what differs', async () => {
    const other = standardInput('Coin', (source) => source.replace('pragma', '// <script>\npragma'));
    const { location } = await send(2004, {
      files: { 'input.json': JSON.stringify(other) },
      fields: { compilerVersion, contractName: 'Coin' },
    });
    const body = await finish(location);
    expect(body).toMatch(/Not verified<\/span>|bytecode/);
    expect(body).toMatch(/On chain there are \d+ bytes, compiled \d+/);
    const [, id] = /job=([0-9a-f-]{36})/.exec(location)!;
    expect((await fetch(`${url}/demo/contract/0.0.2005/source?job=${id}`)).status).toBe(404);
  });
});

it('immutables have their names, where the files declare more than the code has', async () => {
  const sources = {
    'Base.sol': `pragma solidity ^0.8.0;
enum Phase { Open, Closed }
abstract contract Base { address internal immutable owner; uint256 private immutable unread = 7; constructor(address o) { owner = o; } }`,
    'Main.sol': `pragma solidity ^0.8.0; import "./Base.sol";
contract Other { uint256 public immutable foreign = 3; bool public immutable also = true; }
contract Main is Base {
  Phase immutable phase; int128 public immutable limit;
  constructor(int128 l) Base(0x1111111111111111111111111111111111111111) { phase = Phase.Closed; limit = l; }
  function all() external view returns (address, Phase, int128) { return (owner, phase, limit); }
}`,
  };
  const contents = Object.entries(sources).map(([path, content]) => [path, { content }]);
  const input = { ...standardInput('Vault'), sources: Object.fromEntries(contents) };
  const [output] = await compileSolidity('0.8.37', [input]);
  const { bytecode } = output!.contracts['Main.sol']!.Main!.evm;
  const initcode = Buffer.from(`${bytecode.object}${'f'.repeat(62)}d6`, 'hex');
  const { code } = await (await createEvm()).deploy(initcode);
  await stack.addContract(2010, { runtime: code, initcode });
  const files = { 'input.json': JSON.stringify(input) };
  const { location } = await send(2010, { files, fields: { compilerVersion, contractName: 'Main.sol:Main' } });
  const page = await finish(location);
  expect(page).toContain('Verified: exact match');
  const [, list] = /<dt>Immutables<\/dt>\s*<dd><ul>(.*?)<\/ul>/s.exec(page)!;
  expect(
    list!
      .replace(/<[^>]*>/g, ' ')
      .trim()
      .split(/\s+/),
  ).toEqual(`owner address 0x${'1'.repeat(40)} phase Phase 1 limit int128 -42`.split(' '));
});

const json = JSON.stringify(standardInput('Vault'));

describe('what is refused', () => {
  it.each<[string, Sent, number, string]>([
    ['no file', {}, 400, 'no file was chosen'],
    ['an empty file', { files: { 'a.sol': '' } }, 400, 'no file was chosen'],
    ['sources alone', { files: { 'Vault.sol': sourceOf('Vault') } }, 400, 'do not say how they were compiled'],
    ...(
      [
        ['no name of the contract', {}, 'contractName:'],
        ['runs that are no number', { contractName: 'Vault', runs: '2e2' }, 'runs: must be a whole number'],
        ['an EVM version of markup', { contractName: 'Vault', evmVersion: '<b>' }, 'evmVersion: must be'],
        ['a contract that is not there', { contractName: 'a/b.sol:' }, 'contractName:'],
      ] as const
    ).map(([what, fields, sentence]): [string, Sent, number, string] => [
      `a flattened file with ${what}`,
      { files: { 'Vault.sol': sourceOf('Vault') }, fields: { compilerVersion, ...fields } },
      400,
      sentence,
    ]),
    [
      'a file in Vyper',
      { files: { 'a.vy': 'x: uint256' }, fields: { compilerVersion: '0.3.10+commit.91361694', contractName: 'a' } },
      503,
      'only Solidity and Yul can be compiled',
    ],
    ['no version', { files: { 'a.json': json }, fields: { contractName: 'Vault' } }, 400, 'compilerVersion:'],
    ['no name', { files: { 'a.json': json }, fields: { compilerVersion } }, 400, 'contractName:'],
    [
      'no version of a compiler',
      { files: { 'a.json': json }, fields: { contractName: 'Vault', compilerVersion: 'x' } },
      400,
      'x',
    ],
    ['an archive', { files: { 'a.zip': 'PK\u0003\u0004' } }, 400, 'ZIP archive'],
    ['a file name of markup', { files: { '<script>.zip': 'PK\u0003\u0004' } }, 400, '&#60;script&#62;'],
    ['too much', { files: { 'a.sol': 'x'.repeat(10_100_000) } }, 413, 'too large'],
    [
      'too many files',
      { files: Object.fromEntries(Array.from({ length: 1100 }, (_, n) => [`${n}.sol`, 'x'])) },
      413,
      '',
    ],
    ['deep JSON', { files: { 'a.json': `{"a":${'['.repeat(100_000)}` } }, 400, 'do not say how'],
  ])('%s', async (_what, sent, status, sentence) => {
    const answer = await send(2004, sent);
    expect([answer.status, answer.body]).toEqual([status, expect.stringContaining(sentence)]);
    expect(answer.body).toContain(status < 500 ? '<h1>Nothing was checked</h1>' : '<h1>This went wrong</h1>');
    expect(answer.body.match(/<script/g)).toEqual(['<script']);
  });

  it.each([
    ['application/json', '{}'],
    ['application/x-www-form-urlencoded', 'files=x'],
    ['text/plain', 'x'],
  ])('a body of the type %s', async (type, body) => {
    const target = `${url}/demo/contract/0.0.2004/source`;
    const { status } = await fetch(target, { method: 'POST', body, headers: { 'content-type': type } });
    expect(status).toBe(415);
  });

  it('a body that is packed, or has no right boundary', async () => {
    const target = `${url}/demo/contract/0.0.2004/source`;
    const type = 'multipart/form-data; boundary=x';
    const packed = { 'content-type': type, 'content-encoding': 'gzip' };
    expect((await fetch(target, { method: 'POST', body: 'x', headers: packed })).status).toBe(415);
    expect((await fetch(target, { method: 'POST', body: 'x', headers: { 'content-type': type } })).status).toBe(400);
  });

  it('a contract that is none', async () => {
    const answer = await send(999_999, {
      files: { 'a.json': json },
      fields: { compilerVersion, contractName: 'Vault' },
    });
    expect(answer.status).toBe(303);
    expect((await fetch(`${url}/demo/contract/0.0.999999/source`)).status).toBe(404);
  });
});

it('one client has no more checks than its share', async () => {
  const asked = Array.from({ length: 6 }, (_, place) =>
    send(2004, {
      files: { 'a.json': JSON.stringify(standardInput('Coin', (source) => `${source}\n// ${place}`)) },
      fields: { compilerVersion, contractName: 'Coin' },
    }),
  );
  const answers = await Promise.all(asked);
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThan(0);
  expect(refused[0]!.body).toContain('of your network address');
});
