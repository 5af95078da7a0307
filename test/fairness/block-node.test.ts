// One address has all streams of the block node's port; others follow all the same.
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { doorShares } from '../../packages/kit/shares/door-shares.ts';
import {
  type FairServer,
  type GrpcCall,
  honest,
  hostile,
  openFairServer,
  openGrpcConnection,
  settle,
} from '../support/fairness.ts';

const { places } = doorShares.blockStreams;
const streamsOfConnection = 10;
const path = '/org.hiero.block.api.BlockStreamSubscribeService/subscribeBlockStream';
/** From block 0 on, without end: fields 1 and 2 as varints; a zero is not written. */
const everything = Buffer.from([0x10, ...Array(9).fill(0xff), 0x01]);
const resourceExhausted = 8;

let server: FairServer;
beforeAll(async () => {
  server = await openFairServer();
});
afterAll(() => server?.close());

it.each([
  ['reads nothing', false],
  ['reads', true],
])('one address that holds every stream, and %s, keeps nobody out', async (_how, reads) => {
  const port = server.portOf('Block node');
  const connections = [];
  const held: GrpcCall[] = [];
  for (let count = 0; count < places / streamsOfConnection; count++) {
    const connection = await openGrpcConnection(port, hostile);
    connections.push(connection);
    for (let stream = 0; stream < streamsOfConnection; stream++)
      held.push(connection.call(path, everything, { reads }));
  }
  await vi.waitUntil(async () => (await server.metric('block_node_streams_open')) === places, { timeout: 30_000 });

  const own: GrpcCall[] = [];
  for (const from of honest) {
    const connection = await openGrpcConnection(port, from);
    connections.push(connection);
    own.push(connection.call(path, everything));
  }
  await vi.waitUntil(() => own.every((call) => call.received() > 1000), { timeout: 30_000 });
  const another = await openGrpcConnection(port, hostile);
  connections.push(another);
  const refused = await another.call(path, everything).ended;
  expect(refused).toEqual({ status: resourceExhausted, pushBackMs: 5000 });
  if (reads) {
    await vi.waitUntil(() => held.filter((call) => !call.isOpen()).length === honest.length);
    for (const call of held.filter((one) => !one.isOpen())) {
      expect(await call.ended).toEqual({ status: resourceExhausted, pushBackMs: 5000 });
    }
  }
  await settle();
  expect(own.every((call) => call.isOpen())).toBe(true);
  expect(server.failures).toEqual([]);
  for (const { close } of connections) close();
  await vi.waitUntil(async () => (await server.metric('block_node_streams_open')) === 0, { timeout: 30_000 });
});
