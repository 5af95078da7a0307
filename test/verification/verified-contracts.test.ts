// Lookups and jobs in Sourcify's shape, as Foundry, Hardhat and explorers use them.
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { waitMs } from '../../packages/test-support/timeouts.ts';
import { describeExplorer } from '../../packages/verification/registry/describe-explorer.ts';
import { compileSolidity } from '../support/contracts/compile-solidity.ts';
import {
  compilerVersion,
  flatRecord,
  initcodeOf,
  runtimeCodeOf,
  sourceOf,
  standardInput,
} from '../support/contracts/sample-contracts.ts';
import { json, record, type StubExplorer, startStubExplorer } from './stub-explorer.ts';
import { startVerificationStack, type VerificationStack } from './verification-stack.ts';

let explorer: StubExplorer;
let stack: VerificationStack;
let coin: string;
let vault: string;

beforeAll(async () => {
  explorer = await startStubExplorer();
  stack = await startVerificationStack({
    explorers: [describeExplorer({ kind: 'blockscout', location: explorer.url, ratePerSecond: 1000 })],
  });
  const coinCreation = Buffer.concat([initcodeOf('Coin'), Buffer.alloc(32, 1)]);
  coin = await stack.addContract(6001, { runtime: runtimeCodeOf('Coin'), initcode: coinCreation });
  vault = await stack.addContract(6002, { runtime: runtimeCodeOf('Vault') });
});
afterAll(async () => {
  await stack?.close();
  await explorer?.close();
});

const request = (name: 'Coin' | 'Vault', change?: (source: string) => string) => ({
  stdJsonInput: standardInput(name, change),
  compilerVersion: compilerVersion.slice(1),
  contractIdentifier: `${name}.sol:${name}`,
});

async function finished(verificationId: string) {
  const completed = async () => {
    const { status, body } = await stack.get(`/v2/verify/${verificationId}`);
    if (status !== 200) throw new Error(`${status}`);
    return body.isJobCompleted && body;
  };
  return vi.waitUntil(completed, { timeout: waitMs, interval: 50 });
}

it('sources are handed in, checked in the background, and can be looked up from then on', async () => {
  expect(await stack.get(`/v2/contract/298/${coin}`)).toMatchObject({
    status: 404,
    body: { match: null, creationMatch: null, runtimeMatch: null, chainId: '298' },
  });
  const [one, two] = await Promise.all([1, 2].map(() => stack.post(`/v2/verify/298/${coin}`, request('Coin'))));
  // One check of a contract at a time, for each client.
  const started = [one!, two!].find(({ status }) => status === 202)!;
  expect([one!, two!].find((answer) => answer !== started)).toMatchObject({
    status: 429,
    body: {
      customCode: 'duplicate_verification_request',
      message: expect.stringMatching(/is already being verified$/),
    },
  });
  const job = await finished(started.body.verificationId);
  expect(job).toEqual({
    isJobCompleted: true,
    verificationId: started.body.verificationId,
    jobStartTime: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
    jobFinishTime: expect.any(String),
    compilationTime: expect.stringMatching(/^\d+$/),
    contract: {
      match: 'exact_match',
      creationMatch: 'exact_match',
      runtimeMatch: 'exact_match',
      chainId: '298',
      address: expect.stringMatching(new RegExp(coin, 'i')),
      verifiedAt: expect.any(String),
      matchId: expect.stringMatching(/^\d+$/),
    },
  });
  const short = await stack.get(`/v2/contract/298/${coin}`);
  expect(short).toMatchObject({ status: 200, body: job.contract });
  expect(Object.keys(short.body)).toHaveLength(7);
  expect((await stack.get(`/v2/contract/all-chains/${coin}`)).body).toEqual({ results: [short.body] });

  // Tools take this for "done already".
  expect(await stack.post(`/v2/verify/298/${coin}`, request('Coin'))).toMatchObject({
    status: 409,
    body: { customCode: 'already_verified' },
  });
  // And the operation knows it too, without any explorer.
  const answer = await stack.check({ address: coin, chainId: '298' });
  expect(answer).toMatchObject({ status: 200, body: { result: [{ status: 'perfect', contractName: 'Coin' }] } });
  expect(explorer.asked).toHaveLength(0);
});

