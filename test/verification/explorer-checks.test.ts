// Finished checks over HTTP: what is answered with 200, how it is kept, shared and looked at again, and where records
// come from when there are several explorers.
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { waitMs } from '../../packages/test-support/timeouts.ts';
import { describeExplorer } from '../../packages/verification/registry/describe-explorer.ts';
import { flatRecord, initcodeOf, runtimeCodeOf, standardInput } from '../support/contracts/sample-contracts.ts';
import { json, notOk, notVerified, record, type StubExplorer, startStubExplorer, text } from './stub-explorer.ts';
import { startVerificationStack, type VerificationStack } from './verification-stack.ts';

let first: StubExplorer;
let second: StubExplorer;
let stack: VerificationStack;
let num = 5000;

beforeAll(async () => {
  [first, second] = [await startStubExplorer(), await startStubExplorer()];
  stack = await startVerificationStack({
    explorers: [
      describeExplorer({ kind: 'sourcify', location: second.url, ratePerSecond: 1000 }),
      describeExplorer({ kind: 'etherscan', location: first.url, ratePerSecond: 1000, key: 'OPERATORKEY' }),
    ],
    recheckMs: 0,
    notVerifiedMs: 60_000,
  });
});
afterAll(async () => {
  await stack?.close();
  await first?.close();
  await second?.close();
});
beforeEach(async () => {
  first.asked.length = 0;
  second.asked.length = 0;
  await stack.query('delete from verified_contract');
});

const waiting = { timeout: waitMs };

/** That have come, also those that are not answered yet. */
const countRequests = (): number => stack.logged.filter((line) => line.includes('incoming request')).length;

const sourcifyNothing = json({ match: null }, 404);

async function deploy(name: 'Coin' | 'Vault' | 'Reverter', { creation = true } = {}): Promise<string> {
  const initcode = creation ? Buffer.concat([initcodeOf(name), Buffer.alloc(name === 'Vault' ? 0 : 32)]) : undefined;
  const address = await stack.addContract(num++, { runtime: runtimeCodeOf(name), ...(initcode ? { initcode } : {}) });
  second.answer(address, sourcifyNothing);
  return address;
}

it('a match: the documented members and those that Sourcify sends beside them, the same again from what is kept', async () => {
  const address = await deploy('Coin');
  first.answer(address, json(record(flatRecord('Coin'))));
  const answer = await stack.check({ address, chainId: '298' });
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({
    result: [
      {
        address: expect.stringMatching(new RegExp(`^${address}$`, 'i')),
        chainId: '298',
        status: 'perfect',
        message: expect.stringMatching(/^Runtime code: perfect match.*Creation code: perfect match/),
        libraryMap: {},
        contractName: 'Coin',
        immutableReferences: {},
        runtimeTransformations: [],
        creationTransformations: [expect.objectContaining({ type: 'insert', reason: 'constructorArguments' })],
        runtimeTransformationValues: {},
        creationTransformationValues: { constructorArguments: `0x${'0'.repeat(64)}` },
        abiEncodedConstructorArguments: `0x${'0'.repeat(64)}`,
        onchainRuntimeBytecode: `0x${runtimeCodeOf('Coin').toString('hex')}`,
        onchainCreationBytecode: `0x${initcodeOf('Coin').toString('hex')}${'0'.repeat(64)}`,
      },
    ],
  });
  expect(first.asked).toHaveLength(1);
  expect(Object.fromEntries(first.asked[0]!.searchParams)).toEqual({
    chainid: '298',
    module: 'contract',
    action: 'getsourcecode',
    address,
    apikey: 'OPERATORKEY',
  });
  // Every way of saying the same.
  const forms = [
    { address: address.slice(2), chainId: '298' },
    { address: `0x${address.slice(2).toUpperCase()}`, chainId: 298 },
    { address: `0.0.${num - 1}`, chainId: '0x12a', extra: [1] },
    { address, chain: '298' },
  ];
  for (const form of forms) expect((await stack.check(form)).body).toEqual(answer.body);
  const form = new FormData();
  form.set('address', address);
  form.set('chain', '298');
  form.set('files', new Blob(['ignored']), 'a.txt');
  expect((await stack.check(form)).body).toEqual(answer.body);
  expect(first.asked).toHaveLength(1);
});

it('twins in flight are one check', async () => {
  const address = await deploy('Vault');
  first.answer(address, json(record(flatRecord('Vault'))));
  const answers = await Promise.all(Array.from({ length: 10 }, () => stack.check({ address, chainId: '298' })));
  expect(new Set(answers.map(({ status, body }) => `${status} ${JSON.stringify(body)}`)).size).toBe(1);
  expect(answers[0]).toMatchObject({ status: 200, body: { result: [{ status: 'perfect' }] } });
  expect(first.asked).toHaveLength(1);
});

