// One address has all streams of gRPC: of topics, of health, and conversations about the services; others get theirs.
// The door has fewer places here than a server has.
import type { Method } from 'protobufjs';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { blockRow, blockTimes, entityRow } from '../../packages/test-support/rpc/chain-rows.ts';
import { openGrpc } from '../../packages/test-support/rpc/open-grpc.ts';
import { messageRow } from '../../packages/test-support/rpc/topic-rows.ts';
import { loadDefinitions } from '../../src/doors/grpc/definitions.ts';
import { type GrpcCall, honest, hostile, openGrpcConnection, settle } from '../support/fairness.ts';

const maxStreams = 40;
const streamsOfConnection = 5;
const topic = 5001n;
const resourceExhausted = 8;
const { service } = loadDefinitions();

let grpc: Awaited<ReturnType<typeof openGrpc>>;
let port: number;
beforeAll(async () => {
  const { start } = blockTimes(0n);
  const messages = Array.from({ length: 20 }, (_, place) =>
    messageRow(topic, start + BigInt(place), BigInt(place + 1)),
  );
  const rows = [blockRow(0n), entityRow(topic, { type: 'TOPIC' }), entityRow(1001n), ...messages];
  grpc = await openGrpc(rows, { limits: { maxStreams } });
  ({ port } = grpc.door);
});
afterAll(() => grpc?.close());

function encode(serviceName: string, method: string, asked: object): [path: string, message: Buffer] {
  const { resolvedRequestType } = service(serviceName).methods[method]!.resolve() as Method;
  const type = resolvedRequestType!;
  return [`/${serviceName}/${method}`, Buffer.from(type.encode(type.fromObject(asked)).finish())];
}

const subscribeTopic = encode('com.hedera.mirror.api.proto.ConsensusService', 'subscribeTopic', {
  topicID: { topicNum: Number(topic) },
  consensusStartTime: { seconds: 0 },
});
const watchHealth = encode('grpc.health.v1.Health', 'Watch', {});
const reflect = encode('grpc.reflection.v1.ServerReflection', 'ServerReflectionInfo', { list_services: '' });

it.each<[string, [string, Buffer], { endsAsking?: boolean }]>([
  ['topics', subscribeTopic, {}],
  ['health', watchHealth, {}],
  ['descriptions', reflect, { endsAsking: false }],
])('one address that holds every stream, of %s, keeps nobody out', async (_what, asked, options) => {
  const connections: { close(): void }[] = [];
  const open = async (from: string) => {
    const connection = await openGrpcConnection(port, from);
    connections.push(connection);
    return connection;
  };
  const held: GrpcCall[] = [];
  while (held.length < maxStreams) {
    const { call } = await open(hostile);
    for (let stream = 0; stream < streamsOfConnection; stream++) held.push(call(...asked, options));
  }
  await vi.waitUntil(() => held.every((call) => call.received() > 0), { timeout: 30_000 });

  const own = await Promise.all(honest.map(async (from) => (await open(from)).call(...subscribeTopic)));
  // Every message that is stored.
  await vi.waitUntil(() => own.every((call) => call.received() > 20 * 50), { timeout: 30_000 });
  const { call } = await open(hostile);
  expect(await call(...asked, options).ended).toEqual({ status: resourceExhausted, pushBackMs: 5000 });
  await vi.waitUntil(() => held.filter((one) => !one.isOpen()).length === honest.length, { timeout: 10_000 });
  for (const one of held.filter(({ isOpen }) => !isOpen()))
    expect(await one.ended).toEqual({ status: resourceExhausted, pushBackMs: 5000 });
  await settle();
  expect(own.every((one) => one.isOpen())).toBe(true);
  for (const { close } of connections) close();
  await settle(300);
});

it('who watches and asks for health costs a question in half a second', async () => {
  const watching = await openGrpcConnection(port, hostile);
  const { isReady } = grpc.ledger;
  const asking = vi.fn(isReady);
  // A question is made when it is first asked for: there is nothing to be replaced before.
  Object.defineProperty(grpc.ledger, 'isReady', { value: asking, configurable: true });
  const [path, message] = encode('grpc.health.v1.Health', 'Check', {});
  for (let count = 0; count < 40; count++) await watching.call(path, message).ended;
  expect(asking.mock.calls.length).toBeLessThan(10);
  Reflect.deleteProperty(grpc.ledger, 'isReady');
  watching.close();
});
