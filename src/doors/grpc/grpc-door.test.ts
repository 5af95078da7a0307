// The gRPC port, asked with grpc-js and the messages of the package of the network's protobufs.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect as connectHttp2 } from 'node:http2';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { credentials, Metadata, makeClientConstructor, status } from '@grpc/grpc-js';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { addRows } from '../../../packages/test-support/rows/load-rows.ts';
import type { SetupRow } from '../../../packages/test-support/rows/setup-row.ts';
import { blockRow, blockTimes, entityRow } from '../../../packages/test-support/rpc/chain-rows.ts';
import { openGrpc } from '../../../packages/test-support/rpc/open-grpc.ts';
import { messageRow } from '../../../packages/test-support/rpc/topic-rows.ts';
import { makeCertificate } from '../../../packages/test-support/tls/make-certificate.ts';
import { loadDefinitions, toService } from './definitions.ts';

type Grpc = Awaited<ReturnType<typeof openGrpc>>;

const [topic, otherTopic] = [5001n, 5002n];
const ns = 1_000_000_000n;
const start = 1_700_000_000n * ns;
const time = (moment: bigint) => ({ seconds: Number(moment / ns), nanos: Number(moment % ns) });
const topicID = { topicNum: Number(topic) };

let grpc: Grpc;
let stored: Grpc['stored'];
let feed: Grpc['feed'];
let clientOf: Grpc['clientOf'];
let subscribe: Grpc['subscribe'];
let nodes: Grpc['nodes'];
let registry: Grpc['door']['registry'];
let address: string;
let newest = 0n;
let lastNumber = 0n;

/** A block with messages of the topic, and one of another. */
function nextBlock(messages: number): SetupRow[] {
  newest += 1n;
  const at = blockTimes(newest).start;
  const own = Array.from({ length: messages }, (_, place) => {
    lastNumber += 1n;
    return messageRow(topic, at + BigInt(place), lastNumber);
  });
  return [blockRow(newest), ...own, messageRow(otherTopic, at + 100_000n, newest)];
}

beforeAll(async () => {
  const entry = (node_id: bigint) => ({
    table: 'address_book_entry',
    row: {
      ...{
        consensus_timestamp: 10n,
        node_id,
        node_account_id: node_id + 3n,
        public_key: `aa${node_id}`,
        memo: `0.0.${node_id + 3n}`,
      },
      ...{ node_cert_hash: Buffer.from('ab12'), description: `node ${node_id}`, stake: 0n },
    },
  });
  const rows: SetupRow[] = [
    blockRow(0n),
    ...[topic, otherTopic].map((id) => entityRow(id, { type: 'TOPIC' })),
    entityRow(1001n),
    ...Array.from({ length: 4 }, () => nextBlock(10)).flat(),
    {
      table: 'address_book',
      row: { start_consensus_timestamp: 10n, file_id: 102n, file_data: Buffer.alloc(1), node_count: 3 },
    },
    ...[0n, 1n, 2n].map(entry),
    {
      table: 'address_book_service_endpoint',
      row: { consensus_timestamp: 10n, node_id: 1n, ip_address_v4: '10.0.0.1', port: 50211, domain_name: 'a.example' },
    },
    {
      table: 'node_stake',
      row: {
        consensus_timestamp: 20n,
        epoch_day: 1n,
        max_stake: 9n,
        min_stake: 1n,
        node_id: 1n,
        reward_rate: 0n,
        stake: 77n,
        stake_not_rewarded: 0n,
        stake_rewarded: 77n,
        staking_period: 1n,
      },
    },
  ];
  // A part of a longer message.
  const parts = rows.filter(({ table }) => table === 'topic_message');
  Object.assign(parts[0]!.row, { chunk_num: 1, chunk_total: 2 });
  grpc = await openGrpc(rows, { limits: { requestMs: 1000 } });
  ({ stored, feed, clientOf, subscribe, nodes } = grpc);
  ({ address, registry } = grpc.door);
});
afterEach(() => grpc.closeClients());
afterAll(() => grpc?.close());