it('one contract is one check, whatever keys come along; a key that is refused spoils only its own request', async () => {
  const address = await deploy('Vault', { creation: false });
  const allCame = Promise.withResolvers<void>();
  first.answer(address, async (response, request) => {
    const key = new URL(request.url!, first.url).searchParams.get('apikey')!;
    const content = key.startsWith('wrong') ? notOk('Invalid API Key') : record(flatRecord('Vault'));
    await allCame.promise;
    json(content)(response, request);
  });
  const keys = ['wrong', 'one', 'two', undefined, 'three'];
  let before = countRequests();
  const checkWith = (apiKey: string | undefined) => stack.check({ address, chainId: '298', apiKey });
  const refused = checkWith(keys[0]);
  await vi.waitUntil(() => first.asked.length === 1, waiting);
  const checks = keys.slice(1).map(checkWith);
  await vi.waitUntil(() => countRequests() === before + keys.length, waiting);
  allCame.resolve();
  expect((await refused).status).toBe(502);
  expect((await Promise.all(checks)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  const [firstKey, secondKey, ...moreKeys] = first.asked.map(({ searchParams }) => searchParams.get('apikey'));
  expect([firstKey, moreKeys]).toEqual(['wrong', []]);
  // A request without a key is asked with the operator's.
  expect(['one', 'two', 'OPERATORKEY', 'three']).toContain(secondKey);

  const other = await deploy('Coin', { creation: false });
  const allPosted = Promise.withResolvers<void>();
  first.answer(other, async (response, request) => {
    await allPosted.promise;
    json(record(flatRecord('Coin')))(response, request);
  });
  first.asked.length = 0;
  before = countRequests();
  const posted = keys.map((apiKey) => stack.post(`/v2/verify/etherscan/298/${other}`, { apiKey }));
  await vi.waitUntil(() => countRequests() === before + keys.length, waiting);
  allPosted.resolve();
  const jobs = await Promise.all(posted);
  expect(new Set(jobs.map(({ status, body }) => `${status} ${body.verificationId}`)).size).toBe(1);
  expect(jobs[0]!.status).toBe(202);
  expect(first.asked).toHaveLength(1);
});

it("requests with their own keys do not go beyond the explorer's rate", async () => {
  const slow = await startVerificationStack({
    explorers: [describeExplorer({ kind: 'etherscan', location: first.url, ratePerSecond: 0.01 })],
  });
  try {
    const statuses: number[] = [];
    for (const n of [1, 2, 3]) {
      const address = await slow.addContract(num++, { runtime: runtimeCodeOf('Coin') });
      statuses.push((await slow.check({ address, chainId: '298', apiKey: `key ${n}` })).status);
    }
    expect(statuses).toEqual([404, 429, 429]);
    expect(first.asked).toHaveLength(1);
  } finally {
    await slow.close();
  }
});

it('an unsettled answer stands while record and code are the same, gives way to a better record, and outlives the explorer', async () => {
  const address = await deploy('Vault', { creation: false });
  const changed = (source: string) => source.replace('/// Takes value', '/// Takes no value');
  first.answer(address, json(record(flatRecord('Vault', changed))));
  const partial = await stack.check({ address, chainId: '298' });
  expect(partial).toMatchObject({ status: 200, body: { result: [{ status: 'partial' }] } });
  expect((await stack.check({ address, chainId: '298' })).body).toEqual(partial.body);
  first.answer(address, text('', 500));
  expect((await stack.check({ address, chainId: '298' })).body).toEqual(partial.body);
  first.answer(address, json(record(flatRecord('Vault'))));
  expect(await stack.check({ address, chainId: '298' })).toMatchObject({ body: { result: [{ status: 'perfect' }] } });
  const asked = first.asked.length;
  first.answer(address, text('', 500));
  expect(await stack.check({ address, chainId: '298' })).toMatchObject({ body: { result: [{ status: 'perfect' }] } });
  expect(first.asked).toHaveLength(asked);
  // Other code at the address: what is kept speaks of something else.
  await stack.query(`update contract set runtime_bytecode = '\\x6001' where id = ${BigInt(address)}`);
  expect(await stack.check({ address, chainId: '298' })).toMatchObject({ status: 502 });
});

it('"no" is an answer with a reason', async () => {
  const address = await deploy('Coin');
  first.answer(address, json(record(flatRecord('Vault'))));
  const lied = await stack.check({ address, chainId: '298' });
  expect(lied.status).toBe(200);
  expect(lied.body.result).toHaveLength(1);
  expect(lied.body.result[0]).toMatchObject({ status: 'null', libraryMap: {}, chainId: '298' });
  expect(lied.body.result[0].message).toMatch(/differ|length|bytes/);
  expect((await stack.check({ address, chainId: '298' })).body).toEqual(lied.body);

  const abstract = { ...flatRecord('Coin'), ContractName: 'I', SourceCode: 'interface I { function f() external; }' };
  first.answer(address, json(record(abstract)));
  expect(await stack.check({ address, chainId: '298' })).toMatchObject({
    status: 200,
    body: {
      result: [{ status: 'null', customCode: 'compiled_bytecode_is_zero', message: expect.stringContaining('"0x"') }],
    },
  });
});

it.each([
  [
    'nothing there',
    '0x00000000000000000000000000000000000f0000',
    'contract_not_deployed',
    /does not have a contract deployed at/,
  ],
  [
    'nothing there, with EVM address',
    '0x7ba33456ec00812c6b6bb6c1c3dff579c34cc2cc',
    'contract_not_deployed',
    /does not have/,
  ],
  ['a system contract', '0x0000000000000000000000000000000000000167', 'system_contract', /system contract/],
  ['an entity id of nothing', '0.0.99999', 'contract_not_deployed', /does not have/],
])('%s needs no explorer', async (_case, address, customCode, message) => {
  const answer = await stack.check({ address, chainId: '298' });
  expect(answer).toMatchObject({ status: 200, body: { result: [{ status: 'null', customCode, libraryMap: {} }] } });
  expect(answer.body.result[0].message).toMatch(message);
  expect(first.asked).toHaveLength(0);
});

it('explorers are asked in order, and what one does not have another may', async () => {
  const address = await deploy('Reverter', { creation: false });
  const { language, sources, settings } = standardInput('Reverter');
  second.answer(
    address,
    json({
      match: 'match',
      sources,
      compilation: {
        language,
        compilerVersion: '0.8.37+commit.f401782d',
        compilerSettings: settings,
        fullyQualifiedName: 'Reverter.sol:Reverter',
      },
      deployment: null,
    }),
  );
  expect(await stack.check({ address, chainId: '298' })).toMatchObject({ body: { result: [{ status: 'perfect' }] } });
  expect(second.asked[0]!.pathname).toBe(`/v2/contract/298/${address}`);
  expect(first.asked).toHaveLength(0);

  // Broken or without a record, the first one does not keep the second from being asked.
  const other = await deploy('Reverter', { creation: false });
  second.answer(other, text('<html>', 503));
  first.answer(
    other,
    json(
      record({
        ...flatRecord('Reverter'),
        SourceCode: `{${JSON.stringify(standardInput('Reverter'))}}`,
        ContractFileName: '',
      }),
    ),
  );
  expect(await stack.check({ address: other, chainId: '298' })).toMatchObject({
    body: { result: [{ status: 'perfect' }] },
  });

  // "Not verified" by one is no answer while the other fails.
  await stack.query('delete from verified_contract');
  const third = await deploy('Reverter', { creation: false });
  second.answer(third, text('<html>', 503));
  expect(await stack.check({ address: third, chainId: '298' })).toMatchObject({ status: 502 });
  second.answer(third, sourcifyNothing);
  const asked = first.asked.length;
  expect(await stack.check({ address: third, chainId: '298' })).toMatchObject({ status: 404 });
  expect(await stack.check({ address: third, chainId: '298' })).toMatchObject({
    status: 404,
    body: { message: 'This contract is not verified on Sourcify or Etherscan.' },
  });
  // It was said a moment ago.
  expect(first.asked).toHaveLength(asked);
});

it('code that is verified at one address is verified at every other', async () => {
  const [original, twin] = [await deploy('Vault', { creation: false }), await deploy('Vault', { creation: false })];
  first.answer(original, json(record(flatRecord('Vault'))));
  expect(await stack.check({ address: twin, chainId: '298' })).toMatchObject({ status: 404 });
  await stack.check({ address: original, chainId: '298' });
  const answer = await stack.check({ address: twin, chainId: '298' });
  expect(answer).toMatchObject({ status: 200, body: { result: [{ status: 'perfect', libraryMap: {} }] } });
  expect(answer.body.result[0].message).toMatch(/byte for byte that of 0x.* on chain 298/);
  expect(await stack.get(`/v2/contract/298/${twin}`)).toMatchObject({
    status: 200,
    body: { runtimeMatch: 'exact_match', creationMatch: null, similarTo: { runtimeMatch: 'exact_match' } },
  });
});

it('a minimal proxy is checked by the record of what it forwards to', async () => {
  const implementation = await deploy('Coin');
  const code = Buffer.from(`363d3d373d3d3d363d73${implementation.slice(2)}5af43d82803e903d91602b57fd5bf3`, 'hex');
  const proxy = await stack.addContract(num++, { runtime: code });
  second.answer(proxy, sourcifyNothing);
  first.answer(proxy, json(notVerified));
  first.answer(implementation, json(record(flatRecord('Coin'))));
  const answer = await stack.check({ address: proxy, chainId: '298' });
  expect(answer).toMatchObject({ status: 200, body: { result: [{ status: 'perfect' }] } });
  expect(answer.body.result[0].message).toContain('minimal proxy');
  expect((await stack.get(`/v2/contract/298/${proxy}?fields=proxyResolution`)).body.proxyResolution).toMatchObject({
    isProxy: true,
    proxyType: 'EIP1167Proxy',
  });
});
