// Web sockets over a ledger that grows: each head and log once and in order, and clients that do not read, are silent
// or send too much are ended.
import { connect, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { addRows } from '../../../packages/test-support/rows/load-rows.ts';
import { type StoredRows, storeRows } from '../../../packages/test-support/rows/store-rows.ts';
import { blockRow, blockTimes, entityRow, logRow } from '../../../packages/test-support/rpc/chain-rows.ts';
import { serveRpc } from '../../../packages/test-support/rpc/serve-rpc.ts';
import {
  address,
  block,
  blockHash,
  bytesOf,
  smallChain,
  transfer,
  word,
} from '../../../packages/test-support/rpc/small-chain.ts';

type Json = ReturnType<typeof JSON.parse>;
type Served = Awaited<ReturnType<typeof serveRpc>>;

let stored: StoredRows;
let served: Served;
let newest = 30n;
const open: WebSocket[] = [];

beforeAll(async () => {
  stored = await storeRows([...smallChain, entityRow(2003n, { type: 'CONTRACT' })]);
  served = await serveRpc(stored.db);
});
afterEach(() => {
  for (const socket of open.splice(0)) socket.close();
});
afterAll(async () => {
  expect(served?.errors).toEqual([]);
  await served?.close();
  await stored?.close();
});

/** Blocks with a log each, of contract 2001 with the block's number as data. */
async function grow(count: number, contract_id = 2001n): Promise<bigint[]> {
  const numbers = Array.from({ length: count }, (_, place) => newest + BigInt(place) + 1n);
  for (const n of numbers) {
    const at = blockTimes(n).start + 1n;
    await addRows(stored.connectionString, [
      blockRow(n),
      logRow(at, 0, {
        contract_id,
        topic0: bytesOf(transfer),
        data: bytesOf(n.toString(16).padStart(64, '0')),
        transaction_hash: Buffer.alloc(32, Number(n)),
      }),
    ]);
    newest = n;
  }
  return numbers;
}

async function connectTo(url = served.socketUrl) {
  const socket = new WebSocket(url);
  open.push(socket);
  const events: Json[] = [];
  const answers = new Map<number, (answer: Json) => void>();
  const closed = new Promise<number>((done) => socket.addEventListener('close', ({ code }) => done(code)));
  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(String(data));
    if (message.method === 'eth_subscription') events.push(message.params);
    else answers.get(message.id)?.(message);
  });
  await new Promise((done, fail) => {
    socket.addEventListener('open', done);
    socket.addEventListener('error', fail);
  });
  let ids = 0;
  const send = (method: string, ...params: unknown[]): Promise<Json> => {
    const id = ids++;
    return new Promise((done) => {
      answers.set(id, done);
      socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    });
  };
  return {
    socket,
    events,
    send,
    closed,
    ask: async (method: string, ...params: unknown[]) => (await send(method, ...params)).result,
  };
}