type Json = ReturnType<typeof JSON.parse>;

const upTo = (count: number, first = 1) => Array.from({ length: count }, (_, place) => first + place);

describe('subscribeTopic', () => {
  it('gives what is stored, with everything of a message, and ends at the limit', async () => {
    const { messages, ended } = subscribe({ topicID, consensusStartTime: time(start), limit: 2 });
    expect(await ended).toBeNull();
    expect(messages).toHaveLength(2);
    const [first, second] = messages;
    expect(first).toMatchObject({ message: Buffer.from('message 1'), runningHash: Buffer.alloc(48, 1) });
    expect([
      Number(first.sequenceNumber),
      Number(first.runningHashVersion),
      Number(first.consensusTimestamp.seconds),
    ]).toEqual([1, 3, 1_700_000_002]);
    expect([
      first.chunkInfo.number,
      first.chunkInfo.total,
      Number(first.chunkInfo.initialTransactionID.accountID.accountNum),
    ]).toEqual([1, 2, 1001]);
    expect(Number(first.chunkInfo.initialTransactionID.transactionValidStart.seconds)).toBe(1_700_000_001);
    expect(second.chunkInfo).toBeNull();
  });

  it('ends where its end has passed, exclusive', async () => {
    const until = blockTimes(2n).start + 3n;
    const { numbers, ended } = subscribe({ topicID, consensusStartTime: time(start), consensusEndTime: time(until) });
    expect(await ended).toBeNull();
    expect(numbers()).toEqual(upTo(13));
  });

  it.each<[string, object, number, string]>([
    ['no topic', {}, status.INVALID_ARGUMENT, 'subscribeTopic.filter.topicId: must not be null'],
    [
      'a start in the future',
      { topicID, consensusStartTime: { seconds: 9e9 } },
      status.INVALID_ARGUMENT,
      'subscribeTopic.filter.validStartTime: Start time must be before the current time',
    ],
    [
      'a start before time',
      { topicID, consensusStartTime: { seconds: -1 } },
      status.INVALID_ARGUMENT,
      'subscribeTopic.filter.startTime: must be greater than or equal to 0',
    ],
    [
      'an end before the start',
      { topicID, consensusStartTime: { seconds: 10 }, consensusEndTime: { seconds: 9 } },
      status.INVALID_ARGUMENT,
      'subscribeTopic.filter.validEndTime: End time must be after start time',
    ],
    [
      'a limit that is negative',
      { topicID, consensusStartTime: { seconds: 1 }, limit: '18446744073709551615' },
      status.INVALID_ARGUMENT,
      'subscribeTopic.filter.limit: must be greater than or equal to 0',
    ],
    ['no such topic', { topicID: { topicNum: 9_999_999 } }, status.NOT_FOUND, '0.0.9999999 does not exist'],
    ['an account', { topicID: { topicNum: 1001 } }, status.INVALID_ARGUMENT, 'Not a valid topic'],
    [
      'a number beyond all',
      { topicID: { topicNum: '9223372036854775807' } },
      status.INVALID_ARGUMENT,
      'Invalid entity ID: 0.0.9223372036854775807',
    ],
  ])('refuses %s', async (_name, query, code, details) => {
    expect(await subscribe(query).ended).toEqual({ code, details });
  });

  it('goes on with what comes: each message once and in order, for everybody who came at any time', async () => {
    const before = Number(lastNumber);
    const all: ReturnType<typeof subscribe>[] = [];
    for (let block = 0; block < 20; block++) {
      all.push(subscribe({ topicID, consensusStartTime: time(start) }));
      await addRows(stored.connectionString, nextBlock(block % 4));
    }
    const expected = upTo(Number(lastNumber));
    expect(expected.length).toBeGreaterThan(before);
    await vi.waitUntil(() => all.every(({ messages }) => messages.length >= expected.length), { timeout: 20_000 });
    for (const { numbers } of all) expect(numbers()).toEqual(expected);
    for (const { call } of all) call.cancel();
    await vi.waitUntil(() => feed.followers() === 0);
  });

  it('without a start begins now', async () => {
    // The ledger's own time lies in the past: everything that comes is before this start.
    const { numbers, call } = subscribe({ topicID });
    await vi.waitUntil(() => feed.followers() === 1);
    await addRows(stored.connectionString, nextBlock(3));
    await new Promise((done) => setTimeout(done, 100));
    expect(numbers()).toEqual([]);
    call.cancel();
  });

  it('a client that does not read holds up nobody', async () => {
    const deaf = subscribe({ topicID, consensusStartTime: time(start) });
    deaf.call.pause();
    const reader = subscribe({ topicID, consensusStartTime: time(start) });
    await addRows(stored.connectionString, nextBlock(5));
    await vi.waitUntil(() => reader.messages.length === Number(lastNumber));
    deaf.call.cancel();
    reader.call.cancel();
    await vi.waitUntil(async () => (await registry.metrics()).includes('grpc_streams_open 0\n'));
  });
});

