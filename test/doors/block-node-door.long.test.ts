// The port of a block node over a simulated ledger: what a client of block nodes gets is what lies in the files.
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { connect as connectHttp2 } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import pg from 'pg';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createClientOutcomes } from '../../packages/kit/shares/client-outcomes.ts';
import { openDatabase } from '../../packages/postgres/wire/database.ts';
import { usualRealm } from '../../packages/protocol/hapi/system-entity.ts';
import { writeBlock } from '../../packages/simulated-network/formats/block-file.ts';
import { noBlockWatch } from '../../packages/store/notify/block-watch.ts';
import { toBlock } from '../../packages/streams/block-stream/block.ts';
import { itemKinds, splitBlock, writeItem } from '../../packages/streams/block-stream/block-item.ts';
import { createScratchDatabase, type ScratchDatabase } from '../../packages/test-support/postgres/scratch-database.ts';
import { proto } from '../../packages/test-support/streams/hiero-proto.ts';
import { openNetwork } from '../../packages/test-support/streams/open-network.ts';
import { readBlocks } from '../../packages/test-support/streams/write-network.ts';
import { makeCertificate } from '../../packages/test-support/tls/make-certificate.ts';
import { createClientOf } from '../../packages/web-server/client-of.ts';
import { type BlockNodeDoorLimits, createBlockNodeDoor } from '../../src/doors/block-node/block-node-door.ts';
import { createLedgerFeed } from '../../src/doors/feed/ledger-feed.ts';
import { createLedger } from '../../src/ledger/create-ledger.ts';
import { readSourceBlocks } from '../../src/runtime/serve/read-source-blocks.ts';
import { loadSettings } from '../../src/runtime/settings/load-settings.ts';
import { serveHere } from '../support/program/serve-here.ts';
import { endless, openBlockNodeClient, readItems, readNumber } from '../support/servers/block-node-client.ts';
import { importFolder } from '../support/tables/import-folder.ts';
import { rehearseBlockNodeDoor } from './rehearse-block-node-door.ts';

/** On a busy machine, too. */
const until = (isSo: () => boolean | Promise<boolean>) => vi.waitUntil(isSo, { timeout: 30_000 });
const silent = pino({ level: 'silent' });
const closers: (() => Promise<void> | void)[] = [];
let folder: string;
let network: Awaited<ReturnType<typeof openNetwork>>;
let scratch: ScratchDatabase;

const write = (blocks: number) => network.run({ intervalMs: 0, blocks, transactionsPerBlock: 4, signEvery: 4 });
const blocksFolder = () => join(folder, 'blocks');
const importAll = (keepsFiles = false) =>
  importFolder(folder, readFileSync(network.addressBookPath), scratch.connectionString, { keepsFiles });
const files = () => readdirSync(blocksFolder()).sort();

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'block-node-door-'));
  network = await openNetwork({ folder, seed: 'a block node', nodes: 3, format: 'blocks' });
  scratch = await createScratchDatabase();
  await write(12);
  await importAll();
});
afterAll(async () => {
  for (const close of closers.reverse()) await close();
  await network?.close();
  await scratch?.close();
  rmSync(folder, { recursive: true, force: true });
});

type DoorOptions = {
  source?: string | null;
  limits?: Partial<BlockNodeDoorLimits>;
  hasRoom?: () => boolean;
  tls?: { certificate: Buffer; key: Buffer };
  connectionString?: string;
};

async function openDoor({ source = folder, limits = {}, hasRoom, tls, connectionString }: DoorOptions = {}) {
  const db = openDatabase({ connectionString: connectionString ?? scratch.connectionString });
  const ledger = createLedger({ db, clock: () => 0n, system: usualRealm });
  const times = { lookEveryMs: 5, askEveryMs: 10 };
  const feed = createLedgerFeed({ readEnd: ledger.newestEnd, watch: noBlockWatch, onError: () => {}, ...times });
  const registry = new Registry();
  const outcomes = createClientOutcomes();
  const door = createBlockNodeDoor({
    files: ledger.blockFiles,
    source: readSourceBlocks(source ?? undefined, loadSettings('serve', [], {}), silent),
    ...{ feed, registry, limits, log: silent, version: '1.2.3-rc', maxConnections: 100, hasRoom: hasRoom ?? null },
    ...{ clientOf: createClientOf(), outcomes },
    tls: tls ?? null,
  });
  await new Promise<void>((done) => door.server.listen(0, '127.0.0.1', done));
  const address = `127.0.0.1:${(door.server.address() as AddressInfo).port}`;
  const client = openBlockNodeClient(address, tls?.certificate);
  const close = async (): Promise<void> => {
    client.close();
    await door.close();
    await feed.close();
    await db.close();
  };
  closers.push(close);
  const metric = async (name: string): Promise<number> =>
    (await registry.getSingleMetric(name)!.get()).values.reduce((sum, { value }) => sum + value, 0);
  return { client, address, metric, outcomes, close };
}