describe('a socket', () => {
  it('answers every method, and batches', async () => {
    const { ask, send, socket } = await connectTo();
    expect(await ask('eth_chainId')).toBe('0x12a');
    expect((await send('eth_nothing')).error).toEqual({ code: -32601, message: 'Method eth_nothing not found' });
    const answer = new Promise<string>((done) =>
      socket.addEventListener('message', ({ data }) => done(String(data)), { once: true }),
    );
    socket.send('[{"jsonrpc":"2.0","id":7,"method":"net_version"}]');
    // Of what asks for no answer none is sent, and the next is read.
    socket.send('{"jsonrpc":"2.0","method":"net_version"}');
    expect(JSON.parse(await answer)).toEqual([{ jsonrpc: '2.0', id: 7, result: '298' }]);
    const next = new Promise<string>((done) =>
      socket.addEventListener('message', ({ data }) => done(String(data)), { once: true }),
    );
    socket.send('{"jsonrpc":"2.0","id":9007199254740993,"method":"eth_unsubscribe","params":["0x1"]}');
    expect(await next).toBe('{"jsonrpc":"2.0","id":9007199254740993,"result":false}');
  });

  it('refuses what cannot be subscribed to', async () => {
    const { send } = await connectTo();
    const refused = async (...params: unknown[]) => (await send('eth_subscribe', ...params)).error;
    expect(await refused('stolen')).toEqual({
      code: -32601,
      message: 'Unsupported JSON-RPC method: there are newHeads, logs, newPendingTransactions and syncing',
    });
    expect(await refused()).toEqual({ code: -32602, message: 'Missing value for required parameter 0' });
    expect(await refused('logs', { address: address('9') })).toEqual({
      ...{
        code: -32602,
        message: `Invalid parameter filters.address: ${address('9')} is not a valid contract or token type or does not exists`,
      },
    });
    expect(await refused('logs', { fromBlock: '0x1' })).toMatchObject({ code: -32602 });
    expect(await refused('newHeads', { includeTransactions: 'yes' })).toMatchObject({ code: -32602 });
    expect((await send('eth_unsubscribe', '0x1')).result).toBe(false);
  });

  it('takes subscriptions in which nothing comes, and ends them', async () => {
    const { ask, events } = await connectTo();
    const ids = [await ask('eth_subscribe', 'newPendingTransactions', true), await ask('eth_subscribe', 'syncing')];
    await ask('eth_subscribe', 'newHeads');
    await grow(1);
    await vi.waitUntil(() => events.length > 0, { timeout: 10_000 });
    expect(events.filter(({ subscription }) => ids.includes(subscription))).toEqual([]);
    expect([await ask('eth_unsubscribe', ids[0]), await ask('eth_unsubscribe', ids[1])]).toEqual([true, true]);
  });

  it('has a bounded number of subscriptions', async () => {
    const few = await serveRpc(stored.db, { limits: { maxSubscriptions: 2 } });
    try {
      const { send, ask } = await connectTo(few.socketUrl);
      const first = await ask('eth_subscribe', 'newHeads');
      await ask('eth_subscribe', 'logs');
      expect((await send('eth_subscribe', 'logs')).error).toEqual({
        code: -32608,
        message: 'Exceeded maximum allowed subscriptions',
      });
      expect(await ask('eth_unsubscribe', first)).toBe(true);
      expect(await ask('eth_subscribe', 'logs')).toMatch(/^0x[0-9a-f]{32}$/);
    } finally {
      await few.close();
    }
  });
});

it('has a bounded number of topics over all clients, which those that leave give back', async () => {
  const few = await serveRpc(stored.db, { limits: { maxTerms: 150 } });
  try {
    const filter = { topics: [Array.from({ length: 100 }, () => transfer)] };
    const [first, second] = [await connectTo(few.socketUrl), await connectTo(few.socketUrl)];
    const id = await first.ask('eth_subscribe', 'logs', filter);
    expect((await second.send('eth_subscribe', 'logs', filter)).error).toMatchObject({ code: -32005 });
    expect(await second.ask('eth_subscribe', 'logs')).toMatch(/^0x/);
    expect(await first.ask('eth_unsubscribe', id)).toBe(true);
    expect(await second.ask('eth_subscribe', 'logs', filter)).toMatch(/^0x/);
    second.socket.close();
    await second.closed;
    await vi.waitUntil(async () => (await first.send('eth_subscribe', 'logs', filter)).result !== undefined);
  } finally {
    await few.close();
  }
});