describe('getNodes', () => {
  it('gives the newest book by id, with stakes and addresses', async () => {
    const found = await nodes({ file_id: { fileNum: 102 } });
    expect(found.map(({ nodeId }) => Number(nodeId))).toEqual([0, 1, 2]);
    expect(found[1]).toMatchObject({
      ...{ RSA_PubKey: 'aa1', description: 'node 1', nodeCertHash: Buffer.from('ab12'), memo: Buffer.from('0.0.4') },
      serviceEndpoint: [{ ipAddressV4: Buffer.of(10, 0, 0, 1), port: 50211, domain_name: 'a.example' }],
    });
    expect([Number(found[1].stake), Number(found[2].stake), Number(found[1].nodeAccountId.accountNum)]).toEqual([
      77, 0, 4,
    ]);
    expect(await nodes({ file_id: { fileNum: 102 }, limit: 2 })).toHaveLength(2);
  });

  it.each<[object, string]>([
    [{}, 'getNodes.addressBookFilter.fileId: must not be null'],
    [{ file_id: { fileNum: 103 } }, 'Not a valid address book file'],
    [{ file_id: { fileNum: 102 }, limit: -1 }, 'getNodes.addressBookFilter.limit: must be greater than or equal to 0'],
    [{ file_id: { fileNum: 101 } }, '0.0.101 does not exist'],
  ])('refuses %j', async (query, details) => {
    await expect(nodes(query)).rejects.toMatchObject({ details });
  });
});

it('with a certificate the port answers TLS alone', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'grpc-tls-'));
  makeCertificate(folder);
  const [certificate, key] = ['cert.pem', 'key.pem'].map((name) => readFileSync(join(folder, name)));
  rmSync(folder, { recursive: true });
  const own = await grpc.openDoor({ tls: { certificate: certificate!, key: key! } });
  const place = own.address;
  const Health = makeClientConstructor(toService(loadDefinitions().service('grpc.health.v1.Health')), 'Health');
  const check = (given: ReturnType<typeof credentials.createInsecure>): Promise<Json> =>
    new Promise((done) => {
      const client: Json = new Health(place, given);
      const deadline = Date.now() + 2000;
      client.Check({ service: '' }, new Metadata(), { deadline }, (error: Error | null, answer: Json) => {
        client.close();
        done(error ?? answer);
      });
    });
  try {
    expect(await check(credentials.createSsl(certificate!))).toEqual({ status: 1 });
    expect(await check(credentials.createSsl())).toMatchObject({ code: status.UNAVAILABLE });
    expect(await check(credentials.createInsecure())).toBeInstanceOf(Error);
  } finally {
    await own.close();
  }
});