it('a request that is sent again after a while takes part in the check that it has started; another one does not', async () => {
  // A process of its own takes longer to start than these requests.
  const patient = await startVerificationStack({ explorers: [], askedAgainMs: 0, inProcesses: true });
  try {
    const address = await patient.addContract(6001, { runtime: runtimeCodeOf('Coin') });
    const post = (body: object) => patient.post(`/v2/verify/298/${address}`, body);
    const first = await post(request('Coin'));
    expect(await post(request('Coin'))).toMatchObject({ status: 202, body: first.body });
    expect((await post(request('Coin', (source) => `${source}\n`))).status).toBe(429);
  } finally {
    await patient.close();
  }
});

it('every member of a verified contract can be chosen or left out', async () => {
  const all = (await stack.get(`/v2/contract/298/${coin}?fields=all`)).body;
  expect(Object.keys(all)).toEqual([
    'match',
    'creationMatch',
    'runtimeMatch',
    'chainId',
    'address',
    'verifiedAt',
    'matchId',
    'creationBytecode',
    'runtimeBytecode',
    'deployment',
    'sources',
    'compilation',
    'abi',
    'metadata',
    'storageLayout',
    'transientStorageLayout',
    'userdoc',
    'devdoc',
    'sourceIds',
    'signatures',
    'stdJsonInput',
    'stdJsonOutput',
    'proxyResolution',
  ]);
  expect(all.sources).toEqual({ 'Coin.sol': { content: sourceOf('Coin') } });
  expect(all.compilation).toEqual({
    language: 'Solidity',
    compiler: 'solc',
    compilerVersion: '0.8.37+commit.f401782d',
    compilerSettings: expect.objectContaining({ evmVersion: 'cancun' }),
    name: 'Coin',
    fullyQualifiedName: 'Coin.sol:Coin',
  });
  expect(all.runtimeBytecode).toMatchObject({
    onchainBytecode: `0x${runtimeCodeOf('Coin').toString('hex')}`,
    recompiledBytecode: `0x${runtimeCodeOf('Coin').toString('hex')}`,
    transformations: [],
    immutableReferences: {},
  });
  expect(all.creationBytecode.transformationValues).toEqual({ constructorArguments: `0x${'01'.repeat(32)}` });
  expect(all.metadata.compiler.version).toBe('0.8.37+commit.f401782d');
  expect(all.signatures.function).toContainEqual({
    signature: 'transfer(address,uint256)',
    signatureHash32: '0xa9059cbb2ab09eb219583f4a59a5d0623ade346d962bcd4e46b11da047c9049b',
    signatureHash4: '0xa9059cbb',
  });
  expect(all.stdJsonOutput.contracts['Coin.sol'].Coin.evm.deployedBytecode.object).toBe(
    runtimeCodeOf('Coin').toString('hex'),
  );
  expect(all.proxyResolution).toEqual({ isProxy: false, proxyType: null, implementations: [] });

  const some = (await stack.get(`/v2/contract/298/${coin}?fields=abi,runtimeBytecode.onchainBytecode`)).body;
  expect(some.abi).toEqual(all.abi);
  expect(some.runtimeBytecode).toEqual({ onchainBytecode: all.runtimeBytecode.onchainBytecode });
  expect(some).not.toHaveProperty('sources');
  const rest = (await stack.get(`/v2/contract/298/${coin}?omit=sources,stdJsonOutput,compilation.name`)).body;
  expect(rest.compilation).not.toHaveProperty('name');
  expect(rest.compilation).toHaveProperty('language');
  expect(Object.keys(all).filter((name) => !(name in rest))).toEqual(['sources', 'stdJsonOutput']);
});

