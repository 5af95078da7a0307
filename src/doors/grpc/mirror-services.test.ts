// What the services of a mirror node say to each kind of request, asked with grpc-js.
import { credentials, Metadata, makeClientConstructor, status } from '@grpc/grpc-js';
import pg from 'pg';
import protobuf from 'protobufjs';
import descriptor from 'protobufjs/ext/descriptor/index.js';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { proto } from '../../../packages/protocol/hapi/hapi.ts';
import { usualRealm } from '../../../packages/protocol/hapi/system-entity.ts';
import { addRows } from '../../../packages/test-support/rows/load-rows.ts';
import type { SetupRow } from '../../../packages/test-support/rows/setup-row.ts';
import { entityRow } from '../../../packages/test-support/rpc/chain-rows.ts';
import { openGrpc } from '../../../packages/test-support/rpc/open-grpc.ts';
import { messageRow } from '../../../packages/test-support/rpc/topic-rows.ts';
import { toService } from './definitions.ts';
import { subscribeTopic } from './mirror-services.ts';

type Json = ReturnType<typeof JSON.parse>;

const ns = 1_000_000_000n;
const base = 1_700_000_000n * ns;
const ids = { chunks: 6001n, gap: 6002n, old: 6003n, disorder: 6004n, deaf: 6005n };
const startOf = (topic: bigint) => base + (topic - 6000n) * 1000n;
const ask = (topic: bigint, more: object = {}) => ({
  ...{ topicID: { topicNum: Number(topic) }, consensusStartTime: { seconds: 1 } },
  ...more,
});
const at = (moment: bigint) => ({ seconds: Number(moment / ns), nanos: Number(moment % ns) });
const aliasId = proto.TransactionID.encode({
  accountID: { shardNum: 0, realmNum: 0, alias: Buffer.from('abcd', 'hex') },
  transactionValidStart: { seconds: 77, nanos: 5 },
  ...{ nonce: 3, scheduled: true },
} as unknown as proto.ITransactionID).finish();

let grpc: Awaited<ReturnType<typeof openGrpc>>;

/** No block is stored: what is there is there all the same. */
beforeAll(async () => {
  const chunk = (number: bigint, row: Record<string, unknown>): SetupRow =>
    messageRow(ids.chunks, startOf(ids.chunks) + number, number, { chunk_num: Number(number), chunk_total: 5, ...row });
  const of = (topic: bigint, numbers: readonly bigint[]): SetupRow[] =>
    numbers.map((number, place) => messageRow(topic, startOf(topic) + BigInt(place), number));
  const endpoint = (node_id: bigint, ip_address_v4: string, domain_name: string): SetupRow => ({
    table: 'address_book_service_endpoint',
    row: { consensus_timestamp: 30n, node_id, ip_address_v4, port: 50_211, domain_name },
  });
  const book = (start: bigint, file: bigint): SetupRow => ({
    table: 'address_book',
    row: { start_consensus_timestamp: start, file_id: file, file_data: Buffer.alloc(1), node_count: 25 },
  });
  const entry = (consensus_timestamp: bigint, node_id: bigint, row: Record<string, unknown> = {}): SetupRow => ({
    table: 'address_book_entry',
    row: { consensus_timestamp, node_id, node_account_id: node_id + 3n, stake: 5n, ...row },
  });
  const stake = (consensus_timestamp: bigint, node_id: bigint, amount: bigint): SetupRow => ({
    table: 'node_stake',
    row: {
      ...{ consensus_timestamp, epoch_day: consensus_timestamp, max_stake: 9n, min_stake: 1n, node_id, stake: amount },
      ...{ reward_rate: 0n, stake_not_rewarded: 0n, stake_rewarded: 0n, staking_period: 1n },
    },
  });
  grpc = await openGrpc([
    ...Object.values(ids).map((id) => entityRow(id, { type: 'TOPIC' })),
    entityRow(1001n),
    chunk(1n, { initial_transaction_id: Buffer.from(aliasId), running_hash_version: null }),
    chunk(2n, { initial_transaction_id: Buffer.from('ffff', 'hex') }),
    chunk(3n, { initial_transaction_id: null }),
    chunk(4n, { initial_transaction_id: null, valid_start_timestamp: null, running_hash_version: 2 }),
    messageRow(ids.chunks, startOf(ids.chunks) + 5n, 5n),
    ...of(ids.gap, [1n, 2n, 5n]),
    ...of(ids.old, [1n, 2n, 3n]),
    ...of(ids.disorder, [2n, 1n]),
    messageRow(ids.deaf, BigInt(Date.now()) * 1_000_000n + 7200n * ns, 1n),
    ...[book(20n, 102n), book(30n, 102n), book(25n, 101n)],
    ...[entry(20n, 99n), entry(25n, 7n)],
    ...Array.from({ length: 25 }, (_, node) => entry(30n, BigInt(node))),
    ...[endpoint(2n, '', 'node.example'), endpoint(3n, '127.0.0.9', ''), endpoint(3n, '128.0.0.1', 'both.example')],
    ...[stake(40n, 2n, 1n), stake(50n, 3n, 300n)],
    {
      table: 'node',
      row: { node_id: 4n, account_id: 888n, created_timestamp: 1n, deleted: false, timestamp_range: '[1,)' },
    },
  ]);
});
afterEach(() => grpc.closeClients());
afterAll(() => grpc?.close());

