// JSON-RPC over HTTP, on the port of the service and on one of its own; `ethers` reads what a dApp reads.
import { createServer, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { JsonRpcProvider, Network } from 'ethers';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PlacesFull } from '../../../packages/kit/shares/client-places.ts';
import { runAs } from '../../../packages/kit/shares/current-client.ts';
import { type StoredRows, storeRows } from '../../../packages/test-support/rows/store-rows.ts';
import { serveRpc } from '../../../packages/test-support/rpc/serve-rpc.ts';
import {
  address,
  blockHash,
  hashText,
  smallChain,
  transfer,
  word,
} from '../../../packages/test-support/rpc/small-chain.ts';
import { createRelayClient } from './relay-client.ts';
import { RpcError } from './terms/rpc-error.ts';

let stored: StoredRows;
let served: Awaited<ReturnType<typeof serveRpc>>;

beforeAll(async () => {
  stored = await storeRows(smallChain);
  served = await serveRpc(stored.db, { users: [{ username: 'me', password: 'secret' }] });
});
afterAll(async () => {
  await served?.close();
  await stored?.close();
});

const chain = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId' });
const post = (url: string, body: string, headers: Record<string, string> = {}) =>
  fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } });

describe('a request', () => {
  it('is answered at /rpc, and at / of its own port, with a type of JSON, of text or none', async () => {
    for (const url of [`${served.url}/rpc`, `${served.rpcUrl}/`, `${served.rpcUrl}/rpc`]) {
      for (const type of [
        ...['application/json', 'application/json; charset=utf-8', 'Application/JSON;charset=UTF-8', ''],
        ...['application/json-rpc', 'application/jsonrequest', 'text/json', 'application/vnd.api+json'],
        ...['text/plain', 'text/plain;charset=UTF-8', 'Application/Octet-Stream'],
      ]) {
        const answer = await post(url, chain, { 'content-type': type });
        expect([
          answer.status,
          answer.headers.get('content-type'),
          answer.headers.get('access-control-allow-origin'),
        ]).toEqual([200, 'application/json; charset=utf-8', '*']);
        expect(await answer.json()).toEqual({ jsonrpc: '2.0', id: 1, result: '0x12a' });
      }
    }
  });

  const ofPages: Record<string, string>[] = [
    ...[{ origin: 'https://evil.example' }, { origin: 'null' }],
    ...[{ 'sec-fetch-site': 'cross-site' }, { 'sec-fetch-site': 'same-origin' }],
  ];

  it.each<[string, Record<string, string>]>([
    ['application/x-www-form-urlencoded', {}],
    ['multipart/form-data; boundary=x', {}],
    ['application/jsonp', {}],
    ['text/plainer', {}],
    ['text/html; text/plain', {}],
    // What a browser sends of a page, also of one of this service.
    ...['', 'text/plain', 'text/plain;charset=UTF-8', 'application/octet-stream'].flatMap((type) =>
      ofPages.map((headers): [string, Record<string, string>] => [type, headers]),
    ),
  ])('of the type %j with %j is no JSON, and is not run', async (type, headers) => {
    for (const url of [`${served.url}/rpc`, `${served.rpcUrl}/`]) {
      const answer = await post(url, chain, { 'content-type': type, ...headers });
      expect([answer.status, await answer.json()]).toEqual([
        415,
        {
          jsonrpc: '2.0',
          id: null,
          error: { code: -32600, message: `Content-Type '${type}' is not JSON: send application/json` },
        },
      ]);
    }
  });

  it('that is text, and no JSON, is a parse error', async () => {
    const answer = await post(served.rpcUrl, 'method=eth_chainId', { 'content-type': 'text/plain' });
    expect([answer.status, await answer.json()]).toMatchObject([400, { error: { code: -32700 } }]);
  });

  it('of a program that names no type is answered', async () => {
    const answer = await new Promise<string>((done, fail) => {
      const asked = request(`${served.url}/rpc`, { method: 'POST', headers: { 'content-length': chain.length } });
      asked
        .on('response', async (response) => done(Buffer.concat(await response.toArray()).toString()))
        .on('error', fail);
      asked.end(chain);
    });
    expect(JSON.parse(answer)).toEqual({ jsonrpc: '2.0', id: 1, result: '0x12a' });
  });

  it('by another method, or with a body that is too long, is refused in its form', async () => {
    for (const url of [`${served.rpcUrl}/`, `${served.url}/rpc`]) {
      for (const method of ['GET', 'PUT', 'PATCH', 'DELETE', 'HEAD']) {
        const got = await fetch(url, { method, ...(method.startsWith('P') && { body: chain }) });
        expect([method, got.status, got.headers.get('allow')]).toEqual([method, 405, 'POST']);
        if (method === 'HEAD') continue;
        const error = { code: -32600, message: `Request method '${method}' is not supported` };
        expect(await got.json()).toEqual({ jsonrpc: '2.0', id: null, error });
      }
    }
    const long = await post(served.rpcUrl, `${' '.repeat(2 ** 20)}${chain}`);
    expect([long.status, ((await long.json()) as { error: { code: number } }).error.code]).toEqual([400, -32700]);
  });

  it('that is a notification has an empty answer', async () => {
    const answer = await post(served.rpcUrl, '{"jsonrpc":"2.0","method":"eth_chainId"}');
    expect([answer.status, await answer.text()]).toEqual([204, '']);
    expect(await (await post(served.rpcUrl, chain)).json()).toMatchObject({ result: '0x12a' });
  });

  it('with wrong credentials is not answered', async () => {
    const as = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` });
    expect((await post(served.rpcUrl, chain, as('me:wrong'))).status).toBe(401);
    expect((await post(served.rpcUrl, chain, as('me:secret'))).status).toBe(200);
  });

  it('has the codes of errors as statuses, and is counted', async () => {
    const ask = (method: string, params: unknown[] = []) =>
      post(served.rpcUrl, JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
    expect((await ask('eth_sendRawTransaction', ['0x01'])).status).toBe(400);
    expect((await post(served.rpcUrl, `[${chain},${chain}]`)).status).toBe(200);
    const metrics = await served.registry.metrics();
    expect(metrics).toMatch(/rpc_requests_total\{method="eth_sendRawTransaction",code="-32610"\} 1\n/);
    expect(metrics).toMatch(/rpc_request_duration_seconds_count\{method="eth_chainId"\} \d+/);
    expect(metrics).toMatch(/http_requests_total\{method="POST",route="\/rpc",status="400"\} \d+/);
  });
});

describe('ethers', () => {
  it('reads blocks, transactions, receipts, logs and state', async () => {
    const provider = new JsonRpcProvider(served.rpcUrl, Network.from(298), { staticNetwork: true });
    try {
      expect(await provider.getBlockNumber()).toBe(30);
      const block = await provider.getBlock(10, true);
      expect([block!.hash, block!.parentHash, block!.timestamp, block!.prefetchedTransactions.length]).toEqual([
        blockHash(10n),
        blockHash(9n),
        1_700_000_020,
        4,
      ]);
      const [call, failed, creation] = block!.prefetchedTransactions;
      expect([call!.type, call!.from.toLowerCase(), call!.value, call!.accessList!.length]).toEqual([
        2,
        address('a'),
        30_000_000_000n,
        1,
      ]);
      expect([failed!.type, failed!.signature.v, creation!.to]).toEqual([0, 27, null]);
      expect((await provider.getTransaction(hashText('11')))!.hash).toBe(call!.hash);
      const receipt = await provider.getTransactionReceipt(hashText('11'));
      expect([receipt!.status, receipt!.gasUsed, receipt!.logs[0]!.data]).toEqual([1, 30_000n, word(9n)]);
      expect((await provider.getTransactionReceipt(hashText('22')))!.status).toBe(0);
      expect(await provider.getTransactionReceipt(hashText('99'))).toBeNull();
      const logs = await provider.getLogs({
        fromBlock: 0,
        toBlock: 'latest',
        address: address('c'),
        topics: [transfer],
      });
      expect(logs.map(({ blockNumber, index }) => [blockNumber, index])).toEqual([[10, 0]]);
      expect(await provider.getBalance(address('a'))).toBe(9_000_000_000_000n);
      expect(await provider.getTransactionCount(address('a'))).toBe(9);
      expect(await provider.getCode(address('c'), 10)).toBe('0x6001');
      expect(await provider.getStorage(address('c'), 1n)).toBe(word(10n));
      expect((await provider.getFeeData()).gasPrice).toBe(600_000_000_000n);
    } finally {
      provider.destroy();
    }
  });
});

describe('a relay', () => {
  const answering =
    (body: unknown): typeof fetch =>
    async () =>
      new Response(typeof body === 'string' ? body : JSON.stringify(body));

  it('gets the request unchanged, and its answer is the answer', async () => {
    const sent: unknown[] = [];
    const relay = createRelayClient('http://relay/', {
      registry: new Registry(),
      async fetchUrl(url, init) {
        sent.push([url, JSON.parse(String(init!.body))]);
        return new Response('{"result":"0x12"}');
      },
    });
    expect(await relay('eth_sendRawTransaction', ['0x02'])).toBe('0x12');
    expect(sent).toEqual([
      ['http://relay/', { jsonrpc: '2.0', id: 1, method: 'eth_sendRawTransaction', params: ['0x02'] }],
    ]);
  });

  it.each<[string, typeof fetch, number, RegExp, unknown]>([
    [
      'its errors',
      answering({ error: { code: -32000, message: 'Nonce too low', data: { a: 1 } } }),
      -32000,
      /^Nonce too low$/,
      { a: 1 },
    ],
    ['no JSON', answering('<html>'), -32603, /the relay does not answer/, undefined],
    ['an answer without end', answering('"'.padEnd(70_000, 'x')), -32603, /RangeError/, undefined],
    ['no answer', async () => Promise.reject(new TypeError('fetch failed')), -32603, /TypeError/, undefined],
  ])('%s', async (_name, fetchUrl, code, message, data) => {
    const error = await createRelayClient('http://relay/', { fetchUrl, registry: new Registry() })(
      'eth_sendRawTransaction',
      [],
    ).catch((one) => one);
    expect(error).toBeInstanceOf(RpcError);
    expect(error).toMatchObject({ code, data, message: expect.stringMatching(message) });
  });

  it('has places for others, whatever one client sends', async () => {
    const answers: ((response: Response) => void)[] = [];
    const fetchUrl = () => new Promise<Response>((done) => answers.push(done));
    const relay = createRelayClient('http://relay/', { registry: new Registry(), fetchUrl });
    const send = (client: string) =>
      runAs(client, () => relay('eth_sendRawTransaction', ['0x02'])).catch((error: unknown) => error);
    const many = Array.from({ length: 100 }, () => send('many'));
    await new Promise((done) => setImmediate(done));
    expect(answers).toHaveLength(50);
    const others = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map(send);
    await new Promise((done) => setImmediate(done));
    expect(answers).toHaveLength(58);
    for (const answer of answers) answer(new Response('{"result":"0x1"}'));
    expect(await Promise.all(others)).toEqual(Array(8).fill('0x1'));
    const refused = (await Promise.all(many)).filter((outcome) => outcome !== '0x1');
    expect(refused).toHaveLength(50);
    expect(refused.every((error) => error instanceof PlacesFull && error.by === 'client')).toBe(true);
  });

  // Where time is not what ends it, there is enough for a busy machine.
  it.each<[string, (answer: ServerResponse) => void, RegExp, timeoutMs?: number]>([
    ['that says nothing', () => {}, /TimeoutError/, 150],
    ['that does not end', (answer) => void answer.writeHead(200).write('{'), /TimeoutError/, 150],
    [
      'that points elsewhere',
      (answer) => answer.writeHead(307, { location: 'http://127.0.0.1:1/' }).end(),
      /TypeError/,
    ],
    ['that sends a hundred megabytes', (answer) => pour(answer, 100 * 2 ** 20), /RangeError/],
  ])('%s costs no more than its bounds', async (_name, hostile, message, timeoutMs = 30_000) => {
    let sentBytes = 0;
    const server = createServer((request, answer) => {
      answer.on('close', () => {
        sentBytes = answer.socket?.bytesWritten ?? request.socket.bytesWritten;
      });
      hostile(answer);
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const { port } = server.address() as AddressInfo;
    const relay = createRelayClient(`http://127.0.0.1:${port}/`, { timeoutMs, registry: new Registry() });
    await expect(relay('eth_sendRawTransaction', ['0x02'])).rejects.toMatchObject({
      ...{ code: -32603, message: expect.stringMatching(message) },
    });
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
    expect(sentBytes).toBeLessThan(16 * 2 ** 20);
  });
});

/** As fast as the other side reads. */
function pour(answer: ServerResponse, bytes: number): void {
  const part = Buffer.alloc(65_536, ' ');
  let left = bytes / part.length;
  const more = (): void => {
    while (left > 0 && !answer.destroyed) {
      left -= 1;
      if (!answer.write(part)) return void answer.once('drain', more);
    }
    answer.end();
  };
  answer.writeHead(200);
  more();
}