it.each([
  ['/v2/contract/298/COIN?fields=abi&omit=abi', 400, 'invalid_parameter'],
  ['/v2/contract/298/COIN?fields=nothing', 400, 'invalid_parameter'],
  ['/v2/contract/298/COIN?fields=abi.name', 400, 'invalid_parameter'],
  ['/v2/contract/298/COIN?fields=runtimeBytecode.cborAuxdata.1', 400, 'invalid_parameter'],
  ['/v2/contract/298/COIN?omit=a.b.c', 400, 'invalid_parameter'],
  ['/v2/contract/298/COIN?fields=__proto__', 400, 'invalid_parameter'],
  ['/v2/contract/298/0x12', 400, 'invalid_parameter'],
  ['/v2/contract/5/COIN', 400, 'unsupported_chain'],
  ['/v2/contract/all-chains/0x12', 400, 'invalid_parameter'],
  ['/v2/contracts/5', 400, 'unsupported_chain'],
  ['/v2/contracts/298?limit=0', 400, 'invalid_parameter'],
  ['/v2/contracts/298?limit=201', 400, 'invalid_parameter'],
  ['/v2/contracts/298?sort=up', 400, 'invalid_parameter'],
  ['/v2/contracts/298?afterMatchId=x', 400, 'invalid_parameter'],
  ['/v2/verify/not-a-uuid', 400, 'invalid_parameter'],
  ['/v2/verify/4f1c7b1e-0000-4000-8000-000000000000', 404, 'job_not_found'],
])('%s is refused with %d', async (path, status, customCode) => {
  expect(await stack.get(path.replace('COIN', coin))).toMatchObject({
    status,
    body: { customCode, message: expect.any(String), errorId: expect.any(String) },
  });
});

it.each<[string, (good: ReturnType<typeof request>) => unknown, string]>([
  ['no sources', ({ stdJsonInput: _, ...rest }) => rest, 'invalid_parameter'],
  ['no compiler', ({ compilerVersion: _, ...rest }) => rest, 'invalid_parameter'],
  ['no contract', ({ contractIdentifier: _, ...rest }) => rest, 'invalid_parameter'],
  ['a contract without path', (good) => ({ ...good, contractIdentifier: 'Coin' }), 'invalid_parameter'],
  [
    'sources as a list',
    (good) => ({ ...good, stdJsonInput: { ...good.stdJsonInput, sources: [] } }),
    'invalid_parameter',
  ],
  [
    'settings as text',
    (good) => ({ ...good, stdJsonInput: { ...good.stdJsonInput, settings: '' } }),
    'invalid_parameter',
  ],
  [
    'a foreign language',
    (good) => ({ ...good, stdJsonInput: { ...good.stdJsonInput, language: 'Fe' } }),
    'unsupported_language',
  ],
  [
    'a source by its address alone',
    (good) => ({ ...good, stdJsonInput: { ...good.stdJsonInput, sources: { 'a/b.sol': { urls: ['ipfs://x'] } } } }),
    'invalid_parameter',
  ],
  [
    'a source that is no text',
    (good) => ({ ...good, stdJsonInput: { ...good.stdJsonInput, sources: { 'a.sol': { content: 5 } } } }),
    'invalid_parameter',
  ],
  [
    'a source that is nothing',
    (good) => ({ ...good, stdJsonInput: { ...good.stdJsonInput, sources: { 'a.sol': null } } }),
    'invalid_parameter',
  ],
  [
    'sources that are none',
    (good) => ({ ...good, stdJsonInput: { ...good.stdJsonInput, sources: {} } }),
    'invalid_sources',
  ],
  ['a bad hash', (good) => ({ ...good, creationTransactionHash: '0x12' }), 'invalid_parameter'],
])('%s is refused at once', async (_case, change, customCode) => {
  expect(await stack.post(`/v2/verify/298/${vault}`, change(request('Vault')))).toMatchObject({
    status: 400,
    body: { customCode },
  });
});

it('a job says why not', async () => {
  const other = { ...request('Coin', (source) => source.replace('= 6', '= 7')) };
  const { body } = await stack.post(`/v2/verify/298/${vault}`, other);
  const job = await finished(body.verificationId);
  expect(job).toMatchObject({
    isJobCompleted: true,
    error: {
      customCode: expect.stringMatching(/no_match|bytecode_length_mismatch/),
      message: expect.any(String),
      onchainRuntimeCode: `0x${runtimeCodeOf('Vault').toString('hex')}`,
      recompiledRuntimeCode: expect.stringMatching(/^0x6080/),
    },
    contract: { match: null, creationMatch: null, runtimeMatch: null },
  });
  const nowhere = `0x${'ab'.repeat(20)}`;
  const missing = await stack.post(`/v2/verify/298/${nowhere}`, request('Coin'));
  expect((await finished(missing.body.verificationId)).error.customCode).toBe('contract_not_deployed');
  const elsewhere = { ...request('Coin'), contractIdentifier: 'contracts/Coin.sol:Coin' };
  const misnamed = await stack.post(`/v2/verify/298/${vault}`, elsewhere);
  expect((await finished(misnamed.body.verificationId)).error).toMatchObject({
    customCode: 'contract_not_found_in_compiler_output',
    message: expect.stringContaining('compiled: Coin.sol:Coin'),
  });
  const broken = { ...request('Coin', () => 'contract Coin {') };
  const failed = await stack.post(`/v2/verify/298/${vault}`, broken);
  expect((await finished(failed.body.verificationId)).error).toMatchObject({
    customCode: 'compiler_error',
    errorData: { compilerErrors: [expect.objectContaining({ severity: 'error', component: 'general' })] },
  });
});

