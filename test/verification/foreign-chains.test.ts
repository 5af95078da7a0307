// Contracts of other chains: code by JSON-RPC, libraries that the record names, rates that are kept, and another mirror
// as the explorer.
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { waitMs } from '../../packages/test-support/timeouts.ts';
import { describeExplorer } from '../../packages/verification/registry/describe-explorer.ts';
import { compileSolidity } from '../support/contracts/compile-solidity.ts';
import { createEvm } from '../support/contracts/evm-deployment.ts';
import {
  compilerVersion,
  flatRecord,
  initcodeOf,
  runtimeCodeOf,
  sourceOf,
  standardInput,
} from '../support/contracts/sample-contracts.ts';
import { json, notOk, record, type StubExplorer, startStubExplorer, text } from './stub-explorer.ts';
import { startVerificationStack, type VerificationStack } from './verification-stack.ts';

const codes = new Map<string, Buffer>();
const creations = new Map<string, { to: null; input: string; contractAddress: string }>();
/** Answers with an error that are left, by the hash of a transaction. */
const failuresLeft = new Map<string, number>();
let rpc: Server;
let explorer: StubExplorer;
let gone: string;
let stack: VerificationStack;

beforeAll(async () => {
  rpc = await startRpc();
  explorer = await startStubExplorer();
  const closed = await startStubExplorer();
  gone = closed.url;
  await closed.close();
  const said = { location: explorer.url, ratePerSecond: 1000 };
  const rpcUrl = `http://127.0.0.1:${(rpc.address() as AddressInfo).port}`;
  stack = await startVerificationStack({
    explorers: [],
    chains: [
      {
        chainId: '1',
        name: 'Foreign',
        bytecode: { kind: 'rpc', urls: [gone, rpcUrl], timeoutMs: 60_000 },
        explorers: [describeExplorer({ kind: 'etherscan', ...said })],
      },
      {
        chainId: '137',
        name: 'Away',
        bytecode: { kind: 'rpc', urls: [gone], timeoutMs: 60_000 },
        explorers: [describeExplorer({ kind: 'etherscan', ...said })],
      },
      {
        chainId: '43114',
        name: 'Routescan',
        bytecode: { kind: 'rpc', urls: [rpcUrl], timeoutMs: 60_000 },
        explorers: [
          describeExplorer({ kind: 'routescan', location: `${explorer.url}/v2/network/mainnet`, ratePerSecond: 1000 }),
        ],
      },
    ],
    recheckMs: 0,
  });
});
afterAll(async () => {
  await stack?.close();
  await explorer?.close();
  rpc?.close();
});

it('runtime and creation code by RPC, the creation found through the explorer', async () => {
  const address = `0x${'a1'.repeat(20)}`;
  const hash = `0x${'0b'.repeat(32)}`;
  codes.set(address, runtimeCodeOf('Vault'));
  creations.set(hash, { to: null, input: `0x${initcodeOf('Vault').toString('hex')}`, contractAddress: address });
  explorer.answer(address, json(record(flatRecord('Vault'))));
  explorer.answerCreation(address, json({ status: '1', result: [{ contractAddress: address, txHash: hash }] }));
  const answer = await stack.check({ address, chainId: '1' });
  expect(answer).toMatchObject({
    status: 200,
    body: {
      result: [
        {
          status: 'perfect',
          chainId: '1',
          creatorTxHash: hash,
          message: expect.stringContaining('Creation code: perfect'),
        },
      ],
    },
  });
  expect(explorer.asked.map(({ searchParams }) => searchParams.get('action'))).toEqual([
    'getsourcecode',
    'getcontractcreation',
  ]);
});

it('without a word about the creation the runtime code decides', async () => {
  const address = `0x${'a2'.repeat(20)}`;
  codes.set(address, runtimeCodeOf('Coin'));
  explorer.answer(address, json(record(flatRecord('Coin'))));
  explorer.answerCreation(address, text('<html>', 500));
  const answer = await stack.check({ address, chainId: '43114' });
  expect(answer).toMatchObject({ status: 200, body: { result: [{ status: 'perfect', chainId: '43114' }] } });
  expect(answer.body.result[0]).not.toHaveProperty('onchainCreationBytecode');
  expect(explorer.asked.at(-1)!.pathname).toBe('/v2/network/mainnet/evm/43114/etherscan/api');
});