describe('subscribeTopic', () => {
  it('says what the first part of a message was submitted with: as stored, else as the part says', async () => {
    const { messages, ended } = grpc.subscribe(ask(ids.chunks, { limit: 5 }));
    expect(await ended).toBeNull();
    const [asStored, unreadable, ofPart, unknown, whole] = messages;
    expect(Buffer.from(proto.TransactionID.encode(asStored.chunkInfo.initialTransactionID).finish())).toEqual(
      Buffer.from(aliasId),
    );
    for (const { chunkInfo } of [unreadable, ofPart]) {
      const { accountID, transactionValidStart, nonce, scheduled } = chunkInfo.initialTransactionID;
      const second = Number(transactionValidStart.seconds);
      expect([Number(accountID.accountNum), second, nonce, scheduled]).toEqual([1001, Number(base / ns), 0, false]);
    }
    expect(unknown.chunkInfo).toMatchObject({ initialTransactionID: null, number: 4, total: 5 });
    expect(whole.chunkInfo).toBeNull();
    expect(messages.map(({ runningHashVersion }) => Number(runningHashVersion))).toEqual([3, 3, 3, 2, 3]);
  });

  it('ends a stream in which a number is missing, or comes too late', async () => {
    for (const [topic, numbers] of [[ids.gap, [1, 2]] as const, [ids.disorder, [2]] as const]) {
      const stream = grpc.subscribe(ask(topic));
      expect(await stream.ended).toEqual({ code: status.UNKNOWN, details: 'Unknown error' });
      expect(stream.numbers()).toEqual(numbers);
    }
  });

  it('with an end that has passed ends after what is stored, exclusive', async () => {
    for (const [end, numbers] of [
      [startOf(ids.old) + 2n, [1, 2]] as const,
      [startOf(ids.old) + 1000n, [1, 2, 3]] as const,
    ]) {
      const stream = grpc.subscribe(ask(ids.old, { consensusEndTime: at(end) }));
      expect(await stream.ended).toBeNull();
      expect(stream.numbers()).toEqual(numbers);
    }
    const second = BigInt(Math.floor(Date.now() / 1000)) * ns;
    expect(await grpc.subscribe(ask(ids.old, { consensusEndTime: at(second) })).ended).toBeNull();
  });

  it('with an end to come waits 30 s longer for the ledger to pass it', async () => {
    const asked = BigInt(Date.now()) * 1_000_000n;
    let hours = 0n;
    const clock = () => BigInt(Date.now()) * 1_000_000n + hours * 3600n * ns;
    const { ledger, hub } = grpc;
    const context = { ledger, hub, system: usualRealm, clock, allowsUnknownTopics: false };
    const query = ask(ids.old, { consensusEndTime: at(asked + 3600n * ns - 29_900_000_000n) });
    const gone = new AbortController();
    const stream = subscribeTopic(context, query, gone.signal, () => {});
    for (let number = 1; number <= 3; number++) expect((await stream.next()).done).toBe(false);
    hours = 1n;
    // A tenth of a second is left.
    const startedMs = performance.now();
    expect(await stream.next()).toEqual({ done: true, value: undefined });
    expect(performance.now() - startedMs).toBeLessThan(5000);
  });

  it('takes a second near the end of time as no end, and says everything that is wrong', async () => {
    const endless = grpc.subscribe(ask(ids.old, { consensusEndTime: { seconds: 9_223_372_036 }, limit: 3 }));
    expect(await endless.ended).toBeNull();
    expect(endless.numbers()).toEqual([1, 2, 3]);
    const wrong = { consensusStartTime: { seconds: -2 }, consensusEndTime: { seconds: -3 } };
    expect(await grpc.subscribe(wrong).ended).toEqual({
      code: status.INVALID_ARGUMENT,
      details:
        'subscribeTopic.filter.topicId: must not be null, subscribeTopic.filter.startTime: must be greater than or equal to 0, subscribeTopic.filter.validEndTime: End time must be after start time',
    });
  });

  it.each<[object, number, string]>([
    [{ topicNum: -1 }, status.INVALID_ARGUMENT, 'Invalid entity ID: 0.0.-1'],
    [{ shardNum: 1024, topicNum: 5 }, status.INVALID_ARGUMENT, 'Invalid entity ID: 1024.0.5'],
    [{ realmNum: 1, topicNum: 6001 }, status.NOT_FOUND, '0.1.6001 does not exist'],
    [{}, status.NOT_FOUND, '0.0.0 does not exist'],
  ])('refuses the topic %j', async (topicID, code, details) => {
    expect(await grpc.subscribe({ topicID }).ended).toEqual({ code, details });
  });

  it('waits for a topic that does not exist where that is allowed', async () => {
    const lenient = await grpc.openDoor({ allowsUnknownTopics: true });
    try {
      const stream = grpc.subscribe(ask(7001n, { limit: 1 }), lenient.address);
      expect(await grpc.subscribe(ask(1001n), lenient.address).ended).toMatchObject({ details: 'Not a valid topic' });
      await vi.waitUntil(() => grpc.feed.followers() > 0);
      const start = BigInt(Date.now()) * 1_000_000n;
      const bounded = grpc.subscribe(ask(ids.old, { consensusEndTime: at(start + 3600n * ns) }));
      await vi.waitUntil(() => bounded.messages.length === 3);
      await addRows(grpc.stored.connectionString, [
        messageRow(7001n, start, 1n),
        {
          table: 'record_file',
          row: {
            ...{
              index: 1n,
              consensus_start: start,
              consensus_end: start + 3600n * ns,
              hash: '11',
              file_hash: '11',
              prev_hash: '00',
            },
            ...{ count: 1n, digest_algorithm: 0, load_start: 0n, load_end: 0n, name: '1.rcd', version: 6 },
          },
        },
      ]);
      expect(await stream.ended).toBeNull();
      expect(stream.numbers()).toEqual([1]);
      // The ledger has passed its end.
      expect(await bounded.ended).toBeNull();
    } finally {
      await lenient.close();
    }
  });

  it('ends a client that does not read when 16,384 messages wait for it', async () => {
    const deaf = grpc.subscribe(ask(ids.deaf));
    await vi.waitUntil(() => deaf.messages.length === 1);
    deaf.call.pause();
    const client = new pg.Client({ connectionString: grpc.stored.connectionString });
    await client.connect();
    await client.query(`
      insert into topic_message (topic_id, consensus_timestamp, sequence_number, message, running_hash, payer_account_id)
      select topic_id, consensus_timestamp + n, 1 + n, message, running_hash, payer_account_id
      from topic_message, generate_series(1, 20000) n where topic_id = ${ids.deaf}`);
    await client.query(`update record_file set consensus_end = consensus_end + ${7200n * ns}`);
    await client.end();
    const lagging = 'grpc_calls_total{method="subscribeTopic",code="DEADLINE_EXCEEDED"} 1\n';
    await vi.waitUntil(async () => (await grpc.door.registry.metrics()).includes(lagging), { timeout: 20_000 });
    deaf.call.resume();
    const details = 'Client lags too much behind. Please retry later';
    expect(await deaf.ended).toEqual({ code: status.DEADLINE_EXCEEDED, details });
    expect(deaf.numbers()).toEqual(Array.from(deaf.messages, (_, place) => place + 1));
    expect(deaf.messages.length).toBeLessThan(20_001 - 16_384);
  });

  it('tells those who wait that the server ends: they come back', async () => {
    const ending = await grpc.openDoor();
    const stream = grpc.subscribe(ask(ids.old), ending.address);
    await vi.waitUntil(() => stream.messages.length === 3);
    await ending.close();
    expect(await stream.ended).toEqual({ code: status.UNAVAILABLE, details: 'The server is ending' });
  });
});

