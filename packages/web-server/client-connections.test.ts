// Whose connection ends when there are too many: loopback has many addresses, each a client of its own.
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { createClientConnections, type EndReason } from './client-connections.ts';
import { defaultConnectionLimits } from './connection-limits.ts';

const maxConnections = 4;
const proxy = '127.0.0.9';
const settle = (): Promise<void> => new Promise((done) => setTimeout(done, 50));

async function openListener() {
  const ended: EndReason[] = [];
  const answers: ServerResponse[] = [];
  const connections = createClientConnections(
    { ...defaultConnectionLimits, maxConnections },
    {
      onEnd: (reason) => ended.push(reason),
      ownerOf: ({ remoteAddress = '' }) => ({ client: remoteAddress, isProxy: remoteAddress === proxy }),
    },
  );
  const beyond: boolean[] = [];
  const server = createServer(
    connections.inTurn((request, answer) => {
      beyond.push(connections.isBeyondBound(request.socket));
      answers.push(answer);
    }),
  );
  connections.watch(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const sockets: Socket[] = [];
  /** `text`: what it says at once. */
  const open = async (from: string, text = ''): Promise<Socket> => {
    const { port } = server.address() as AddressInfo;
    const socket = connect({ port, host: '127.0.0.1', localAddress: from }).on('error', () => {});
    sockets.push(socket.resume());
    await once(socket, 'connect');
    if (text !== '') socket.write(text);
    await settle();
    return socket;
  };
  const close = (): void => {
    for (const socket of sockets) socket.destroy();
    connections.close();
    server.close();
  };
  return { open, close, answers, beyond, ended, count: connections.count };
}

const request = 'GET / HTTP/1.1\r\nhost: x\r\n\r\n';
const isOpen = (sockets: readonly Socket[]): boolean[] => sockets.map((socket) => !socket.destroyed);

test('who has most loses the longest idle one first, and one that is worked on only where it has more than half', async () => {
  const { open, close, answers, beyond, ended } = await openListener();
  const many = [
    await open('127.0.0.2', request),
    await open('127.0.0.2'),
    await open('127.0.0.2'),
    await open('127.0.0.2'),
  ];
  await open('127.0.0.3', request);
  expect(isOpen(many)).toEqual([true, false, true, true]);
  answers[0]!.end();
  await settle();
  // The one that was answered has been idle for the shortest time.
  const third = await open('127.0.0.4', request);
  expect(isOpen(many)).toEqual([true, false, false, true]);
  // With two of four it is still the one with most.
  await open('127.0.0.5', request);
  expect(isOpen(many)).toEqual([true, false, false, false]);
  expect(beyond).toEqual([false, false, false, false]);
  // Each has one now: a newcomer gets none, and is told so.
  await open('127.0.0.6', request);
  expect(beyond.at(-1)).toBe(true);
  third.destroy();
  await settle();
  expect(ended).toEqual(['making_room', 'making_room', 'making_room']);
  close();
});

test.each([
  ['127.0.0.2', false],
  [proxy, true],
])(
  'all connections of %s are worked on: a newcomer comes in unless they are a proxy’s (%s)',
  async (from, isBeyond) => {
    const { open, close, beyond } = await openListener();
    const many = [];
    for (let count = 0; count < maxConnections; count++) many.push(await open(from, request));
    await open('127.0.0.3', request);
    expect(beyond.at(-1)).toBe(isBeyond);
    expect(isOpen(many).filter((one) => !one)).toHaveLength(isBeyond ? 0 : 1);
    close();
  },
);

test('a newcomer of the client that has most takes the place of its own idle one, or none', async () => {
  const { open, close, beyond } = await openListener();
  const other = await open('127.0.0.3');
  const many = [await open('127.0.0.2'), await open('127.0.0.2', request), await open('127.0.0.2', request)];
  await open('127.0.0.2', request);
  expect(isOpen([other, ...many])).toEqual([true, false, true, true]);
  await open('127.0.0.2', request);
  expect(beyond).toEqual([false, false, false, true]);
  expect(isOpen([other, ...many])).toEqual([true, false, true, true]);
  close();
});