it('an explorer record as a job, and the list of a chain page by page', async () => {
  expect(await stack.post(`/v2/verify/etherscan/298/${vault}`, {})).toMatchObject({
    status: 404,
    body: { customCode: 'not_etherscan_verified' },
  });
  const other = await stack.addContract(6003, { runtime: runtimeCodeOf('Vault') });
  explorer.answer(
    other,
    json(record({ ...flatRecord('Vault'), OptimizationUsed: 'true', Runs: undefined, OptimizationRuns: 200 })),
  );
  const response = await fetch(`${stack.url}/v2/verify/etherscan/298/${other}`, { method: 'POST' });
  expect(response.status).toBe(202);
  const { verificationId } = (await response.json()) as { verificationId: string };
  expect(await finished(verificationId)).toMatchObject({
    contract: { runtimeMatch: 'exact_match', creationMatch: null },
  });

  const all = (await stack.get('/v2/contracts/298')).body.results;
  expect(all.map((contract: { address: string }) => contract.address.toLowerCase())).toEqual([other, coin]);
  const ascending = (await stack.get('/v2/contracts/298?sort=asc&limit=1')).body.results;
  expect(ascending).toEqual([all[1]]);
  const next = (await stack.get(`/v2/contracts/298?sort=asc&limit=1&afterMatchId=${all[1].matchId}`)).body.results;
  expect(next).toEqual([all[0]]);
  expect((await stack.get('/v2/contracts/296')).body).toEqual({ results: [] });
});

it('what was handed in counts for the operation too where no explorer has a record', async () => {
  const address = await stack.addContract(6005, { runtime: runtimeCodeOf('Vault') });
  await stack.query('delete from verified_contract');
  const { body } = await stack.post(`/v2/verify/298/${address}`, request('Vault'));
  await finished(body.verificationId);
  const answer = await stack.check({ address, chainId: '298' });
  expect(answer).toMatchObject({ status: 200, body: { result: [{ status: 'perfect' }] } });
  expect(answer.body.result[0].message).toBe(
    'Blockscout had no record of this contract. It was verified here from other sources (runtime: perfect, creation: no match).',
  );
});

it('a side that did not match has nothing filled in, and an address that was never verified is on no chain', async () => {
  const address = await stack.addContract(6006, { runtime: runtimeCodeOf('Vault') });
  expect(await stack.get(`/v2/contract/all-chains/${address}`)).toMatchObject({ status: 404, body: { results: [] } });
  await finished((await stack.post(`/v2/verify/298/${address}`, request('Vault'))).body.verificationId);
  expect((await stack.get(`/v2/contract/298/${address}?fields=creationBytecode,runtimeBytecode`)).body).toMatchObject({
    creationMatch: null,
    creationBytecode: { transformations: null, transformationValues: null, onchainBytecode: null },
    runtimeMatch: 'exact_match',
    runtimeBytecode: { transformations: [], transformationValues: {} },
  });
  // In a database that was written before, too.
  await stack.query(`update verified_contract set creation_transformations = '[]', creation_values = '{}'`);
  const { creationBytecode } = (await stack.get(`/v2/contract/298/${address}?fields=creationBytecode`)).body;
  expect(creationBytecode.transformations).toBeNull();
});