describe('subscriptions', () => {
  it('tell each head and each log once, in order, to everybody', async () => {
    const clients = await Promise.all(Array.from({ length: 3 }, () => connectTo()));
    const ids = await Promise.all(
      clients.map(async ({ ask }) => ({
        heads: await ask('eth_subscribe', 'newHeads'),
        logs: await ask('eth_subscribe', 'logs', { address: [address('c')], topics: [null] }),
        // Their logs have one topic.
        two: await ask('eth_subscribe', 'logs', { address: [address('c')], topics: [null, []] }),
        topics: await ask('eth_subscribe', 'logs', { topics: [[transfer, word(7n)]] }),
        none: await ask('eth_subscribe', 'logs', { address: '0x00000000000000000000000000000000000007d3' }),
      })),
    );
    const numbers = await grow(30);
    await vi.waitUntil(() => clients.every(({ events }) => events.length >= 90), { timeout: 10_000 });
    for (const [place, { events }] of clients.entries()) {
      const of = (id: string) => events.filter(({ subscription }) => subscription === id).map(({ result }) => result);
      const { heads, logs, topics, two, none } = ids[place]!;
      expect(of(heads).map(({ number }: Json) => BigInt(number))).toEqual(numbers);
      expect(of(heads)[0]).toMatchObject({ hash: blockHash(numbers[0]!), parentHash: blockHash(numbers[0]! - 1n) });
      expect(of(logs).map(({ blockNumber, data }: Json) => [blockNumber, data])).toEqual(
        numbers.map((n) => [block(n), word(n)]),
      );
      expect(of(topics)).toEqual(of(logs));
      expect([...of(none), ...of(two)]).toEqual([]);
    }
  });

  it('of heads have whole transactions for those who want them', async () => {
    const { ask, events } = await connectTo();
    const wanted = [undefined, null, {}, { includeTransactions: false }, { includeTransactions: true }];
    const ids = await Promise.all(wanted.map((one) => ask('eth_subscribe', 'newHeads', one)));
    const [n] = await grow(1);
    await vi.waitUntil(() => events.length >= ids.length);
    const heads = ids.map((id) => events.find(({ subscription }) => subscription === id).result);
    const { transactions } = await ask('eth_getBlockByNumber', block(n!), true);
    const hashes = transactions.map(({ hash }: Json) => hash);
    expect(hashes).toHaveLength(1);
    expect(heads.map((head) => head.transactions)).toEqual([hashes, hashes, hashes, hashes, transactions]);
    expect(new Set(heads.map(({ hash }) => hash))).toEqual(new Set([blockHash(n!)]));
  });

  it('end with their client, or when it says so', async () => {
    const { ask, events, socket } = await connectTo();
    const id = await ask('eth_subscribe', 'newHeads');
    await grow(1);
    await vi.waitUntil(() => events.length === 1);
    expect(await ask('eth_unsubscribe', id)).toBe(true);
    await ask('eth_subscribe', 'newHeads');
    socket.close();
    await vi.waitUntil(() => served.feed.followers() === 0);
    await grow(1);
    expect(events).toHaveLength(1);
  });

  it('a client that comes back fetches by number what it missed', async () => {
    const first = await connectTo();
    await first.ask('eth_subscribe', 'newHeads');
    await grow(2);
    await vi.waitUntil(() => first.events.length === 2);
    first.socket.close();
    const missed = await grow(2);
    const second = await connectTo();
    await second.ask('eth_subscribe', 'newHeads');
    const logs = await second.ask('eth_getLogs', { fromBlock: block(missed[0]!), toBlock: 'latest' });
    const later = await grow(1);
    await vi.waitUntil(() => second.events.length === 1);
    const seen = [
      ...logs.map(({ blockNumber }: Json) => BigInt(blockNumber)),
      ...second.events.map(({ result }) => BigInt(result.number)),
    ];
    expect(seen).toEqual([...missed, ...later]);
  });
});

const upgrade =
  'GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n';

/** Its answer has 110 KB and asks nobody. */
const largeBatch = Buffer.from(`[${Array(1000).fill(1).join()}]`);
const head = Buffer.of(0x81, 0x80 | 126, largeBatch.length >> 8, largeBatch.length & 255, 0, 0, 0, 0);

/** A client's frame, not masked but for its form. */
function frameHead(opcode: number, length: bigint): Buffer {
  const head = Buffer.alloc(14);
  head.set([opcode, 0x80 | 127]);
  head.writeBigUInt64BE(length, 2);
  return head;
}

