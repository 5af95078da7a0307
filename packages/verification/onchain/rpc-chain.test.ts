import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { afterEach, expect, test } from 'vitest';
import { createRpcChain } from './rpc-chain.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

type Answers = Record<string, unknown>;

/** An endpoint that gives these results by method; a function writes the whole answer itself. */
async function endpoint(answers: Answers | ((response: ServerResponse) => void)): Promise<string> {
  const server = createServer(async (request, response) => {
    const { method, params } = (await json(request)) as { method: string; params: string[] };
    if (typeof answers === 'function') return answers(response);
    const result = answers[`${method} ${params[0]}`] ?? answers[method];
    response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result: result === undefined ? null : result }));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/secret-key`;
}

const address = `0x${'ab'.repeat(20)}`;
const hash = `0x${'12'.repeat(32)}`;

function chainAt(...urls: string[]) {
  return createRpcChain({ chainId: '137', urls, timeoutMs: 30_000 });
}

const created = {
  eth_getCode: '0x6001',
  eth_getTransactionByHash: { input: '0x600261', from: `0x${'CD'.repeat(20)}`, blockNumber: '0x10' },
  eth_getTransactionReceipt: { contractAddress: address.toUpperCase().replace('0X', '0x'), transactionIndex: '0x3' },
};

test('code, and creation where the transaction is named', async () => {
  const chain = chainAt(await endpoint(created));
  const plain = await chain.read(address.toUpperCase().replace('0X', '0x'));
  expect(plain).toMatchObject({ chainId: '137', address, kind: 'contract', creationCodes: [], creation: null });
  expect(plain.runtimeCode).toEqual(Buffer.from('6001', 'hex'));
  expect(await chain.withCreation(plain, hash)).toEqual({
    ...plain,
    creationCodes: [Buffer.from('600261', 'hex')],
    creation: {
      transactionHash: hash,
      blockNumber: 16n,
      transactionIndex: 3,
      deployer: `0x${'cd'.repeat(20)}`,
      factory: null,
      createdTimestamp: null,
    },
  });
});

test.each([
  ['made another contract', { eth_getTransactionReceipt: { contractAddress: `0x${'99'.repeat(20)}` } }],
  ['made none', { eth_getTransactionReceipt: { contractAddress: null } }],
  ['is not known', { eth_getTransactionByHash: null }],
  ['has strange input', { eth_getTransactionByHash: { input: 'hello' } }],
  [
    'has a block number beyond int64',
    { eth_getTransactionByHash: { ...created.eth_getTransactionByHash, blockNumber: '0x8000000000000000' } },
  ],
  [
    'has an index beyond int32',
    { eth_getTransactionReceipt: { ...created.eth_getTransactionReceipt, transactionIndex: '0x80000000' } },
  ],
])('a transaction that %s proves nothing', async (_, other) => {
  const chain = chainAt(await endpoint({ ...created, ...other }));
  const contract = await chain.withCreation(await chain.read(address), hash);
  expect(contract).toMatchObject({ kind: 'contract', creationCodes: [], creation: null });
});

test('nothing there', async () => {
  expect(await chainAt(await endpoint({ eth_getCode: '0x' })).read(address)).toMatchObject({
    kind: 'none',
    runtimeCode: null,
  });
});

test('a minimal proxy', async () => {
  const target = `0x${'be'.repeat(20)}`;
  const code = `0x363d3d373d3d3d363d73${'be'.repeat(20)}5af43d82803e903d91602b57fd5bf3`;
  const url = await endpoint({ [`eth_getCode ${address}`]: code, [`eth_getCode ${target}`]: '0x6005' });
  expect(await chainAt(url).read(address)).toMatchObject({
    implementation: { address: target, kind: 'contract', runtimeCode: Buffer.from('6005', 'hex') },
  });
});

test('the next endpoint is asked when one fails', async () => {
  const failing = await endpoint((response) => response.writeHead(503).end());
  expect(await chainAt(failing, await endpoint(created)).read(address)).toMatchObject({ kind: 'contract' });
});

test.each<[string, (response: ServerResponse) => void, RegExp]>([
  ['an HTTP error', (response) => response.writeHead(500).end('no'), /HTTP status 500/],
  ['no JSON', (response) => response.end('<html>'), /not JSON/],
  ['no JSON-RPC', (response) => response.end('[]'), /no JSON-RPC answer/],
  [
    'a refusal',
    (response) => response.end('{"error":{"code":-32001,"message":"invalid project id secret-key"}}'),
    /refuses eth_getCode \(code -32001\)/,
  ],
  ['no bytes', (response) => response.end('{"result":"0xzz"}'), /gave no bytes/],
  ['too much', (response) => response.end('x'.repeat(5_000_000)), /more than 4000000 bytes/],
  ['a way to elsewhere', (response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(), /reached/],
])('%s is said, without the address of the endpoint', async (_, write, message) => {
  const failure = await chainAt(await endpoint(write))
    .read(address)
    .catch((error: unknown) => error);
  expect(failure).toMatchObject({
    code: 'cannot_fetch_bytecode',
    status: 502,
    message: expect.stringMatching(message),
  });
  expect((failure as Error).message).not.toContain('secret-key');
});

test('an endpoint that does not come to an end', async () => {
  const url = await endpoint((response) => void response.write('{'));
  const chain = createRpcChain({ chainId: '137', urls: [url], timeoutMs: 200 });
  await expect(chain.read(address)).rejects.toMatchObject({
    code: 'cannot_fetch_bytecode',
    message: expect.stringMatching(/no answer in 200 ms|broke off/),
  });
});

test('nobody there', async () => {
  await expect(chainAt('http://127.0.0.1:1/').read(address)).rejects.toMatchObject({
    code: 'cannot_fetch_bytecode',
    message: expect.stringMatching(/chain #137 and address 0xab.*cannot be reached/),
  });
});

/** A chain of 1000 blocks; the contract is there from block 700 on. */
async function history(others: Answers = {}): Promise<{ url: string; asked: string[] }> {
  const asked: string[] = [];
  const server = createServer(async (request, response) => {
    const { method, params } = (await json(request)) as { method: string; params: string[] };
    asked.push(`${method} ${params.at(-1)}`);
    const results: Answers = {
      eth_blockNumber: '0x3e8',
      eth_getCode: params[1] === 'latest' || Number(params[1]) >= 700 ? '0x6001' : '0x',
      'eth_getBlockByNumber 0x2bc': {
        transactions: [
          { hash: `0x${'01'.repeat(32)}`, to: address },
          { hash: `0x${'02'.repeat(32)}`, to: null },
          { hash, to: null },
        ],
      },
      [`eth_getTransactionReceipt 0x${'02'.repeat(32)}`]: { contractAddress: `0x${'99'.repeat(20)}` },
      eth_getTransactionReceipt: created.eth_getTransactionReceipt,
      eth_getTransactionByHash: created.eth_getTransactionByHash,
      ...others,
    };
    const result = results[`${method} ${params[0]}`] ?? results[method];
    response.end(
      JSON.stringify(result === undefined ? { error: { code: -32000 } } : { jsonrpc: '2.0', id: 1, result }),
    );
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

test('the creation is found in the history where nobody names it, or the named one made another contract', async () => {
  const { url, asked } = await history();
  const chain = chainAt(url);
  const plain = await chain.read(address);
  for (const named of [undefined, `0x${'02'.repeat(32)}`]) {
    expect(await chain.withCreation(plain, named)).toMatchObject({
      creationCodes: [Buffer.from('600261', 'hex')],
      creation: { transactionHash: hash, blockNumber: 16n },
    });
  }
  expect(asked.length).toBeLessThan(45);
});

test.each<[string, Answers, string | null]>([
  ['a node without old states', { eth_getCode: '0x6001' }, 'eth_getBlockByNumber'],
  ['a node that refuses them', { eth_blockNumber: undefined }, 'eth_blockNumber'],
  ['a block without transactions', { 'eth_getBlockByNumber 0x2bc': {} }, null],
  ['a contract made by a contract', { eth_getTransactionReceipt: { contractAddress: null } }, null],
])('%s leaves the runtime code, and says what is refused', async (_, others, refused) => {
  const chain = chainAt((await history(others)).url);
  const plain = await chain.read(address);
  const creationProblem = { message: expect.stringContaining(`it refuses ${refused}`), isTemporary: false };
  expect(await chain.withCreation(plain)).toEqual({ ...plain, ...(refused && { creationProblem }) });
});