it('names of sources may have line feeds, quotes and colons; transient storage has a layout', async () => {
  const path = 'a "strange"\n\tname:ünd/../😀.sol';
  const source =
    'pragma solidity ^0.8.28; contract T { uint transient private t; uint s; function f() external { t = s; } }';
  const settings = { evmVersion: 'cancun' };
  const stdJsonInput = { language: 'Solidity', sources: { [path]: { content: source } }, settings };
  const [output] = await compileSolidity('0.8.37', [stdJsonInput]);
  const { object } = output!.contracts[path]!.T!.evm.deployedBytecode;
  const address = await stack.addContract(6007, { runtime: Buffer.from(object, 'hex') });
  const claim = { stdJsonInput, compilerVersion: compilerVersion.slice(1), contractIdentifier: `${path}:T` };
  const job = await finished((await stack.post(`/v2/verify/298/${address}`, claim)).body.verificationId);
  expect(job.contract).toMatchObject({ runtimeMatch: 'exact_match' });
  const { body } = await stack.get(`/v2/contract/298/${address}?fields=all`);
  expect(body.sources).toEqual({ [path]: { content: source } });
  expect(body.sourceIds).toEqual({ [path]: { id: 0 } });
  expect(body.transientStorageLayout.storage).toMatchObject([{ label: 't', slot: '0' }]);
  expect(body.stdJsonOutput.contracts[path].T.transientStorageLayout).toEqual(body.transientStorageLayout);
  const chosen = await stack.get(`/v2/contract/298/${address}?fields=transientStorageLayout`);
  expect(chosen.body.transientStorageLayout).toEqual(body.transientStorageLayout);
});

it('Yul has empty references to libraries, none to immutables, and no numbers of sources', async () => {
  const stdJsonInput = {
    language: 'Yul',
    sources: {
      'a.yul': {
        content:
          'object "A" { code { datacopy(0, dataoffset("r"), datasize("r")) return(0, datasize("r")) } object "r" { code { mstore(0, 42) return(0, 32) } } }',
      },
    },
    settings: { evmVersion: 'paris' },
  };
  const address = await stack.addContract(6008, { runtime: Buffer.from('602a60005260206000f3', 'hex') });
  const claim = { stdJsonInput, compilerVersion: compilerVersion.slice(1), contractIdentifier: 'a.yul:A' };
  const job = await finished((await stack.post(`/v2/verify/298/${address}`, claim)).body.verificationId);
  expect(job.contract).toMatchObject({ runtimeMatch: 'match' });
  expect((await stack.get(`/v2/contract/298/${address}?fields=all`)).body).toMatchObject({
    creationBytecode: { linkReferences: {} },
    runtimeBytecode: { linkReferences: {}, immutableReferences: null },
    sourceIds: null,
    stdJsonOutput: { sources: null },
  });
});

it('no body at all', async () => {
  const response = await fetch(`${stack.url}/v2/verify/298/${vault}`, { method: 'POST' });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({
    customCode: 'invalid_parameter',
    message: 'request/body must be object',
  });
});

it('a job whose process died is reported as failed', async () => {
  const id = '4f1c7b1e-1111-4000-8000-000000000000';
  await stack.query(`insert into verification_job (id, chain_id, address, started_at)
    values ('${id}', 298, '\\x${'01'.repeat(20)}', now() - interval '1 hour')`);
  expect(await finished(id)).toMatchObject({
    error: { customCode: 'internal_error', message: expect.stringContaining('interrupted') },
  });
});

it('a worse match does not push out a better one', async () => {
  const worse = await stack.addContract(6004, { runtime: runtimeCodeOf('Coin') });
  const jobs: string[] = [];
  for (const change of [
    (source: string) => source,
    (source: string) => source.replace('A small token', 'A little token'),
  ]) {
    const { body } = await stack.post(`/v2/verify/298/${worse}`, request('Coin', change));
    jobs.push(body.verificationId);
    await finished(body.verificationId);
  }
  expect((await stack.get(`/v2/contract/298/${worse}`)).body.match).toBe('exact_match');
  // The job has its own match, and not the id of the other one.
  const { contract } = await finished(jobs[1]!);
  expect(contract).toMatchObject({ match: 'match', runtimeMatch: 'match' });
  expect(contract).not.toHaveProperty('matchId');
  expect((await finished(jobs[0]!)).contract).toHaveProperty('matchId');
  // Nor does it leave anything behind.
  const kept = await stack.query(`select from verification_source where convert_from(content, 'UTF8') like '%little%'`);
  expect(kept).toHaveLength(0);
});