describe('a client', () => {
  it('that sends a message that is too long is ended', async () => {
    const { socket, closed } = await connectTo();
    socket.send('x'.repeat(2 ** 20 + 1));
    expect(await closed).toBe(1009);
  });

  it('that does not read is ended, and others go on', async () => {
    const bounded = await serveRpc(stored.db, { limits: { maxUnread: 100_000, silenceMs: 1000 } });
    try {
      const reader = await connectTo(bounded.socketUrl);
      await reader.ask('eth_subscribe', 'newHeads');
      const deaf = connect(bounded.port, '127.0.0.1');
      deaf.write(upgrade);
      await new Promise((done) => deaf.once('data', done));
      deaf.pause();
      // None of the answers is read.
      for (let count = 0; count < 100; count++) deaf.write(Buffer.concat([head, largeBatch]));
      deaf.on('error', () => {});
      const isEnded = async () =>
        /rpc_sockets_ended_total\{reason="unread"\} 1\n/.test(await bounded.registry.metrics());
      await vi.waitUntil(isEnded, { timeout: 50_000, interval: 100 });
      await grow(1);
      await vi.waitUntil(() => reader.events.length === 1);
      deaf.destroy();
    } finally {
      await bounded.close();
    }
  });

  it.each<[string, Buffer]>([
    ['announces a frame of 100 MB', frameHead(0x81, 100_000_000n)],
    // They count together: text, and what goes on with it.
    [
      'sends parts that never end',
      Buffer.concat(
        Array.from({ length: 20 }, (_, part) => [
          frameHead(part === 0 ? 1 : 0, 100_000n),
          Buffer.alloc(100_000),
        ]).flat(),
      ),
    ],
  ])('that %s is ended', async (_name, bytes) => {
    const socket = connect(served.port, '127.0.0.1').on('error', () => {});
    socket.write(upgrade);
    await new Promise((done) => socket.once('data', done));
    socket.write(bytes);
    const answer = await new Promise<Buffer>((done) => socket.once('data', done));
    // Close, with its code.
    expect([answer[0], answer.readUInt16BE(2)]).toEqual([0x88, 1009]);
    await new Promise((done) => socket.once('close', done).resume());
  });

  it('of many that do not read takes part in one bound of bytes', async () => {
    const maxUnreadOfAll = 4_000_000;
    const bounded = await serveRpc(stored.db, { limits: { maxUnreadOfAll, silenceMs: 60_000 } });
    const sockets: Socket[] = [];
    try {
      const { body } = await fetch(bounded.rpcUrl, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: largeBatch,
      });
      let length = 0;
      for await (const part of body!) length += part.length;
      for (let count = 0; count < 200; count++) {
        const socket = connect(bounded.port, '127.0.0.1').on('error', () => {});
        sockets.push(socket);
        socket.write(upgrade);
        await new Promise((done) => socket.once('data', done));
        socket.pause();
        // The system's own buffers are full after a few of them.
        for (let more = 0; more < 40; more++) socket.write(Buffer.concat([head, largeBatch]));
      }
      const read = async (name: RegExp) => Number(name.exec(await bounded.registry.metrics())?.[1] ?? -1);
      const isEnded = async () => (await read(/rpc_sockets_ended_total\{reason="unread"\} (\d+)/)) > 0;
      let largest = 0;
      await vi.waitUntil(
        async () => {
          largest = Math.max(largest, await read(/rpc_sockets_unread_bytes (\d+)/));
          return isEnded();
        },
        { timeout: 50_000, interval: 20 },
      );
      expect(largest).toBeGreaterThan(0);
      // At most one answer of each turn of the loop comes before those with most are ended.
      expect(largest).toBeLessThan(maxUnreadOfAll + 20 * length);
      const reader = await connectTo(bounded.socketUrl);
      expect(await reader.ask('eth_chainId')).toBe('0x12a');
    } finally {
      for (const socket of sockets) socket.destroy();
      await bounded.close();
    }
  });

  it('gets no answer that is longer than the bound, and goes on', async () => {
    const bounded = await serveRpc(stored.db, { limits: { maxAnswer: 1000 } });
    try {
      const { send, ask } = await connectTo(bounded.socketUrl);
      expect((await send('eth_getBlockByNumber', '0xa', true)).error).toEqual({
        code: -32000,
        message: 'The answer is longer than 1000 bytes, the most that a web socket gets; ask over HTTP',
      });
      expect(await ask('eth_chainId')).toBe('0x12a');
    } finally {
      await bounded.close();
    }
  });

  it('that is silent is ended', async () => {
    const strict = await serveRpc(stored.db, { limits: { silenceMs: 500 } });
    try {
      const silent = connect(strict.port, '127.0.0.1');
      silent.write(upgrade);
      silent.resume();
      await new Promise((done) => silent.once('close', done));
      expect(await strict.registry.metrics()).toMatch(/rpc_sockets_ended_total\{reason="silent"\} 1\n/);
      // One that answers pings stays.
      const alive = await connectTo(strict.socketUrl);
      await new Promise((done) => setTimeout(done, 1500));
      expect(await alive.ask('eth_chainId')).toBe('0x12a');
    } finally {
      await strict.close();
    }
  });

  it('is told when the service ends', async () => {
    const ending = await serveRpc(stored.db);
    const { closed } = await connectTo(ending.socketUrl);
    await ending.close();
    expect(await closed).toBe(1001);
  });
});