it.each<[string, number, object]>([
  ['after two tries', 2, { contract: { creationMatch: 'exact_match', runtimeMatch: 'exact_match' } }],
  [
    'at no time: the job says so, and only the runtime code counts',
    99,
    {
      creationProblem: expect.stringMatching(/^Cannot fetch bytecode for chain #43114 .* HTTP status 500$/),
      contract: { creationMatch: null, runtimeMatch: 'exact_match' },
    },
  ],
])('a chain that answers for the creation %s', async (_case, failures, expected) => {
  const address = `0x${failures.toString(16).padStart(2, '0').repeat(20)}`;
  const hash = `0x${failures.toString(16).padStart(2, '0').repeat(32)}`;
  codes.set(address, runtimeCodeOf('Vault'));
  creations.set(hash, { to: null, input: `0x${initcodeOf('Vault').toString('hex')}`, contractAddress: address });
  failuresLeft.set(hash, failures);
  const request = {
    stdJsonInput: standardInput('Vault'),
    ...{ compilerVersion, contractIdentifier: 'Vault.sol:Vault', creationTransactionHash: hash },
  };
  const { body } = await stack.post(`/v2/verify/43114/${address}`, request);
  const job = await vi.waitUntil(
    async () => {
      const { body: found } = await stack.get(`/v2/verify/${body.verificationId}`);
      return found.isJobCompleted ? found : null;
    },
    { timeout: waitMs, interval: 100 },
  );
  expect(job).toMatchObject(expected);
  expect(job.error).toBeUndefined();
});

it('nothing there, nobody to ask', async () => {
  const address = `0x${'a3'.repeat(20)}`;
  expect(await stack.check({ address, chainId: '1' })).toMatchObject({
    status: 200,
    body: { result: [{ status: 'null', customCode: 'contract_not_deployed' }] },
  });
  const away = await stack.check({ address, chainId: '137' });
  expect(away).toMatchObject({ status: 502, body: { customCode: 'cannot_fetch_bytecode' } });
  expect(away.body.message).toMatch(/^Cannot fetch bytecode for chain #137 and address 0xa3/);
  expect(away.body.message).not.toContain(gone);
  expect(await stack.check({ address: '0.0.1015', chainId: '1' })).toMatchObject({ status: 400 });
});

it('what is settled needs neither chain nor explorer', async () => {
  const address = `0x${'a1'.repeat(20)}`;
  const before = explorer.asked.length;
  codes.delete(address);
  expect(await stack.check({ address, chainId: '1' })).toMatchObject({
    status: 200,
    body: { result: [{ status: 'perfect' }] },
  });
  expect(explorer.asked).toHaveLength(before);
});

it('a library that was linked by hand: the record names it, and the match is perfect', async () => {
  const source = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
library Math { function twice(uint256 x) public pure returns (uint256) { return 2 * x; } }
contract User { function f(uint256 x) external pure returns (uint256) { return Math.twice(x); } }`;
  const library = `0x${'cd'.repeat(20)}`;
  const optimizer = { enabled: true, runs: 200 };
  const linked = { 'User.sol': { Math: library } };
  const [output] = await compileSolidity('0.8.37', [
    { language: 'Solidity', sources: { 'User.sol': { content: source } }, settings: { optimizer, libraries: linked } },
  ]);
  const evm = await createEvm();
  const { address, code } = await evm.deploy(
    Buffer.from(output!.contracts['User.sol']!.User!.evm.bytecode.object, 'hex'),
  );
  codes.set(address, code);
  const members = { ...flatRecord('Coin'), SourceCode: source, ContractName: 'User', EVMVersion: 'Default' };
  explorer.answer(address, json(record(members)));
  expect(await stack.check({ address, chainId: '1' })).toMatchObject({ body: { result: [{ status: 'partial' }] } });
  explorer.answer(address, json(record({ ...members, Library: `Math:${library.slice(2)}` })));
  expect(await stack.check({ address, chainId: '1' })).toMatchObject({ body: { result: [{ status: 'perfect' }] } });
});

it('an explorer that asked for a pause gets one', async () => {
  const address = `0x${'a4'.repeat(20)}`;
  codes.set(address, runtimeCodeOf('Reverter'));
  explorer.answer(address, json(notOk('Max daily rate limit reached')));
  expect((await stack.check({ address, chainId: '1', apiKey: 'mine' })).status).toBe(429);
  const asked = explorer.asked.length;
  const again = await stack.check({ address, chainId: '1', apiKey: 'mine' });
  expect(again.status).toBe(429);
  expect(Number(again.headers.get('retry-after'))).toBeGreaterThan(3500);
  expect(explorer.asked).toHaveLength(asked);
  // Another key has another allowance.
  explorer.answer(address, json(record({ ...flatRecord('Reverter'), CompilerVersion: compilerVersion })));
  expect((await stack.check({ address, chainId: '1', apiKey: 'yours' })).status).toBe(200);
});

it('another mirror is an explorer', async () => {
  const address = await stack.addContract(7001, { runtime: runtimeCodeOf('Coin') });
  const sources = { 'Coin.sol': { content: sourceOf('Coin') } };
  const { verificationId } = (
    await stack.post(`/v2/verify/298/${address}`, {
      stdJsonInput: {
        language: 'Solidity',
        sources,
        settings: { evmVersion: 'cancun', optimizer: { enabled: true, runs: 200 } },
      },
      compilerVersion,
      contractIdentifier: 'Coin.sol:Coin',
    })
  ).body;
  await expect
    .poll(async () => (await stack.get(`/v2/verify/${verificationId}`)).body, { timeout: waitMs })
    .toMatchObject({ isJobCompleted: true });
  const other = await startVerificationStack({
    explorers: [describeExplorer({ kind: 'sourcify', location: stack.url })],
  });
  try {
    await other.addContract(7001, { runtime: runtimeCodeOf('Coin') });
    expect(await other.check({ address, chainId: '298' })).toMatchObject({
      status: 200,
      body: { result: [{ status: 'perfect' }] },
    });
    await other.addContract(7002, { runtime: runtimeCodeOf('Vault') });
    expect(await other.check({ address: '0.0.7002', chainId: '298' })).toMatchObject({
      status: 404,
      body: { message: 'This contract is not verified on Sourcify.' },
    });
  } finally {
    await other.close();
  }
});

it('the chains and what they are checked with', async () => {
  const { status, body } = await stack.get('/chains');
  expect(status).toBe(200);
  expect(body.map(({ chainId }: { chainId: number }) => chainId)).toEqual([1, 137, 296, 298, 43114]);
  expect(body[0]).toMatchObject({
    name: 'Foreign',
    supported: true,
    etherscanAPI: true,
    bytecode: 'rpc',
    explorers: [{ kind: 'etherscan', name: 'Etherscan' }],
  });
  expect(JSON.stringify(body)).not.toContain('127.0.0.1');
});

async function startRpc(): Promise<Server> {
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const { id, method, params } = JSON.parse(body) as { id: number; method: string; params: string[] };
    const results: Record<string, (name: string) => unknown> = {
      eth_getCode: (address) => `0x${codes.get(address)?.toString('hex') ?? ''}`,
      eth_getTransactionByHash: (hash) => ({
        ...creations.get(hash),
        hash,
        from: `0x${'01'.repeat(20)}`,
        blockNumber: '0x10',
        transactionIndex: '0x2',
      }),
      eth_getTransactionReceipt: (hash) => ({
        ...creations.get(hash),
        status: '0x1',
        blockNumber: '0x10',
        transactionIndex: '0x2',
      }),
    };
    const left = failuresLeft.get(params[0]!) ?? 0;
    failuresLeft.set(params[0]!, left - 1);
    if (left > 0) response.statusCode = 500;
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result: results[method]?.(params[0]!) ?? null }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}