describe('getNodes', () => {
  it('gives the newest book of either file, up to the limit', async () => {
    const numbers = async (fileNum: number, limit = 0) =>
      (await grpc.nodes({ file_id: { fileNum }, limit })).map(({ nodeId }) => Number(nodeId));
    expect(await numbers(102)).toEqual(Array.from({ length: 25 }, (_, node) => node));
    expect(await numbers(102, 12)).toHaveLength(12);
    expect(await numbers(101)).toEqual([7]);
  });

  it('gives addresses, accounts and stakes as they are now, and leaves out what is not known', async () => {
    const nodes = await grpc.nodes({ file_id: { fileNum: 102 } });
    const port = 50_211;
    expect(nodes[2].serviceEndpoint).toMatchObject([
      { ipAddressV4: Buffer.alloc(0), port, domain_name: 'node.example' },
    ]);
    expect(nodes[3].serviceEndpoint).toMatchObject([
      { ipAddressV4: Buffer.of(127, 0, 0, 9), port, domain_name: '' },
      { ipAddressV4: Buffer.of(128, 0, 0, 1), port, domain_name: 'both.example' },
    ]);
    expect(nodes.slice(2, 5).map(({ stake }) => Number(stake))).toEqual([0, 300, 0]);
    expect(nodes.slice(3, 5).map(({ nodeAccountId }) => Number(nodeAccountId.accountNum))).toEqual([6, 888]);
    expect(nodes[0]).toMatchObject({ RSA_PubKey: '', description: '', serviceEndpoint: [] });
    expect([nodes[0].memo, nodes[0].nodeCertHash].map((bytes) => bytes.length)).toEqual([0, 0]);
  });

  it('refuses what is no file at all', async () => {
    await expect(grpc.nodes({ file_id: { fileNum: -1 }, limit: -1 })).rejects.toMatchObject({
      ...{ code: status.INVALID_ARGUMENT, details: 'Invalid entity ID: 0.0.-1' },
    });
  });
});