describe('a service with this port', () => {
  it('says it, and answers as a block node', async () => {
    const flags = ['--source', folder, '--block-node-port', '0', '--status-service', 'off'];
    const server = await serveHere(scratch.connectionString, flags);
    const client = openBlockNodeClient(server.places.find((place) => place.startsWith('Block node: '))!.slice(12));
    expect(await client.status()).toEqual(['0', '11', '12']);
    expect((await client.ranges()).ranges).toEqual(['0-11']);
    const following = client.subscribe(0, endless);
    await until(() => following.blocks.length === 12);
    expect(await (await fetch(`${server.url}/metrics`)).text()).toContain('block_node_streams_open 1');
    await server.close();
    expect(await following.ended).toBe('SUCCESS');
    client.close();
  });
});

describe('a stream of blocks', () => {
  it('has the bytes of the files, in order, and the transactions that are stored', async () => {
    const { client } = await openDoor();
    const stream = client.subscribe(0, 11);
    expect(await stream.ended).toBe('SUCCESS');
    const expected = readBlocks(blocksFolder());
    expect(stream.blocks.map(({ bytes }) => bytes.toString('hex'))).toEqual(expected.map((one) => one.toString('hex')));
    const payers: string[] = [];
    for (const [at, { number, bytes }] of stream.blocks.entries()) {
      const items = readItems(bytes);
      expect([number, readNumber(items[0]!.header)]).toEqual([`${at}`, `${at}`]);
      expect(items.at(-1)!.proof.length).toBeGreaterThan(0);
      // The package cannot read the body that publishes a ledger's id, which stands in the first blocks.
      for (const { transaction } of items.filter((item) => at > 1 && item.transaction.length > 0)) {
        const { bodyBytes } = proto.SignedTransaction.decode(transaction);
        const { transactionID } = proto.TransactionBody.decode(bodyBytes!);
        if (!transactionID?.scheduled) payers.push(`${transactionID?.accountID?.accountNum}`);
      }
    }
    const stored = await select<{ payer: string }>(
      'select payer_account_id as payer from transaction where parent_consensus_timestamp is null and not scheduled and consensus_timestamp > (select consensus_end from record_file where index = 1)',
    );
    expect(payers.length).toBeGreaterThan(30);
    const own = stored.map(({ payer }) => payer);
    for (const payer of new Set(own)) expect(payers).toContain(payer);
  });

  it.each([
    [0, 3, 'SUCCESS', [0, 1, 2, 3]],
    [7, 7, 'SUCCESS', [7]],
    [5, 4, 'INVALID_END', []],
    [endless, 1, 'SUCCESS', [0, 1]],
    ['9223372036854775808', endless, 'INVALID_START', []],
    ['18446744073709551614', endless, 'INVALID_START', []],
    [0, '18446744073709551614', 'INVALID_END', []],
    [5000, endless, 'NOT_AVAILABLE', []],
    ['9223372036854775807', '9223372036854775807', 'NOT_AVAILABLE', []],
  ])('from %s to %s ends with %s', async (start, end, status, numbers) => {
    const { client, close } = await openDoor();
    const stream = client.subscribe(start, end);
    expect([await stream.ended, stream.numbers()]).toEqual([status, numbers]);
    await close();
  });

  it('goes on with what comes, for everybody once and in order', async () => {
    const { client } = await openDoor();
    const [past, live, bounded, ahead] = [
      client.subscribe(8, endless),
      client.subscribe(endless, endless),
      client.subscribe(10, 14),
      client.subscribe(14, 15),
    ];
    await until(() => past.blocks.length === 4 && bounded.blocks.length === 2);
    await write(2);
    await importAll();
    await until(() => past.blocks.length === 6);
    await write(2);
    await importAll();
    expect([await bounded.ended, await ahead.ended]).toEqual(['SUCCESS', 'SUCCESS']);
    await until(() => past.blocks.length === 8 && live.blocks.length === 4);
    expect(past.numbers()).toEqual([8, 9, 10, 11, 12, 13, 14, 15]);
    expect(live.numbers()).toEqual([12, 13, 14, 15]);
    expect(bounded.numbers()).toEqual([10, 11, 12, 13, 14]);
    expect(ahead.numbers()).toEqual([14, 15]);
    const late = client.subscribe(15, endless);
    await until(() => late.blocks.length === 1);
    for (const stream of [past, live, late]) stream.cancel();
  });
});

