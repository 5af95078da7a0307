// Connections that take and give nothing back: each maker opens one, and resolves when the server has it.
import { randomBytes } from 'node:crypto';
import type { EventEmitter } from 'node:events';
import { connect as connectHttp2 } from 'node:http2';
import { connect, type Socket } from 'node:net';
import { topicNum } from '../support/followers/message-stream.ts';
import type { MeasuredServer } from './measured-server.ts';

export type Hostile = { isOver(): boolean; end(): void };

type Server = Pick<MeasuredServer, 'url' | 'rpcPort' | 'grpcPort'>;

async function dial(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => socket.destroy());
  await closeOr(socket, 'connect');
  return socket;
}

/** An error is a kind of end, too. */
function closeOr(connection: EventEmitter, event: 'connect' | 'data' | 'drain' | 'remoteSettings'): Promise<void> {
  return new Promise((done) => {
    const end = (): void => {
      connection.off(event, end).off('close', end);
      done();
    };
    connection.on(event, end).on('close', end);
  });
}

function toHostile(socket: Socket): Hostile {
  let isOver = socket.destroyed;
  socket.on('close', () => {
    isOver = true;
  });
  return { isOver: () => isOver, end: () => socket.destroy() };
}

/** A frame of a client, masked with zeros. `claimed`: the length that it says. */
function frame(opcode: number, data: Buffer, claimed = data.length): Buffer {
  const head = Buffer.alloc(14);
  head[0] = 0x80 | opcode;
  head[1] = 0x80 | 127;
  head.writeBigUInt64BE(BigInt(claimed), 2);
  return Buffer.concat([head, data]);
}

async function upgrade(port: number): Promise<Socket> {
  const socket = await dial(port);
  socket.write(
    `GET / HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${randomBytes(16).toString('base64')}\r\n\r\n`,
  );
  await closeOr(socket, 'data');
  return socket;
}

const ask = (method: string, params: unknown[]): Buffer =>
  frame(1, Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })));

/** Subscribed, and alive. */
export async function quietSocket({ rpcPort }: Server): Promise<Hostile> {
  const socket = await upgrade(rpcPort);
  socket.write(ask('eth_subscribe', ['newHeads']));
  await closeOr(socket, 'data');
  socket.on('data', (data: Buffer) => {
    // A ping.
    if (data[0] === 0x89) socket.write(frame(10, Buffer.alloc(0)));
  });
  return toHostile(socket);
}

/** Subscribed to everything, asks for much, and reads nothing. */
export async function deafSocket({ rpcPort }: Server): Promise<Hostile> {
  const socket = await upgrade(rpcPort);
  socket.pause();
  const block = { jsonrpc: '2.0', id: 1, method: 'eth_getBlockByNumber', params: ['0x1', true] };
  const batch = frame(1, Buffer.from(JSON.stringify(Array.from({ length: 50 }, () => block))));
  socket.write(Buffer.concat([ask('eth_subscribe', ['newHeads']), ask('eth_subscribe', ['logs']), batch, batch]));
  return toHostile(socket);
}

export async function deafEvents({ url }: Server): Promise<Hostile> {
  const socket = await dial(Number(new URL(url).port));
  socket.pause();
  const path = `/api/v1/topics/0.0.${topicNum}/messages?follow=true&timestamp=gte:0`;
  socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  return toHostile(socket);
}

/** Five calls of a connection, of which nothing is read. */
export async function deafGrpc({ grpcPort }: Server): Promise<Hostile> {
  return openCalls(grpcPort, { initialWindowSize: 0 });
}

/** Five calls that wait for messages. */
export async function quietGrpc({ grpcPort }: Server): Promise<Hostile> {
  return openCalls(grpcPort, {});
}

