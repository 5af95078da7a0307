// Sourcify's first API as its clients use it: the requests of hardhat-verify 2 and of forms, what they get, and every
// refusal.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeExplorer } from '../../packages/verification/registry/describe-explorer.ts';
import {
  compilerVersion,
  flatRecord,
  initcodeOf,
  runtimeCodeOf,
  sourceOf,
  standardInput,
} from '../support/contracts/sample-contracts.ts';
import { compileMetadata } from './metadata-of.ts';
import { json, notOk, record, type StubExplorer, startStubExplorer } from './stub-explorer.ts';
import { startVerificationStack, type VerificationStack } from './verification-stack.ts';

let explorer: StubExplorer;
let stack: VerificationStack;
let compiled: Awaited<ReturnType<typeof compileMetadata>>;
let num = 7000;

beforeAll(async () => {
  explorer = await startStubExplorer();
  stack = await startVerificationStack({
    explorers: [describeExplorer({ kind: 'etherscan', location: explorer.url, ratePerSecond: 1000 })],
  });
  compiled = await compileMetadata(['Coin', 'Vault']);
});
afterAll(async () => {
  await stack?.close();
  await explorer?.close();
});

const uint = '0'.repeat(64);
const coinCreation = () => Buffer.concat([initcodeOf('Coin'), Buffer.from(uint, 'hex')]);
const deployCoin = () => stack.addContract(num++, { runtime: runtimeCodeOf('Coin'), initcode: coinCreation() });
const coinFiles = (change = (source: string) => source) => ({
  'metadata.json': compiled.metadata.Coin,
  'somewhere/else/Coin.sol': change(sourceOf('Coin')),
});

function formOf(members: Record<string, string>, files: Record<string, string>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(members)) form.set(name, value);
  for (const [path, content] of Object.entries(files)) form.append('files', new Blob([content]), path);
  return form;
}

describe('metadata and sources', () => {
  it.each(['/', '/verify'])('as JSON to %s, then the same again from what is kept, and as a form', async (path) => {
    const address = await deployCoin();
    const body = { address, chain: '298', files: coinFiles() };
    const answer = await stack.post(path, body);
    expect(answer).toMatchObject({
      status: 200,
      body: {
        result: [
          {
            chainId: '298',
            status: 'perfect',
            contractName: 'Coin',
            libraryMap: {},
            abiEncodedConstructorArguments: `0x${uint}`,
          },
        ],
      },
    });
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    const again = await stack.post(path, { ...body, files: {} });
    expect(again.body.result[0]).toEqual({
      address: answer.body.result[0].address,
      chainId: '298',
      status: 'perfect',
      contractName: 'Coin',
      storageTimestamp: expect.stringMatching(/^\d{4}-.*Z$/),
      onchainRuntimeBytecode: `0x${runtimeCodeOf('Coin').toString('hex')}`,
    });
    const form = await stack.post(path, formOf({ address, chain: '298' }, coinFiles()));
    expect(form.body).toEqual(again.body);
  });

  it('a form is checked as JSON is', async () => {
    const address = await deployCoin();
    const answer = await stack.post('/verify', formOf({ address, chain: '298' }, coinFiles()));
    expect(answer).toMatchObject({ status: 200, body: { result: [{ status: 'perfect' }] } });
  });

  it('line ends that an editor changed are those of the metadata again', async () => {
    const address = await deployCoin();
    const files = coinFiles((source) => `${source.replaceAll('\n', '\r\n')}\r\n`);
    const answer = await stack.post('/verify', { address, chain: '298', files });
    expect(answer).toMatchObject({ status: 200, body: { result: [{ status: 'perfect' }] } });
  });

  it('of a build output one contract is chosen', async () => {
    const address = await stack.addContract(num++, { runtime: runtimeCodeOf('Vault') });
    const body = { address, chain: '298', files: { 'build.json': compiled.buildInfo } };
    const open = await stack.post('/verify', body);
    expect(open).toMatchObject({
      status: 400,
      body: {
        error: expect.stringMatching(
          /^Detected 3 contracts \(Coin, ICounter, Vault\), but can only verify 1 at a time/,
        ),
        contractsToChoose: [
          { name: 'Coin', path: 'Coin.sol' },
          { name: 'ICounter', path: 'Vault.sol' },
          { name: 'Vault', path: 'Vault.sol' },
        ],
      },
    });
    expect(await stack.post('/verify', { ...body, chosenContract: '7' })).toMatchObject({
      status: 404,
      body: { error: 'Chosen contract not found. Received chosenContract: 7' },
    });
    expect(await stack.post('/verify', { ...body, chosenContract: 2 })).toMatchObject({
      status: 200,
      body: { result: [{ status: 'perfect', contractName: 'Vault' }] },
    });
  });

  it('a second partial match is not stored; a perfect one replaces it', async () => {
    const address = await stack.addContract(num++, { runtime: runtimeCodeOf('Vault'), initcode: initcodeOf('Vault') });
    const changed = standardInput('Vault', (source) => `// changed\n${source}`);
    const partial = (input: object) =>
      stack.post('/verify/solc-json', {
        address,
        chain: '298',
        compilerVersion,
        contractName: 'Vault',
        files: { 'input.json': JSON.stringify(input) },
      });
    expect(await partial(changed)).toMatchObject({ status: 200, body: { result: [{ status: 'partial' }] } });
    expect(await partial(changed)).toMatchObject({
      status: 409,
      body: { error: expect.stringMatching(/is already partially verified/), customCode: 'already_verified' },
    });
    expect(await partial(standardInput('Vault'))).toMatchObject({
      status: 200,
      body: { result: [{ status: 'perfect' }] },
    });
  });
});