it('answers single blocks', async () => {
  const { client } = await openDoor();
  const blocks = readBlocks(blocksFolder());
  const newest = { status: 1, block: blocks.at(-1)! };
  expect(await client.block({ block_number: 0 })).toEqual({ status: 1, block: blocks[0]! });
  expect(await client.block({ block_number: 7 })).toEqual({ status: 1, block: blocks[7]! });
  expect(await client.block({ retrieve_latest: true })).toEqual(newest);
  expect(await client.block({ block_number: endless })).toEqual(newest);
  const none = Buffer.alloc(0);
  for (const asked of [{}, { retrieve_latest: false }, { block_number: '9223372036854775808' }]) {
    expect(await client.block(asked)).toEqual({ status: 2, block: none });
  }
  expect(await client.block({ block_number: 16 })).toEqual({ status: 5, block: none });
});

describe('what is not at hand', () => {
  it('is not shown and not sent, where the source dropped its past', async () => {
    const moved = mkdtempSync(join(tmpdir(), 'dropped-'));
    closers.push(() => rmSync(moved, { recursive: true, force: true }));
    const dropped = files().slice(0, 5);
    for (const name of dropped) renameSync(join(blocksFolder(), name), join(moved, name));
    const { client } = await openDoor();
    expect(await client.status()).toEqual(['5', '15', '16']);
    expect(await client.subscribe(4, 6).ended).toBe('NOT_AVAILABLE');
    expect((await client.block({ block_number: 4 })).status).toBe(5);
    expect(await client.subscribe(endless, 5).ended).toBe('SUCCESS');
    expect(await client.subscribe(endless, 4).ended).toBe('NOT_AVAILABLE');
    // Another one goes while this mirror is followed: it was not looked at since.
    const lost = files()[4]!;
    renameSync(join(blocksFolder(), lost), join(moved, lost));
    const stream = client.subscribe(7, 12);
    expect([await stream.ended, stream.numbers()]).toEqual(['NOT_AVAILABLE', [7, 8]]);
    expect([await client.status(), (await client.ranges()).ranges]).toEqual([
      ['10', '15', '16'],
      ['5-8', '10-15'],
    ]);
    for (const name of [...dropped, lost]) renameSync(join(moved, name), join(blocksFolder(), name));
  });

  it('is another block than the stored one, of which no proof is sent', async () => {
    const [name, ...others] = [files()[6]!];
    expect(others).toEqual([]);
    const path = join(blocksFolder(), name);
    copyFileSync(path, join(folder, 'good'));
    const items = splitBlock(readBlocks(blocksFolder())[6]!);
    const changed = items.map((item) =>
      item.kind === itemKinds.transactionResult
        ? writeItem(item.kind, Buffer.concat([item.content, Buffer.of(88, 7)]))
        : item,
    );
    writeFileSync(path, gzipSync(writeBlock(changed)));
    const { client } = await openDoor();
    const stream = client.subscribe(5, 8);
    expect([await stream.ended, stream.numbers()]).toEqual(['NOT_AVAILABLE', [5]]);
    expect(stream.rest()).toEqual([]);
    expect((await client.ranges()).ranges).toEqual(['0-5', '7-15']);
    expect(await (await openDoor()).client.block({ block_number: 6 })).toEqual({ status: 4, block: Buffer.alloc(0) });
    copyFileSync(join(folder, 'good'), path);
    rmSync(join(folder, 'good'));
  });

  it('is nothing where neither files were kept nor a source is known', async () => {
    const { client } = await openDoor({ source: null });
    expect(await client.status()).toEqual([endless, endless, '16']);
    expect(await client.ranges()).toEqual({ ranges: [], version: { major: 1, minor: 2, patch: 3 } });
    for (const [start, end] of [
      [0, 1],
      [endless, 3],
      [16, endless],
    ] as const) {
      expect(await client.subscribe(start, end).ended).toBe('NOT_AVAILABLE');
    }
  });
});

