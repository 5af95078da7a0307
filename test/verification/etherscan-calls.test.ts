// Etherscan's API as its clients call it: each request has the form in which the tool sends it (Foundry's
// block-explorers, hardhat-verify for Hardhat 2 and 3, Remix), and the answers are judged as these tools judge them.
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { waitMs } from '../../packages/test-support/timeouts.ts';
import { readEtherscanAnswer } from '../../packages/verification/explorers/etherscan-answer.ts';
import { describeExplorer } from '../../packages/verification/registry/describe-explorer.ts';
import {
  compilerVersion,
  initcodeOf,
  runtimeCodeOf,
  sourceOf,
  standardInput,
} from '../support/contracts/sample-contracts.ts';
import { startVerificationStack, type VerificationStack } from './verification-stack.ts';

let stack: VerificationStack;
const argumentsOfCoin = '01'.repeat(32);
const coinCreation = Buffer.concat([initcodeOf('Coin'), Buffer.from(argumentsOfCoin, 'hex')]);

beforeAll(async () => {
  stack = await startVerificationStack({ explorers: [] });
});
afterAll(() => stack?.close());

let number = 7000;
const addCoin = () => stack.addContract(++number, { runtime: runtimeCodeOf('Coin'), initcode: coinCreation });
const addVault = () => stack.addContract(++number, { runtime: runtimeCodeOf('Vault') });

type Members = Record<string, string>;
// biome-ignore lint/suspicious/noExplicitAny: what an answer holds is what the tests say
type Answer = { http: number; status: string; message: string; result: any };

async function ask(path: string, init?: RequestInit): Promise<Answer> {
  const response = await fetch(`${stack.url}${path}`, init);
  return { http: response.status, ...((await response.json()) as Omit<Answer, 'http'>) };
}

