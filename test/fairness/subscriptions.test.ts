// One address subscribes to as much as there is; others get their subscriptions and keep them.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { doorShares } from '../../packages/kit/shares/door-shares.ts';
import { type FairServer, honest, hostile, openFairServer, settle } from '../support/fairness.ts';

type Json = ReturnType<typeof JSON.parse>;

let server: FairServer;
beforeAll(async () => {
  server = await openFairServer();
});
afterAll(() => server?.close());

async function open(from: string) {
  const url = `ws://127.0.0.1:${server.portOf('JSON-RPC and web sockets')}`;
  const socket: Json = new (WebSocket as Json)(url, { localAddress: from });
  const answers: ((answer: Json) => void)[] = [];
  let closeCode: number | null = null;
  socket.on('message', (data: Buffer) => {
    const message = JSON.parse(data.toString());
    if (message.id !== undefined) answers.shift()!(message);
  });
  socket.on('close', (code: number) => {
    closeCode = code;
    for (const answer of answers.splice(0)) answer({ error: { code: 0 } });
  });
  await new Promise((done) => socket.once('open', done));
  const subscribe = (...params: unknown[]): Promise<Json> =>
    new Promise((done) => {
      if (closeCode !== null) return done({ error: { code: 0 } });
      answers.push(done);
      socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_subscribe', params }));
    });
  return { subscribe, closeCode: () => closeCode, close: () => socket.terminate() };
}

it('subscriptions of one address keep nobody from theirs', async () => {
  const topics = Array.from({ length: 4 }, () => Array(100).fill(`0x${'1'.repeat(64)}`));
  const size = 1 + topics.flat().length;
  const fits = Math.floor(doorShares.subscriptionTerms.places / size);
  const early = await Promise.all(honest.map(open));
  for (const { subscribe } of early) expect((await subscribe('newHeads')).result).toMatch(/^0x/);
  const held = await Promise.all(Array.from({ length: Math.ceil(fits / 100) + 1 }, () => open(hostile)));
  const outcomes: Json[] = [];
  for (const { subscribe } of held) {
    for (let count = 0; count < 100; count++) outcomes.push(await subscribe('logs', { topics }));
  }
  expect(outcomes.filter(({ result }) => result).length).toBe(fits);
  const refused = outcomes.filter(({ error }) => error);
  expect(refused.length).toBeGreaterThan(50);
  expect(refused.every(({ error }) => error.code === -32005)).toBe(true);

  const later = await Promise.all(honest.map(open));
  for (const { subscribe } of [...early, ...later]) {
    expect((await subscribe('logs', { topics })).result).toMatch(/^0x/);
    await held[0]!.subscribe('logs', { topics });
  }
  await settle();
  expect([...early, ...later].every(({ closeCode }) => closeCode() === null)).toBe(true);
  // Its socket ends in order, so that its client knows that it hears nothing any more.
  const ended = held.map(({ closeCode }) => closeCode()).filter((code) => code !== null);
  expect(ended.length).toBeGreaterThan(0);
  expect(new Set(ended)).toEqual(new Set([1013]));
  expect(server.failures).toEqual([]);
  for (const { close } of [...early, ...held, ...later]) close();
});