it('kept files are sent without a source, and gaps among them are shown', async () => {
  const kept = await createScratchDatabase();
  closers.push(() => kept.close());
  const book = readFileSync(network.addressBookPath);
  await importFolder(folder, book, kept.connectionString, { keepsFiles: true });
  const { client } = await openDoor({ source: null, connectionString: kept.connectionString });
  const stream = client.subscribe(0, 15);
  expect(await stream.ended).toBe('SUCCESS');
  expect(stream.blocks.map(({ bytes }) => bytes)).toEqual(readBlocks(blocksFolder()));
  const gap =
    'delete from kept_stream_file where consensus_end in (select consensus_end from record_file where index in (3, 4, 9))';
  await select(gap, kept);
  const other = await openDoor({ source: null, connectionString: kept.connectionString });
  expect(await other.client.status()).toEqual(['10', '15', '16']);
  expect((await other.client.ranges()).ranges).toEqual(['0-2', '5-8', '10-15']);
  const begun = other.client.subscribe(1, 7);
  expect([await begun.ended, begun.numbers()]).toEqual(['NOT_AVAILABLE', [1, 2]]);
  // What was not kept comes from the source.
  const both = await openDoor({ connectionString: kept.connectionString });
  expect(await both.client.status()).toEqual(['0', '15', '16']);
  expect(await both.client.subscribe(0, 15).ended).toBe('SUCCESS');
});

it('blocks around record files are sent, and record files are not', async () => {
  for (const [format, status] of [
    ['wrapped', ['0', '3', '4']],
    ['records', [endless, endless, '4']],
  ] as const) {
    const place = mkdtempSync(join(tmpdir(), `${format}-`));
    const database = await createScratchDatabase();
    closers.push(
      () => database.close(),
      () => rmSync(place, { recursive: true, force: true }),
    );
    const other = await openNetwork({ folder: place, seed: format, nodes: 3, format });
    await other.run({ intervalMs: 0, blocks: 4, transactionsPerBlock: 3 });
    await other.close();
    await importFolder(place, readFileSync(other.addressBookPath), database.connectionString, { keepsFiles: true });
    const { client } = await openDoor({ source: place, connectionString: database.connectionString });
    expect(await client.status()).toEqual(status);
    const stream = client.subscribe(0, 3);
    expect(await stream.ended).toBe(format === 'wrapped' ? 'SUCCESS' : 'NOT_AVAILABLE');
    expect(stream.blocks.map(({ bytes }) => bytes)).toEqual(
      format === 'wrapped' ? readBlocks(join(place, 'blocks')) : [],
    );
  }
});

