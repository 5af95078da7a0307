// One address opens connections without end, of every slow kind; others get theirs and keep them.
import { Agent, type IncomingMessage, request } from 'node:http';
import type { Socket } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  ask,
  type FairServer,
  honest,
  hostile,
  openFairServer,
  openSocket,
  settle,
  textOf,
} from '../support/fairness.ts';

const maxConnections = 40;
let server: FairServer;
beforeAll(async () => {
  const slow = ['--head-timeout', '600', '--body-timeout', '600', '--idle-timeout', '600', '--answer-timeout', '600'];
  server = await openFairServer(['--max-connections', String(maxConnections), ...slow]);
});
afterAll(() => server?.close());

/** A client that keeps its connection. */
function openClient(from: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const sockets = new Set<Socket>();
  const get = (path: string): Promise<number> =>
    new Promise((done, fail) => {
      const asked = request(
        { port: server.httpPort, host: '127.0.0.1', localAddress: from, agent, path },
        (answer: IncomingMessage) => {
          sockets.add(answer.socket);
          textOf(answer).then(() => done(answer.statusCode!), fail);
        },
      );
      asked.on('error', fail);
      asked.end();
    });
  return { get, connections: () => sockets.size, close: () => agent.destroy() };
}

const shapes: readonly [string, string][] = [
  ['say nothing', ''],
  ['send half a head', 'GET /api/v1/blocks HTTP/1.1\r\nHost: x\r\n'],
  [
    'send half a body',
    'POST /rpc HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{',
  ],
  ['follow', 'GET /api/v1/blocks?follow=true HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['are kept', 'GET /api/v1/blocks HTTP/1.1\r\nHost: x\r\n\r\n'],
];

it.each(shapes)('connections of one address that %s push nobody out', async (_shape, text) => {
  const clients = honest.map(openClient);
  expect(await Promise.all(clients.map(({ get }) => get('/api/v1/blocks')))).toEqual(honest.map(() => 200));
  const held: Socket[] = [];
  for (let count = 0; count < 3 * maxConnections; count++) {
    const socket = await openSocket(server.httpPort, hostile);
    if (text !== '') socket.write(text);
    held.push(socket);
  }
  await settle();
  // Those that were there are there still, and newcomers come in.
  expect(await Promise.all(clients.map(({ get }) => get('/api/v1/blocks')))).toEqual(honest.map(() => 200));
  expect(clients.map(({ connections }) => connections())).toEqual(honest.map(() => 1));
  for (const from of honest) {
    const answer = await ask({ port: server.httpPort, from, path: '/api/v1/transactions' });
    await textOf(answer);
    expect([from, answer.statusCode]).toEqual([from, 200]);
  }
  expect(server.failures).toEqual([]);
  for (const socket of held) socket.destroy();
  for (const { close } of clients) close();
  await settle();
});

it.each(['gRPC', 'Block node'] as const)('connections of one address to the port %s push nobody out', async (door) => {
  const port = server.portOf(door);
  // What is not read tells no end.
  const open = async (from: string): Promise<Socket> => (await openSocket(port, from)).resume();
  const first = await Promise.all(honest.map(open));
  const held: Socket[] = [];
  for (let count = 0; count < 3 * maxConnections; count++) held.push(await open(hostile));
  const later = await Promise.all(honest.map(open));
  await settle();
  expect([...first, ...later].every((socket) => !socket.destroyed)).toBe(true);
  expect(held.filter((socket) => !socket.destroyed)).toHaveLength(maxConnections - 2 * honest.length);
  for (const socket of [...first, ...held, ...later]) socket.destroy();
});