describe('bounds', () => {
  it('refuses a request of more than 1,024 bytes', async () => {
    const health = grpc.clientOf('grpc.health.v1.Health');
    const check = (length: number): Promise<Json> =>
      new Promise((done) =>
        health.Check({ service: 'x'.repeat(length) }, new Metadata(), (error: Json) => done(error)),
      );
    expect((await check(1021)).code).toBe(status.NOT_FOUND);
    expect((await check(1022)).code).toBe(status.RESOURCE_EXHAUSTED);
  });

  it('answers five calls of a connection at once', async () => {
    const client = grpc.clientOf('com.hedera.mirror.api.proto.ConsensusService');
    const calls: Json[] = Array.from({ length: 6 }, () => client.subscribeTopic(ask(ids.old)));
    const counts = calls.map(() => 0);
    calls.forEach((call, place) => {
      call.on('error', () => {});
      call.on('data', () => {
        counts[place]! += 1;
      });
    });
    await vi.waitUntil(() => counts.slice(0, 5).every((count) => count === 3));
    expect(counts[5]).toBe(0);
    for (const call of calls) call.cancel();
  });
});

it('calls that come together leave the database to others, and are answered in turn', async () => {
  const client = new pg.Client({ connectionString: grpc.stored.connectionString });
  await client.connect();
  await client.query('begin; lock table entity in access exclusive mode');
  const calls = Array.from({ length: 60 }, () => grpc.subscribe(ask(ids.old, { limit: 3 })));
  const open = async () => (await grpc.door.registry.getSingleMetric('grpc_streams_open')!.get()).values[0]!.value;
  await vi.waitUntil(async () => (await open()) === 60, 10_000);
  // No other table is locked: others are answered.
  const others = await grpc.ledger.newestEnd().catch((error: Error) => error);
  const { waiting } = grpc.stored.db.connections();
  await client.query('commit');
  await client.end();
  expect([others instanceof Error, waiting]).toEqual([false, 0]);
  expect(await Promise.all(calls.map(({ ended }) => ended))).toEqual(calls.map(() => null));
  for (const call of calls) expect(call.numbers()).toEqual([1, 2, 3]);
});

it('a client that knows only what reflection says asks all services', async () => {
  const reflection = grpc.clientOf('grpc.reflection.v1.ServerReflection').ServerReflectionInfo();
  const learn = (request: object): Promise<Json> =>
    new Promise((done) => {
      reflection.once('data', done);
      reflection.write(request);
    });
  const names = (await learn({ list_services: '*' })).list_services_response.service.map(({ name }: Json) => name);
  const files = new Map<string, Json>();
  for (const name of names) {
    const answer = await learn({ file_containing_symbol: name });
    for (const bytes of answer.file_descriptor_response.file_descriptor_proto) {
      const file = descriptor.FileDescriptorProto.decode(bytes) as Json;
      files.set(file.name, file);
      for (const needed of file.dependency)
        expect((await learn({ file_by_filename: needed })).error_response).toBeNull();
    }
  }
  reflection.end();
  const set = descriptor.FileDescriptorSet.fromObject({ file: [...files.values()] });
  const root = (protobuf.Root as Json).fromDescriptor(set);
  const name = 'com.hedera.mirror.api.proto.ConsensusService';
  const Consensus = makeClientConstructor(toService(root.lookupService(name)), name) as Json;
  const client = new Consensus(grpc.door.address, credentials.createInsecure());
  const texts: string[] = [];
  for await (const { message } of client.subscribeTopic(ask(ids.old, { limit: 3 }))) texts.push(message.toString());
  client.close();
  expect(texts).toEqual(['message 1', 'message 2', 'message 3']);
});