describe('a client that does not go on', () => {
  const asked = (start: number, end: number): Buffer => Buffer.from([0, 0, 0, 0, 4, 8, start, 16, end]);
  const head = { ':method': 'POST', 'content-type': 'application/grpc', te: 'trailers' };
  const path = '/org.hiero.block.api.BlockStreamSubscribeService/subscribeBlockStream';

  it('holds one message, and is let go; others get a large block meanwhile', async () => {
    const large = await makeLarge(15, 3, 6 * 1024 * 1024);
    const { client, address, metric } = await openDoor({
      limits: { messageMs: 1500, bytesInSecond: 1000, maxStreams: 4 },
    });
    const session = connectHttp2(`http://${address}`);
    closers.push(() => session.destroy());
    const streams = [1, 2].map(() => {
      const stream = session.request({ ...head, ':path': path });
      stream.end(asked(15, 15));
      stream.on('error', () => {});
      return { stream, closed: new Promise((done) => stream.once('close', () => done(stream.rstCode))) };
    });
    await until(async () => (await metric('block_node_streams_open')) === 2);
    const reader = client.subscribe(15, 15);
    expect(await reader.ended).toBe('SUCCESS');
    expect(reader.blocks[0]!.bytes.equals(large.block)).toBe(true);
    expect(reader.blocks[0]!.messages).toBeGreaterThan(3);
    // Neither was read: each ended while its first message was under way.
    expect(await Promise.all(streams.map(({ closed }) => closed))).toEqual([8, 8]);
    await until(async () => (await metric('block_node_streams_open')) === 0);
    expect(await metric('block_node_sent_bytes_total')).toBeLessThan(large.block.length + 200_000);
    const whole = await client.block({ block_number: 15 });
    expect([whole.status, whole.block.equals(large.block)]).toEqual([1, true]);
    await large.restore();
  });

  it('gets no more streams than there may be, and half of a request ends', async () => {
    const { client, address, metric } = await openDoor({ limits: { maxStreams: 3, requestMs: 800 } });
    const following = [1, 2, 3].map(() => client.subscribe(endless, endless));
    await until(async () => (await metric('block_node_streams_open')) === 3);
    const further = Array.from({ length: 5 }, () => client.subscribe(0, 1).ended);
    expect(await Promise.all(further)).toEqual(Array.from({ length: 5 }, () => 'gRPC 8'));
    const session = connectHttp2(`http://${address}`);
    closers.push(() => session.destroy());
    const half = session.request({ ...head, ':path': path }, { endStream: false });
    half.write(asked(0, 3).subarray(0, 6));
    half.on('error', () => {}).resume();
    const trailers = await new Promise<Record<string, string>>((done) => {
      half.on('response', (headers) => headers['grpc-status'] && done(headers as Record<string, string>));
      half.on('trailers', (found) => done(found as Record<string, string>));
    });
    expect(trailers['grpc-status']).toBe('4');
    for (const one of following) one.cancel();
    await until(async () => (await metric('block_node_streams_open')) === 0);
    expect(await client.subscribe(0, 1).ended).toBe('SUCCESS');
  });
});

it('is shed with the others, and answers TLS', async () => {
  let isBusy = true;
  makeCertificate(folder);
  const tls = { certificate: readFileSync(join(folder, 'cert.pem')), key: readFileSync(join(folder, 'key.pem')) };
  const { client } = await openDoor({ hasRoom: () => !isBusy, tls });
  expect(await client.subscribe(0, 1).ended).toBe('gRPC 8');
  await expect(client.status()).rejects.toMatchObject({ code: 8 });
  isBusy = false;
  expect(await client.subscribe(0, 1).ended).toBe('SUCCESS');
});

it('another mirror follows this one, and both are killed: their tables are equal', async () => {
  const { numbers, differences, kills, rows } = await rehearseBlockNodeDoor({ blocks: 16, kills: 1, seed: 'short' });
  expect(numbers).toEqual(Array.from({ length: 16 }, (_, at) => BigInt(at)));
  expect([differences, kills]).toEqual([[], 2]);
  expect(rows).toBeGreaterThan(500);
});

async function select<Row extends pg.QueryResultRow>(text: string, from = scratch): Promise<Row[]> {
  const client = new pg.Client({ connectionString: from.connectionString });
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}

/** The block with so many more items of that size, in its file and as the stored one. */
async function makeLarge(number: number, items: number, bytes: number) {
  const path = join(blocksFolder(), files()[number]!);
  const stored = readFileSync(path);
  const before = splitBlock(readBlocks(blocksFolder())[number]!);
  const footer = before.findIndex(({ kind }) => kind === itemKinds.blockFooter);
  const more = Array.from({ length: items }, (_, at) =>
    writeItem(itemKinds.signedTransaction, Buffer.alloc(bytes, at)),
  );
  const block = writeBlock([...before.slice(0, footer), ...more, ...before.slice(footer)]);
  const [{ hash }] = (await select<{ hash: string }>(`select hash from record_file where index = ${number}`)) as [
    { hash: string },
  ];
  const { sixteen } = toBlock(splitBlock(block)).roots;
  writeFileSync(path, block);
  await select(`update record_file set hash = '${sixteen.toString('hex')}' where index = ${number}`);
  return {
    block,
    async restore() {
      writeFileSync(path, stored);
      await select(`update record_file set hash = '${hash}' where index = ${number}`);
    },
  };
}