const get = (members: Members, path = '/api') => ask(`${path}?${new URLSearchParams(members)}`);
const postForm = (members: Members, query: Members = {}, path = '/api') =>
  ask(`${path}?${new URLSearchParams(query)}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(members).toString(),
  });
const postParts = (members: Members, query: Members) => {
  const form = new FormData();
  for (const [name, value] of Object.entries(members)) form.append(name, value);
  return ask(`/api?${new URLSearchParams(query)}`, { method: 'POST', body: form });
};
const postJson = (body: unknown, query: Members = {}) =>
  ask(`/api?${new URLSearchParams(query)}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

const call = (action: string, more: Members = {}): Members => ({ module: 'contract', action, ...more });

async function settled(guid: string, poll: (guid: string) => Promise<Answer>): Promise<Answer> {
  const done = async () => {
    const answer = await poll(guid);
    return answer.result !== 'Pending in queue' && answer;
  };
  return vi.waitUntil(done, { timeout: waitMs, interval: 50 });
}

const poll = (guid: string) => get(call('checkverifystatus', { guid, chainid: '298', apikey: 'any' }), '/v2/api');

const submission = (address: string, name: 'Coin' | 'Vault', change?: (source: string) => string): Members => ({
  contractaddress: address,
  sourceCode: JSON.stringify(standardInput(name, change)),
  codeformat: 'solidity-standard-json-input',
  contractname: `${name}.sol:${name}`,
  compilerversion: compilerVersion,
  constructorArguements: name === 'Coin' ? argumentsOfCoin : '',
});

it('Foundry: asks for the ABI, submits a form with everything in it, and polls by POST', async () => {
  const address = await addCoin();
  const before = await get({ ...call('getabi', { address }), apikey: 'any' });
  // Only this sentence means "go on" to it.
  expect(before).toEqual({
    http: 200,
    status: '0',
    message: 'NOTOK',
    result: 'Contract source code not verified',
  });
  const submitted = await postForm({
    apikey: 'any',
    ...call('verifysourcecode'),
    ...submission(address, 'Coin'),
    constructorArguments: argumentsOfCoin,
    licenseType: '3',
  });
  expect(submitted).toMatchObject({ http: 200, status: '1', message: 'OK' });
  expect(submitted.result).toMatch(/^[0-9a-f-]{36}$/);
  const answer = await settled(submitted.result, (guid) =>
    postForm({ apikey: 'any', ...call('checkverifystatus', { guid }) }),
  );
  expect(answer).toEqual({ http: 200, status: '1', message: 'OK', result: 'Pass - Verified' });
  const abi = await get(call('getabi', { address }));
  expect(JSON.parse(abi.result)).toContainEqual(expect.objectContaining({ type: 'function', name: 'transfer' }));
  // The id is that of the job, whoever asks.
  expect((await stack.get(`/v2/verify/${submitted.result}`)).body.contract).toMatchObject({ match: 'exact_match' });
  const again = await postForm({ ...call('verifysourcecode'), ...submission(address, 'Coin') });
  expect(again).toEqual({
    http: 200,
    status: '0',
    message: 'NOTOK',
    result: 'Contract source code already verified',
  });
});

it('Hardhat 2: looks for sources, submits a form to the bare path', async () => {
  const address = await addCoin();
  const before = await get({ apikey: 'any', ...call('getsourcecode', { address }) });
  expect(before).toMatchObject({ message: 'OK', result: [{ SourceCode: expect.any(String) }] });
  // Code that is verified already has its twin's sources.
  expect(before.result[0].SimilarMatch).toMatch(/^0x[0-9a-f]{40}$/);
  const { result } = await postForm({ apikey: 'any', ...call('verifysourcecode'), ...submission(address, 'Coin') });
  expect(await settled(result, poll)).toMatchObject({ status: '1', result: 'Pass - Verified' });
  const after = await get({ apikey: 'any', ...call('getsourcecode', { address }) });
  expect(after.result[0].SimilarMatch).toBe('');
});

it('Hardhat 3: module and chain in the query, sources in the form', async () => {
  const address = await addVault();
  const query = call('verifysourcecode', { chainid: '298', apikey: 'any' });
  const { constructorArguements: _, ...members } = submission(address, 'Vault');
  const before = await get({ ...call('getsourcecode', { address }), chainid: '298', apikey: 'any' }, '/v2/api');
  expect(before).toMatchObject({ status: '1', result: [{ SourceCode: '', ABI: 'Contract source code not verified' }] });
  const { result } = await postForm({ ...members, constructorArguments: '' }, query, '/v2/api');
  expect(await settled(result, poll)).toMatchObject({ status: '1', result: 'Pass - Verified' });
});

it('Remix: a form in parts', async () => {
  const address = await addCoin();
  const query = { chainid: '298', ...call('verifysourcecode') };
  const { result } = await postParts(submission(address, 'Coin'), query);
  expect(await settled(result, poll)).toMatchObject({ status: '1', result: 'Pass - Verified' });
  const again = await postParts(submission(address, 'Coin'), query);
  expect(again.http).toBe(200);
  expect(again.result).toContain('already verified');
});

it('JSON, with the sources as text or as an object', async () => {
  for (const asObject of [false, true]) {
    const address = await addCoin();
    const members = { ...call('verifysourcecode'), ...submission(address, 'Coin') };
    const body = asObject ? { ...members, sourceCode: standardInput('Coin') } : members;
    const { result } = await postJson(body);
    expect(await settled(result, poll)).toMatchObject({ status: '1', result: 'Pass - Verified' });
  }
});

it('a single file with its settings beside it', async () => {
  const address = await addCoin();
  const { optimizer, evmVersion } = standardInput('Coin').settings;
  const { result } = await postForm({
    ...call('verifysourcecode'),
    contractaddress: address,
    sourceCode: sourceOf('Coin'),
    codeformat: 'solidity-single-file',
    contractname: 'Coin',
    compilerversion: compilerVersion,
    optimizationUsed: '1',
    runs: String(optimizer.runs),
    evmversion: evmVersion,
    licenseType: '1',
  });
  expect(await settled(result, poll)).toMatchObject({ status: '1', result: 'Pass - Verified' });
  const wrong = await addVault();
  const other = await postForm({
    ...call('verifysourcecode'),
    contractaddress: wrong,
    sourceCode: sourceOf('Coin'),
    contractname: 'Coin',
    compilerversion: compilerVersion,
    optimizationUsed: '0',
  });
  expect(await settled(other.result, poll)).toMatchObject({
    http: 200,
    status: '0',
    message: 'NOTOK',
    result: expect.stringMatching(/^Fail - Unable to verify\. .*Runtime code/),
  });
});

it('sources that do not compile: why, in the words of the compiler', async () => {
  const address = await addVault();
  const members = submission(address, 'Vault', (source) => source.replace('contract ', 'contrakt '));
  const { result } = await postForm({ ...call('verifysourcecode'), ...members });
  const { result: why } = await settled(result, poll);
  expect(why).toMatch(/^Fail - Unable to verify\. [\s\S]*ParserError/);
});

it('what is served can be checked again by a mirror whose explorer is this one', async () => {
  const address = await addCoin();
  const { result } = await postForm({ ...call('verifysourcecode'), ...submission(address, 'Coin') });
  await settled(result, poll);
  const second = await startVerificationStack({
    explorers: [describeExplorer({ kind: 'etherscan', location: `${stack.url}/v2/api`, ratePerSecond: 1000 })],
  });
  try {
    const copy = await second.addContract(number, { runtime: runtimeCodeOf('Coin'), initcode: coinCreation });
    expect(copy).toBe(address);
    const checked = await second.check({ address, chainId: '298' });
    expect(checked).toMatchObject({ status: 200, body: { result: [{ status: 'perfect', contractName: 'Coin' }] } });
    const unknown = await second.addContract(number + 500, { runtime: Buffer.from('6001', 'hex') });
    expect(await second.check({ address: unknown, chainId: '298' })).toMatchObject({
      status: 404,
      body: { customCode: 'not_etherscan_verified' },
    });
  } finally {
    await second.close();
  }
});

it('every member of a record', async () => {
  const address = await addCoin();
  const { result } = await postForm({ ...call('verifysourcecode'), ...submission(address, 'Coin') });
  await settled(result, poll);
  const answer = await get(call('getsourcecode', { address }));
  const { SourceCode, ABI, ...rest } = answer.result[0];
  const { optimizer, evmVersion } = standardInput('Coin').settings;
  expect(rest).toEqual({
    ContractName: 'Coin',
    CompilerVersion: compilerVersion,
    CompilerType: 'solc',
    OptimizationUsed: '1',
    Runs: String(optimizer.runs),
    ConstructorArguments: argumentsOfCoin,
    EVMVersion: evmVersion,
    Library: '',
    ContractFileName: 'Coin.sol',
    LicenseType: /SPDX-License-Identifier: (\S+)/.exec(sourceOf('Coin'))?.[1] ?? 'None',
    Proxy: '0',
    Implementation: '',
    SwarmSource: '',
    SimilarMatch: '',
  });
  expect(SourceCode).toMatch(/^\{\{.*\}\}$/s);
  expect(JSON.parse(SourceCode.slice(1, -1)).sources['Coin.sol'].content).toBe(sourceOf('Coin'));
  expect(JSON.parse(ABI)).toEqual(JSON.parse((await get(call('getabi', { address }))).result));
  const record = readEtherscanAnswer(answer, { name: 'this mirror', key: undefined });
  expect(record?.claim.target).toEqual({ path: 'Coin.sol', name: 'Coin' });
});

it('a minimal proxy: its implementation, and the answers of the check of proxies', async () => {
  const coin = await addCoin();
  const clone = await stack.addContract(++number, {
    runtime: Buffer.from(`363d3d373d3d3d363d73${coin.slice(2)}5af43d82803e903d91602b57fd5bf3`, 'hex'),
  });
  const { result } = await postForm({ ...call('verifysourcecode'), ...submission(clone, 'Coin') });
  expect(await settled(result, poll)).toMatchObject({ result: 'Pass - Verified' });
  const record = (await get(call('getsourcecode', { address: clone }))).result[0];
  expect(record).toMatchObject({ Proxy: '1', Implementation: coin });

  const submitProxy = (more: Members = {}) =>
    postParts({ address: clone, ...more }, { chainid: '298', ...call('verifyproxycontract') });
  const checkProxy = (guid: string) => get({ chainid: '298', ...call('checkproxyverification', { guid }) });
  const right = await submitProxy({ expectedimplementation: coin });
  expect(right.status).toBe('1');
  const { result: sentence } = await checkProxy(right.result);
  expect(sentence.startsWith("The proxy's")).toBe(true);
  expect(sentence.endsWith('and is successfully updated.')).toBe(true);
  const wrong = await submitProxy({ expectedimplementation: clone });
  expect((await checkProxy(wrong.result)).result).toBe(
    'The provided expected results are different than the retrieved implementation address!',
  );
  const none = await postParts({ address: coin }, { chainid: '298', ...call('verifyproxycontract') });
  expect((await checkProxy(none.result)).result).toBe(
    'A corresponding implementation contract was unfortunately not detected for the proxy address.',
  );
  expect((await checkProxy('298-0x12')).result).toBe('Unknown UID');
});

it('how contracts were created', async () => {
  const address = await addCoin();
  const created = 5_000_000_000n + BigInt(number);
  const hash = 'c1'.repeat(32);
  for (const table of ['transaction', 'contract_result']) {
    await stack.query(`create table ${table}_everything partition of ${table} default`);
  }
  await stack.query(`update entity set created_timestamp = ${created} where id = ${number}`);
  await stack.query(
    `insert into transaction (consensus_timestamp, payer_account_id, result, type, valid_start_ns) values (${created}, 2, 22, 8, 1)`,
  );
  await stack.query(`insert into contract_result
    (consensus_timestamp, contract_id, function_parameters, sender_id, transaction_hash, gas_limit, payer_account_id, transaction_result)
    values (${created}, ${number}, '', 1001, '\\x${hash}', 0, 2, 22)`);
  const unknown = `0x${'ef'.repeat(20)}`;
  const answer = await get(call('getcontractcreation', { contractaddresses: `${address},${unknown}` }));
  expect(answer).toEqual({
    http: 200,
    status: '1',
    message: 'OK',
    result: [
      {
        contractAddress: address,
        contractCreator: `0x${(1001).toString(16).padStart(40, '0')}`,
        txHash: `0x${hash}`,
        blockNumber: expect.any(String),
        timestamp: '5',
        contractFactory: '',
        creationBytecode: `0x${coinCreation.toString('hex')}`,
      },
    ],
  });
  const nothing = await get(call('getcontractcreation', { contractaddresses: unknown }));
  expect(nothing).toEqual({ http: 200, status: '0', message: 'No data found', result: null });
});

const nobody = `0x${'ab'.repeat(20)}`;

it('an address without code is told at once, in the words that tools wait on', async () => {
  const answer = await postForm({ ...call('verifysourcecode'), ...submission(nobody, 'Coin') });
  expect(answer).toMatchObject({ http: 200, status: '0', result: `Unable to locate ContractCode at ${nobody}` });
});

it.each<[string, Members, RegExp]>([
  ['no action', { module: 'contract' }, /^Error! Missing Or invalid Action name$/],
  ['an unknown action', call('getgas'), /^Error! Missing Or invalid Action name$/],
  ['the name of a method', call('constructor'), /^Error! Missing Or invalid Action name$/],
  ['a prototype as action', call('__proto__'), /^Error! Missing Or invalid Action name$/],
  [
    'another module',
    { module: 'account', action: 'balance', address: nobody },
    /^Error! Missing Or invalid Module name$/,
  ],
  ['an empty module', { module: '', action: 'getabi' }, /^Error! Missing Or invalid Module name$/],
  ['a prototype as module', { module: '__proto__', action: 'getabi' }, /^Error! Missing Or invalid Module name$/],
  ['no address', call('getabi'), /^Error! Missing address$/],
  ['an address that is cut', call('getabi', { address: '0x12' }), /^Error! Invalid address format$/],
  ['a path as address', call('getabi', { address: '../../etc/passwd' }), /^Error! Invalid address format$/],
  ['a wrong checksum', call('getsourcecode', { address: `0x${'aB'.repeat(20)}` }), /^Error! Invalid address format$/],
  ['another chain', call('getabi', { address: nobody, chainid: '5' }), /^Missing or unsupported chainid parameter\./],
  ['a name as chain', call('getabi', { address: nobody, chainid: 'constructor' }), /^Missing or unsupported chainid/],
  ['a long chain', call('getabi', { address: nobody, chainid: '9'.repeat(3000) }), /^Missing or unsupported chainid/],
  ['six addresses', call('getcontractcreation', { contractaddresses: `${nobody},`.repeat(6) }), /^Error! More than 5/],
  ['no addresses', call('getcontractcreation', { contractaddresses: ',' }), /^Error! Missing contractaddresses$/],
  ['an unknown id', call('checkverifystatus', { guid: 'a' }), /^Unknown UID$/],
  ['an id of no job', call('checkverifystatus', { guid: '4f1c7b1e-0000-4000-8000-000000000000' }), /^Unknown UID$/],
  ['no id', call('checkverifystatus'), /^Unknown UID$/],
])('%s is refused with status 200, and a sentence', async (_case, members, sentence) => {
  for (const answer of [await get(members), await postForm(members), await postJson(members)]) {
    expect(answer).toMatchObject({ http: 200, status: '0', message: 'NOTOK', result: expect.stringMatching(sentence) });
  }
});

it.each<[string, Members, RegExp]>([
  ['no sources', { sourceCode: '' }, /^Error! Missing sourceCode$/],
  ['no name', { contractname: ' ' }, /^Error! Missing contractname$/],
  ['no compiler', { compilerversion: '' }, /^Error! Missing compilerversion$/],
  ['an unknown format', { codeformat: 'solidity-zip' }, /^Error! codeformat must be one of/],
  ['Vyper', { codeformat: 'vyper-json' }, /^Vyper is not supported/],
  ['standard JSON that is a file', { sourceCode: 'contract A {}' }, /^Error! sourceCode must be standard JSON/],
  ['standard JSON that is cut', { sourceCode: '{"sources":{' }, /must be standard JSON/],
  ['standard JSON with a comma too many', { sourceCode: '{"sources":{},}' }, /standard JSON that cannot be read/],
  ['standard JSON without sources', { sourceCode: '{"language":"Solidity"}' }, /standard JSON without sources/],
  [
    'standard JSON without texts',
    { sourceCode: '{"language":"Solidity","sources":{"a.sol":{"urls":["x"]}}}' },
    /no content/,
  ],
  [
    'a source named like a prototype',
    { sourceCode: '{"language":"Solidity","sources":{"__proto__":{"content":"x"}}}' },
    /./,
  ],
  ['a compiler that is none', { compilerversion: 'latest' }, /no compiler version/],
  ['a compiler that is not here', { compilerversion: 'v0.7.0+commit.9e61f92b' }, /not available/],
  ['arguments that are no bytes', { constructorArguements: 'zz' }, /^Error! Invalid constructor arguments/],
  ['a library without address', { libraryname1: 'Adder' }, /^Error! libraryname1 and libraryaddress1/],
])('a submission with %s', async (_case, change, sentence) => {
  const address = await addVault();
  const members = { ...call('verifysourcecode'), ...submission(address, 'Vault'), ...change };
  expect(await postForm(members)).toMatchObject({ http: 200, status: '0', result: expect.stringMatching(sentence) });
});

it.each<[string, () => Promise<Answer>, number, RegExp]>([
  [
    'an address of 1 MB',
    () => postForm(call('getabi', { address: 'a'.repeat(1_000_000) })),
    413,
    /address has more than/,
  ],
  ['an address of 1 MB as JSON', () => postJson(call('getabi', { address: 'a'.repeat(1e6) })), 413, /address has more/],
  [
    'a list as address',
    () => postJson({ ...call('getabi'), address: [nobody] }),
    200,
    /^Error! address must be a text$/,
  ],
  ['an object as action', () => postJson({ module: 'contract', action: {} }), 200, /^Error! action must be a text$/],
  ['a list as body', () => postJson([call('getabi')]), 200, /must be object/],
  ['JSON that is cut', () => postJson('{"module":'), 200, /JSON/],
  ['lists in lists', () => postJson('['.repeat(60_000)), 200, /deeper/],
  [
    '10,000 members',
    () => postForm(Object.fromEntries(Array.from({ length: 1e4 }, (_, i) => [`a${i}`, 'b']))),
    200,
    /More than/,
  ],
  [
    'a name for a prototype',
    () => postJson('{"__proto__":{"module":"contract"},"action":"getabi"}'),
    200,
    /must be a text/,
  ],
])('%s', async (_case, send, http, sentence) => {
  expect(await send()).toMatchObject({ http, status: '0', message: 'NOTOK', result: expect.stringMatching(sentence) });
});

it('a body of 30 MB, packed bodies and bodies of other types', async () => {
  const large = await fetch(`${stack.url}/api`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: `module=contract&sourceCode=${'a'.repeat(30_000_000)}`,
  }).catch((error: Error & { cause?: { code?: string } }) => error.cause?.code);
  if (large instanceof Response) expect(large.status).toBe(413);
  else expect(large).toMatch(/ECONNRESET|EPIPE|UND_ERR_SOCKET/);
  const type = { 'content-type': 'text/xml' };
  expect(await ask('/api', { method: 'POST', headers: type, body: '<a/>' })).toMatchObject({ http: 415, status: '0' });
  const packed = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
  expect(await ask('/api', { method: 'POST', headers: packed, body: 'x' })).toMatchObject({ http: 415, status: '0' });
});

it('a GET without a module is for people', async () => {
  for (const path of ['/api', '/v2/api', '/api?page=2']) {
    const response = await fetch(`${stack.url}${path}`, { redirect: 'manual' });
    expect(response.status).toBe(302);
    expect(response.headers.get('location')).toBe('/');
  }
});