async function openCalls(port: number, settings: object): Promise<Hostile> {
  const session = connectHttp2(`http://127.0.0.1:${port}`, { settings });
  let isOver = false;
  session.on('error', () => {});
  session.on('close', () => {
    isOver = true;
  });
  const path = '/com.hedera.mirror.api.proto.ConsensusService/subscribeTopic';
  // topicID { topicNum }
  const query = Buffer.of(0x0a, 3, 0x18, (topicNum & 127) | 128, topicNum >> 7);
  const fromTheBeginning = 'initialWindowSize' in settings ? Buffer.of(0x12, 2, 0x08, 1) : Buffer.alloc(0);
  const body = Buffer.concat([query, fromTheBeginning]);
  const message = Buffer.concat([Buffer.of(0, 0, 0, 0, body.length), body]);
  await closeOr(session, 'remoteSettings');
  for (let call = 0; call < 5 && !isOver; call++) {
    const stream = session.request({
      ':method': 'POST',
      ':path': path,
      'content-type': 'application/grpc',
      te: 'trailers',
    });
    stream.on('error', () => {});
    stream.end(message);
  }
  return { isOver: () => isOver, end: () => session.destroy() };
}

/** Says that 100 MB come, and sends them. */
export async function hugeFrame({ rpcPort }: Server): Promise<Hostile> {
  const socket = await upgrade(rpcPort);
  const part = Buffer.alloc(2 ** 20);
  socket.write(frame(2, part, 100 * 2 ** 20));
  for (let sent = 0; sent < 100 && !socket.destroyed; sent++) {
    if (!socket.write(part)) await closeOr(socket, 'drain');
  }
  return toHostile(socket);
}

/** Stops in the middle of what it says first. */
export async function halfOpen(server: Server, place: number): Promise<Hostile> {
  const { url, rpcPort, grpcPort } = server;
  const kinds = [
    async () => (await dial(Number(new URL(url).port))).setNoDelay(),
    async () => write(await dial(rpcPort), Buffer.from('GET / HTTP/1.1\r\nHost: localhost\r\nConnection: Upgr')),
    async () => write(await upgrade(rpcPort), frame(1, Buffer.from('{"jsonrpc'), 1000)),
    async () => write(await dial(grpcPort), Buffer.from('PRI * HTTP/2.0\r\n')),
    async () => dial(grpcPort),
  ];
  return toHostile(await kinds[place % kinds.length]!());
}

function write(socket: Socket, bytes: Buffer): Socket {
  socket.write(bytes);
  return socket;
}

/** 100,000 pings, over a web socket or HTTP/2. */
export async function pingFlood({ rpcPort, grpcPort }: Server, place: number): Promise<Hostile> {
  const isSocket = place % 2 === 0;
  const socket = isSocket ? await upgrade(rpcPort) : await dial(grpcPort);
  if (!isSocket) socket.write(Buffer.concat([Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), http2Frame(4, 0)]));
  const ping = isSocket ? frame(9, Buffer.alloc(100)) : http2Frame(6, 8);
  const many = Buffer.concat(Array.from({ length: 1000 }, () => ping));
  // What comes back is not read.
  socket.pause();
  for (let sent = 0; sent < 100 && !socket.destroyed; sent++) {
    if (socket.write(many)) continue;
    const stuck = new Promise((done) => setTimeout(done, 1000));
    await Promise.race([closeOr(socket, 'drain'), stuck]);
  }
  return toHostile(socket);
}

function http2Frame(type: number, length: number): Buffer {
  return Buffer.concat([Buffer.of(0, 0, length, type, 0, 0, 0, 0, 0), Buffer.alloc(length)]);
}

/** As many subscriptions with as many topics as it gets. */
export async function greedySocket({ rpcPort }: Server): Promise<Hostile> {
  const socket = await upgrade(rpcPort);
  socket.on('data', () => {});
  const topics = Array.from({ length: 4 }, () =>
    Array.from({ length: 100 }, () => `0x${randomBytes(32).toString('hex')}`),
  );
  for (let count = 0; count < 100; count++) socket.write(ask('eth_subscribe', ['logs', { topics }]));
  return toHostile(socket);
}