describe('a client that does not go on', () => {
  it('has an opened stream ended when its request does not come, and may open others', async () => {
    const session = connectHttp2(`http://${address}`);
    session.on('error', () => {});
    const head = { ':method': 'POST', 'content-type': 'application/grpc', te: 'trailers' };
    const path = '/com.hedera.mirror.api.proto.ConsensusService/subscribeTopic';
    const half = Array.from({ length: 5 }, () => session.request({ ...head, ':path': path }, { endStream: false }));
    // Of one of them half a message comes.
    half[0]!.write(Buffer.of(0, 0, 0, 0, 9, 8));
    const ended = await Promise.all(
      half.map(
        (stream) =>
          new Promise<Json>((done) => {
            stream.on('response', (headers) => headers['grpc-status'] && done(headers['grpc-status']));
            stream.on('trailers', (trailers) => done(trailers['grpc-status']));
            stream.on('error', () => done('error'));
            stream.resume();
          }),
      ),
    );
    expect(ended).toEqual(half.map(() => String(status.DEADLINE_EXCEEDED)));
    const check = session.request({ ...head, ':path': '/grpc.health.v1.Health/Check' }, { endStream: false });
    check.end(Buffer.alloc(5));
    expect(
      await new Promise((done) => check.on('trailers', (trailers) => done(trailers['grpc-status'])).resume()),
    ).toBe('0');
    session.close();
  });

  it('has its connection ended when it says nothing at all', async () => {
    const silent = connect(Number(address.split(':')[1]), '127.0.0.1');
    const startedMs = performance.now();
    await new Promise((done) => silent.once('close', done).resume());
    expect(performance.now() - startedMs).toBeGreaterThan(500);
  });
});

describe('what gRPC defines', () => {
  const unary = (client: Json, method: string, request: object): Promise<Json> =>
    new Promise((done, fail) =>
      client[method](request, new Metadata(), (error: Error | null, answer: Json) =>
        error ? fail(error) : done(answer),
      ),
    );

  it('health', async () => {
    const health = clientOf('grpc.health.v1.Health');
    expect(await unary(health, 'Check', { service: '' })).toEqual({ status: 1 });
    expect(await unary(health, 'Check', { service: 'com.hedera.mirror.api.proto.ConsensusService' })).toEqual({
      status: 1,
    });
    await expect(unary(health, 'Check', { service: 'x' })).rejects.toMatchObject({ code: status.NOT_FOUND });
    const watch = health.Watch({ service: '' });
    expect(await new Promise((done) => watch.once('data', done))).toEqual({ status: 1 });
    watch.on('error', () => {});
    watch.cancel();
  });

  it('reflection', async () => {
    const call = clientOf('grpc.reflection.v1.ServerReflection').ServerReflectionInfo();
    const ask = (request: object): Promise<Json> =>
      new Promise((done) => {
        call.once('data', done);
        call.write(request);
      });
    const listed = (await ask({ list_services: '' })).list_services_response.service.map(({ name }: Json) => name);
    expect(listed).toEqual([
      ...['com.hedera.mirror.api.proto.ConsensusService', 'com.hedera.mirror.api.proto.NetworkService'],
      ...['grpc.health.v1.Health', 'grpc.reflection.v1.ServerReflection'],
    ]);
    const found = await ask({ file_containing_symbol: 'com.hedera.mirror.api.proto.ConsensusService.subscribeTopic' });
    expect(found.file_descriptor_response.file_descriptor_proto).toHaveLength(2);
    expect(Buffer.from(found.file_descriptor_response.file_descriptor_proto[0]).toString('latin1')).toContain(
      '.com.hedera.mirror.api.proto.ConsensusTopicQuery',
    );
    expect((await ask({ file_by_filename: 'nothing.proto' })).error_response.error_code).toBe(5);
    call.end();
  });

  it('what is no HTTP/2 is ended', async () => {
    const raw = connect(Number(address.split(':')[1]), '127.0.0.1');
    raw.write('GET / HTTP/1.1\r\n\r\n');
    await new Promise((done) => raw.once('close', done).resume());
    expect(await registry.metrics()).toMatch(/grpc_calls_total\{method="getNodes",code="INVALID_ARGUMENT"\} 3\n/);
  });
});