describe('refusals', () => {
  type Case = [name: string, path: string, body: () => unknown, status: number, message: string | RegExp];
  const at = (more: object = {}) => ({ address: `0x${'12'.repeat(20)}`, chain: '298', ...more });
  const solc = (more: object = {}) => at({ compilerVersion, contractName: 'Coin', ...more });
  const cases: Case[] = [
    ['no address', '/verify', () => ({}), 400, "request/body must have required property 'address'"],
    ['no chain', '/verify', () => ({ address: '0x' }), 400, "request/body must have required property 'chain'"],
    ['address a number', '/verify', () => ({ address: 1, chain: '298' }), 400, 'request/body/address must be string'],
    ['bad address', '/verify', () => at({ address: '0x12' }), 400, 'Invalid address: 0x12'],
    ['unknown chain', '/verify', () => at({ chain: '999' }), 400, 'Chain 999 not supported for verification!'],
    ['no files', '/verify', () => at(), 404, /^Couldn't extract files from the request/],
    [
      'no files in a form',
      '/verify',
      () => formOf({ ...at() } as Record<string, string>, {}),
      404,
      /^Couldn't extract/,
    ],
    ['files no object', '/verify', () => at({ files: [] }), 400, 'request/body/files must be object'],
    ['a file that is no text', '/verify', () => at({ files: { a: 1 } }), 400, 'request/body/files/a must be string'],
    [
      'no metadata',
      '/verify',
      () => at({ files: { 'a.sol': 'contract A {}' } }),
      400,
      /^No valid Solidity metadata file found in the provided 1 files/,
    ],
    [
      'missing source',
      '/verify',
      () => at({ files: { m: compiled.metadata.Coin, 'Coin.sol': 'contract Coin {}' } }),
      400,
      'Invalid or missing sources in Coin:\nMissing sources: Coin.sol\nInvalid sources: ',
    ],
    [
      'source in the metadata that is another',
      '/verify',
      () => at({ files: { m: withContent(compiled.metadata.Coin, 'contract Coin {}') } }),
      400,
      'Invalid or missing sources in Coin:\nMissing sources: \nInvalid sources: Coin.sol',
    ],
    [
      'two targets',
      '/verify',
      () => at({ files: { m: withTargets(compiled.metadata.Coin) } }),
      400,
      /^More than one compilationTarget in the metadata/,
    ],
    ['a ZIP archive', '/verify', () => at({ files: { 'a.zip': 'PK\u0003\u0004' } }), 400, /is a ZIP archive/],
    [
      'chosen contract no number',
      '/verify',
      () => at({ chosenContract: 'x', files: {} }),
      400,
      'chosenContract must be the index of a contract',
    ],
    [
      'a bad transaction',
      '/verify',
      () => at({ creatorTxHash: '0x1', files: {} }),
      400,
      'creatorTxHash must be 0x and 64 hex digits',
    ],
    [
      'nothing deployed',
      '/verify',
      () => at({ files: coinFiles() }),
      500,
      /^Chain #298 does not have a contract deployed at/,
    ],
    ['no compiler', '/verify/solc-json', () => at(), 400, "request/body must have required property 'compilerVersion'"],
    ['no name', '/verify/solc-json', () => at({ compilerVersion }), 400, /required property 'contractName'/],
    ['nothing', '/verify/solc-json', () => solc(), 400, 'There should be files in the <files> field'],
    [
      'two inputs',
      '/verify/solc-json',
      () => solc({ files: { a: '{}', b: '{}' } }),
      400,
      /^Only one Solidity JSON Input/,
    ],
    ['no JSON', '/verify/solc-json', () => solc({ files: { a: 'x' } }), 400, /^Couldn't parse JSON a\./],
    [
      'a name that is nowhere',
      '/verify/solc-json',
      () => solc({ contractName: 'Nobody', files: { a: JSON.stringify(standardInput('Coin')) } }),
      400,
      "Couldn't find contract Nobody in the provided Solidity JSON Input file.",
    ],
    [
      'a compiler that nobody has',
      '/verify/solc-json',
      () => solc({ compilerVersion: '0.8.99+commit.00000000', files: { a: JSON.stringify(standardInput('Coin')) } }),
      503,
      /0\.8\.99/,
    ],
    ['chain alone in JSON', '/verify/etherscan', () => ({ address: `0x${'12'.repeat(20)}` }), 400, /'chainId'/],
    [
      'chain without explorer',
      '/verify/etherscan',
      () => at({ chain: '296' }),
      400,
      /^Requested chain 296 is not supported for importing from/,
    ],
  ];

  it.each(cases)('%s', async (_name, path, body, status, message) => {
    const answer = await stack.post(path, body());
    expect(answer.status).toBe(status);
    expect(answer.body.message).toEqual(typeof message === 'string' ? message : expect.stringMatching(message));
    expect(answer.body.error).toBe(answer.body.message);
  });

  it('code that is another, and sources that do not compile', async () => {
    const address = await stack.addContract(num++, { runtime: runtimeCodeOf('Vault') });
    expect(await stack.post('/verify', { address, chain: '298', files: coinFiles() })).toMatchObject({
      status: 500,
      body: { error: expect.any(String), customCode: expect.stringMatching(/^(no_match|bytecode_length_mismatch)$/) },
    });
    const broken = JSON.stringify(standardInput('Coin', () => 'contract Coin {'));
    expect(await stack.post('/verify/solc-json', { ...solc(), address, files: { a: broken } })).toMatchObject({
      status: 500,
      body: { error: expect.stringMatching(/Error/), customCode: 'compiler_error' },
    });
  });
});

function withContent(metadata: string, content: string): string {
  const parsed = JSON.parse(metadata);
  parsed.sources['Coin.sol'].content = content;
  return JSON.stringify(parsed);
}

function withTargets(metadata: string): string {
  const parsed = JSON.parse(metadata);
  parsed.settings.compilationTarget['Other.sol'] = 'Other';
  return JSON.stringify(parsed);
}

describe('records of explorers', () => {
  it('a match, and the errors of Sourcify for everything else', async () => {
    await stack.query('delete from verified_contract');
    const address = await deployCoin();
    const ask = () => stack.post('/verify/etherscan', { address, chainId: '298' });
    expect(await ask()).toMatchObject({
      status: 404,
      body: { error: expect.stringMatching(/^This contract is not verified on/) },
    });
    const wrong = await stack.addContract(num++, { runtime: runtimeCodeOf('Vault') });
    explorer.answer(wrong, json(record(flatRecord('Coin'))));
    expect(await stack.post('/verify/etherscan', { address: wrong, chainId: '298' })).toMatchObject({ status: 500 });
    const third = await deployCoin();
    explorer.answer(third, json(record(flatRecord('Coin'))));
    expect(await stack.post('/verify/etherscan', { address: third, chainId: '298' })).toMatchObject({
      status: 200,
      body: { result: [{ status: 'perfect' }] },
    });
    await stack.query('delete from verified_contract');
    const other = await deployCoin();
    explorer.answer(other, json(notOk('Max rate limit reached')));
    expect(await stack.post('/verify/etherscan', { address: other, chainId: '298' })).toMatchObject({ status: 429 });
  });
});

describe('what is verified', () => {
  let perfect: string;
  let partial: string;
  let checksummed: { perfect: string; partial: string };

  beforeAll(async () => {
    await stack.query('delete from verified_contract');
    perfect = await deployCoin();
    partial = await stack.addContract(num++, { runtime: runtimeCodeOf('Vault') });
    const one = await stack.post('/verify', { address: perfect, chain: '298', files: coinFiles() });
    const changed = standardInput('Vault', (source) => `// changed\n${source}`);
    const sources = { '../../../etc/passwd': { content: changed.sources['Vault.sol']!.content } };
    const two = await stack.post('/verify/solc-json', {
      address: partial,
      chain: '298',
      compilerVersion,
      contractName: 'Vault',
      files: { a: JSON.stringify({ ...changed, sources }) },
    });
    expect([one.status, two.status]).toEqual([200, 200]);
    checksummed = { perfect: one.body.result[0].address, partial: two.body.result[0].address };
  });

  const nothing = `0x${'34'.repeat(20)}`;

  it('addresses on chains: only perfect ones, or all', async () => {
    const query = `addresses=${perfect},${partial},${nothing}&chainIds=296,298`;
    expect((await stack.get(`/check-by-addresses?${query}`)).body).toEqual([
      { address: checksummed.perfect, status: 'perfect', chainIds: expect.arrayContaining(['298']) },
      { address: checksummed.partial, status: 'false' },
      { address: nothing, status: 'false' },
    ]);
    const all = await stack.get(`/check-all-by-addresses?${query.replace('296,', '')}&resolveProxies=true`);
    const noProxy = { isProxy: false, proxyType: null, implementations: [] };
    expect(all.body).toEqual([
      { address: checksummed.perfect, chainIds: [{ chainId: '298', status: 'perfect', ...noProxy }] },
      { address: checksummed.partial, chainIds: [{ chainId: '298', status: 'partial', ...noProxy }] },
      { address: nothing, status: 'false' },
    ]);
    expect((await stack.get(`/checkAllByAddresses?addresses=${partial}&chainIds=298`)).body).toEqual([
      { address: checksummed.partial, chainIds: [{ chainId: '298', status: 'partial' }] },
    ]);
  });

  it.each([
    ['', "request/query must have required property 'addresses'"],
    ['addresses=0x12&chainIds=298', 'Invalid addresses: 0x12'],
    [`addresses=${nothing}`, "request/query must have required property 'chainIds'"],
    [`addresses=${nothing}&chainIds=298,7,0x1`, 'Invalid chainIds: 7, 0x1'],
    [`addresses=${manyAddresses(201)}&chainIds=298`, 'addresses and chainIds may have at most 200 combinations'],
  ])('a bad question: %#', async (query, message) => {
    for (const path of ['/check-by-addresses', '/check-all-by-addresses']) {
      expect(await stack.get(`${path}?${query}`)).toMatchObject({ status: 400, body: { error: message, message } });
    }
  });

  it('files with content, as trees, and each by itself', async () => {
    const any = await stack.get(`/files/any/298/${perfect}`);
    const folder = `contracts/full_match/298/${checksummed.perfect}`;
    expect(any.body).toEqual({
      status: 'full',
      files: [
        { name: 'Coin.sol', path: `${folder}/sources/Coin.sol`, content: sourceOf('Coin') },
        { name: 'metadata.json', path: `${folder}/metadata.json`, content: compiled.metadata.Coin },
        { name: 'constructor-args.txt', path: `${folder}/constructor-args.txt`, content: `0x${uint}` },
      ],
    });
    expect((await stack.get(`/files/298/${perfect}`)).body).toEqual(any.body.files);
    const tree = await stack.get(`/files/tree/any/298/${perfect}`);
    const urls = any.body.files.map(({ path }: { path: string }) => `${stack.url}/repository/${path}`);
    expect(tree.body).toEqual({ status: 'full', files: urls });
    expect((await stack.get(`/files/tree/298/${perfect}`)).body).toEqual(urls);
    const contents = await Promise.all(urls.map(async (url: string) => (await fetch(url)).text()));
    expect(contents).toEqual(any.body.files.map(({ content }: { content: string }) => content));
    const source = await fetch(urls[0]);
    expect(source.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(source.headers.get('x-content-type-options')).toBe('nosniff');
    expect(source.headers.get('content-security-policy')).toMatch(/default-src 'none'; sandbox/);
  });

  it('names that lead elsewhere stay in their folder, and are found by the address that is shown', async () => {
    const { body } = await stack.get(`/files/any/298/${partial}`);
    expect(body.status).toBe('partial');
    const paths = body.files.map(({ path }: { path: string }) => path);
    expect(paths[0]).toBe(`contracts/partial_match/298/${checksummed.partial}/sources/%2E%2E/%2E%2E/%2E%2E/etc/passwd`);
    const { body: tree } = await stack.get(`/files/tree/any/298/${partial}`);
    expect(await (await fetch(tree.files[0])).text()).toMatch(/^\/\/ changed/);
    const raw = await fetch(
      `${stack.url}/repository/contracts/partial_match/298/${partial}/sources/../../../etc/passwd`,
    );
    expect(raw.status).toBeGreaterThanOrEqual(400);
  });

  it.each([
    () => `/files/298/${partial}`,
    () => `/files/tree/298/${partial}`,
    () => `/files/any/298/${nothing}`,
    () => `/files/tree/any/298/${nothing}`,
    () => `/repository/contracts/partial_match/298/${perfect}/metadata.json`,
    () => `/repository/contracts/full_match/298/${perfect}/sources/No.sol`,
    () => `/repository/contracts/full_match/298/${perfect}/..%2f..%2fmetadata.json`,
    () => `/repository/contracts/full_match/298/${nothing}/metadata.json`,
  ])('nothing there: %#', async (path) => {
    expect(await stack.get(path())).toMatchObject({ status: 404, body: { error: 'Files have not been found!' } });
  });

  it.each([
    [() => `/files/any/7/${perfect}`, /^Chain 7 not supported/],
    [() => '/files/any/298/0x12', /^Invalid address: 0x12/],
    [() => `/repository/contracts/any/298/${perfect}/metadata.json`, /full_match or partial_match/],
    [() => '/files/contracts/any/298?limit=201', /^limit must be a whole number from 1 to 200/],
    [() => '/files/contracts/any/298?page=-1', /^page must be/],
    [() => '/files/contracts/any/298?page=1000000000', /may skip at most/],
    [() => '/files/contracts/any/298?order=up', /^order must be/],
    [() => '/files/contracts/7', /^Chain 7/],
  ])('bad: %#', async (path, message) => {
    expect(await stack.get(path())).toMatchObject({ status: 400, body: { error: expect.stringMatching(message) } });
  });

  it('the contracts of a chain, all and by pages', async () => {
    expect((await stack.get('/files/contracts/298')).body).toEqual({
      full: [checksummed.perfect],
      partial: [checksummed.partial],
    });
    expect(await stack.get('/files/contracts/296')).toMatchObject({
      status: 404,
      body: { error: 'Contracts have not been found!' },
    });
    const pagination = {
      currentPage: 0,
      resultsPerPage: 1,
      resultsCurrentPage: 1,
      totalResults: 2,
      totalPages: 2,
      hasNextPage: true,
      hasPreviousPage: false,
    };
    const page = async (query: string) => (await stack.get(`/files/contracts/${query}`)).body;
    expect(await page('any/298?limit=1')).toEqual({ pagination, results: [checksummed.perfect] });
    expect(await page('any/298?limit=1&page=1')).toEqual({
      pagination: { ...pagination, currentPage: 1, hasNextPage: false, hasPreviousPage: true },
      results: [checksummed.partial],
    });
    expect((await page('any/298?order=desc')).results).toEqual([checksummed.partial, checksummed.perfect]);
    expect((await page('full/298')).results).toEqual([checksummed.perfect]);
    expect((await page('partial/298')).results).toEqual([checksummed.partial]);
  });

  it('the page that tools print leads to the page of the contract', async () => {
    const response = await fetch(`${stack.url}/repo-ui/298/${perfect}`, { redirect: 'manual' });
    expect([response.status, response.headers.get('location')]).toEqual([302, `/demo/contract/${checksummed.perfect}`]);
  });
});

function manyAddresses(count: number): string {
  return Array.from({ length: count }, (_, i) => `0x${i.toString(16).padStart(40, '0')}`).join(',');
}
