// One block node and several, block nodes and folders, over real gRPC: what comes out is what a folder with the same
// blocks gives, and what is wrong with a node is said.

import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Server, ServerCredentials } from '@grpc/grpc-js';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { readAddressBook } from '../../packages/protocol/hapi/address-book.ts';
import { writeBlock } from '../../packages/simulated-network/formats/block-file.ts';
import type { BlockNodeLimits } from '../../packages/sources/block-node/block-node-limits.ts';
import { createBlockNodeSource } from '../../packages/sources/block-node/block-node-source.ts';
import { createFolderSource } from '../../packages/sources/folder-source.ts';
import { createPreferredSource, type SourceEvent } from '../../packages/sources/preferred-source.ts';
import { parseBlockNodeAddress } from '../../packages/sources/source-places.ts';
import type { StreamSource } from '../../packages/sources/stream-source.ts';
import { itemKinds, writeItem } from '../../packages/streams/block-stream/block-item.ts';
import { findRealData } from '../../packages/test-support/streams/real-data.ts';
import { readBlocks, writeNetwork } from '../../packages/test-support/streams/write-network.ts';
import { type VerifiedFile, verifyStream } from '../../src/importer/verify-stream.ts';
import {
  type BlockNodeServer,
  type BlockNodeServerOptions,
  startBlockNodeServer,
  withChangedItem,
  withNumber,
  withPreviousRoot,
} from '../support/servers/block-node-server.ts';
import { takeBlocks as take } from '../support/tables/take-blocks.ts';

const limits: BlockNodeLimits = {
  // Nobody is given up for being slow, but where that is what a test is about.
  answerMs: 60_000,
  stallMs: 60_000,
  confirmMs: 200,
  blockMs: 60_000,
  attempts: 3,
  pauseMs: 20,
  blockLimits: { maxBlockBytes: 10_000_000, maxMessageBytes: 10_000_000 },
};
const count = 20;
const cutoverAt = 10;

let folder: string;
let blocks: Buffer[];
const servers: { close(): void }[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'block-node-source-'));
  for (const [name, options] of Object.entries({
    blocks: { format: 'blocks' },
    cutover: { cutoverAt: BigInt(cutoverAt) },
  } as const)) {
    const size = { blocks: count, transactions: 2, signEvery: 5 };
    await writeNetwork({ folder: join(folder, name), seed: 'block nodes', ...options, ...size });
  }
  blocks = readBlocks(join(folder, 'blocks', 'blocks'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

type ServeOptions = Partial<BlockNodeServerOptions> & { first?: number; last?: number };

async function serve({ first = 0, last = count - 1, ...options }: ServeOptions = {}): Promise<BlockNodeServer> {
  const server = await startBlockNodeServer({
    block: (number) => blocks[Number(number)]!,
    available: () => ({ first: BigInt(first), last: BigInt(last) }),
    ...options,
  });
  servers.push(server);
  return server;
}

const node = (address: string, changed: Partial<BlockNodeLimits> = {}): StreamSource =>
  createBlockNodeSource(parseBlockNodeAddress(address), { ...limits, ...changed });

async function verify(source: StreamSource, addressBook: Buffer | null = null): Promise<VerifiedFile[]> {
  const files: VerifiedFile[] = [];
  for await (const file of verifyStream({ source, addressBook: addressBook && readAddressBook(addressBook) }))
    files.push(file);
  return files;
}

/** What does not depend on the way in which a block came. */
const facts = (files: VerifiedFile[]) =>
  files.map(({ blockNumber, hash, previousHash, types, statuses }) => ({
    blockNumber,
    hash,
    previousHash,
    types,
    statuses,
  }));

/** Items of half a MiB. */
const filler = writeBlock([writeItem(itemKinds.signedTransaction, Buffer.alloc(512 * 1024))]);

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => BigInt(from + at));

describe('one block node', () => {
  it('gives what a folder with the same blocks gives', async () => {
    const { address } = await serve({ itemsPerMessage: () => 3 });
    const files = await verify(createPreferredSource([node(address)]));
    expect(facts(files)).toEqual(facts(await verify(createFolderSource({ path: join(folder, 'blocks') }))));
    expect(files).toHaveLength(count);
    expect(files[3]!.name).toBe('000000000000000000000000000000000003.blk');
  });

  for (const set of ['consensus-node-0.73', 'consensus-node-0.78']) {
    const data = findRealData(`blocks/${set}`);
    it.skipIf(data.isAbsent)(`serves the real blocks of ${set}${data.hint}`, async () => {
      const real = readBlocks(data.path);
      const { address } = await serve({ block: (number) => real[Number(number)]!, last: real.length - 1 });
      const files = await verify(createPreferredSource([node(address)]));
      expect(files).toHaveLength(real.length);
      expect(facts(files)).toEqual(facts(await verify(createFolderSource({ path: data.path }))));
    });
  }

  it('begins where the node does when nothing is stored, and where the reader is otherwise', async () => {
    const { address } = await serve({ first: 4 });
    const one = (numbers: bigint[]) => numbers.length === 2;
    expect(await take(node(address), null, { until: one })).toEqual([4n, 5n]);
    expect(await take(node(address), 9n, { until: one })).toEqual([9n, 10n]);
  });

  it('hands out the newest block although no other one follows, and new ones as they come', async () => {
    let last = 2n;
    const { address } = await serve({ available: () => ({ first: 0n, last }) });
    const numbers = await take(createPreferredSource([node(address)], { quietMs: 300 }), 0n, {
      until: ({ length }) => length === 8,
      onUnit: ({ kind }) => {
        if (kind === 'block') last = last < 7n ? last + 1n : last;
      },
    });
    expect(numbers).toEqual(range(0, 7));
  });

  it('waits without an error when it is at the head, and ends with the signal', async () => {
    const { address } = await serve();
    const stop = new AbortController();
    const source = createPreferredSource([node(address)], { quietMs: 100 });
    const ended = take(source, BigInt(count), { until: () => true, signal: stop.signal });
    stop.abort();
    expect(await ended).toEqual([]);
  });

  it('reads no further than it is asked', async () => {
    let asked = 0n;
    const { address } = await serve({
      block: (number) => {
        asked = number;
        return Buffer.concat([withNumber(blocks[0]!, number), filler]);
      },
      last: 10_000,
    });
    for await (const { kind } of node(address).units({
      position: () => ({ timestamp: 0n, nextBlock: 0n, onlyBlocks: true }),
      live: true,
      isEnough: () => true,
    })) {
      expect(kind).toBe('block');
      // The windows of HTTP/2 are full as soon as the node has to wait.
      for (let before = -1n; before !== asked; await new Promise((done) => setTimeout(done, 200))) before = asked;
      break;
    }
    // 4 MiB are on their way in our window; the rest is in the server's own buffers.
    expect(asked).toBeLessThan(60n);
  });
});

describe('what is wrong with a node is said', () => {
  const first = async (source: StreamSource, nextBlock: bigint | null = 0n) =>
    take(source, nextBlock, { until: () => true, live: false });

  it('nobody listens', async () => {
    const { address, close } = await serve();
    close();
    await expect(first(node(address))).rejects.toThrow(
      /cannot be reached, or broke off \(UNAVAILABLE: .*ECONNREFUSED.*Check host, port/,
    );
  });

  it('it is a gRPC server, but no block node', async () => {
    const server = new Server();
    const port = await new Promise<number>((done) => {
      server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (_error, bound) => done(bound));
    });
    servers.push({ close: () => server.forceShutdown() });
    await expect(first(node(`grpc://127.0.0.1:${port}`))).rejects.toThrow(/is no block node \(UNIMPLEMENTED/);
  });

  it('it speaks something other than gRPC', async () => {
    const server = createServer((_request, response) => response.end('hello')).listen(0, '127.0.0.1');
    await new Promise((done) => server.once('listening', done));
    servers.push(server);
    const { port } = server.address() as AddressInfo;
    await expect(first(node(`grpc://127.0.0.1:${port}`))).rejects.toThrow(
      /cannot be reached, or broke off|something other than gRPC/,
    );
  });

  it('it does not answer', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    server.removeAllListeners('connection');
    await new Promise((done) => server.once('listening', done));
    servers.push(server);
    const { port } = server.address() as AddressInfo;
    const silent = node(`grpc://127.0.0.1:${port}`, { answerMs: 300 });
    await expect(first(silent)).rejects.toThrow(/does not answer in time \(DEADLINE_EXCEEDED/);
  });

  it('it stalls', async () => {
    const { address } = await serve({ nextFault: () => ({ fault: 'stall', after: 0 }) });
    await expect(first(node(address, { stallMs: 500 }))).rejects.toThrow(/has block 0 but does not send it/);
  });

  it.each<[string, ServeOptions, bigint | null, RegExp]>([
    [
      'it has what cannot be',
      { available: () => ({ first: 2n ** 63n, last: 2n ** 63n }) },
      null,
      /says that it has the blocks 9223372036854775808 to/,
    ],
    ['it has no blocks', { available: () => null }, null, /has no blocks yet. Wait until it has/],
    ['it begins later', { first: 5 }, 2n, /has the blocks 5 to 19, and block 2 is due. Name a node, or a folder/],
    [
      'its block is too large',
      { block: () => Buffer.concat([blocks[0]!, ...Array<Buffer>(40).fill(filler)]), itemsPerMessage: () => 1 },
      0n,
      /expected at most 10000000 bytes \(--max-block-size\)/,
    ],
    [
      'it ends with an error',
      { nextFault: () => ({ fault: 'endError', after: 0 }) },
      0n,
      /says that it failed \(ERROR, block 0\), 3 times in a row/,
    ],
    [
      'it ends with a code of a later version',
      { nextFault: () => ({ fault: 'endUnknownCode', after: 0 }) },
      0n,
      /ended the stream \(code 77, block 0\)/,
    ],
    [
      'it leaves a block out',
      { nextFault: () => ({ fault: 'skip', after: 0 }) },
      0n,
      /expected block 0, found block 1/,
    ],
    [
      'it sends nonsense',
      { nextFault: () => ({ fault: 'garbage', after: 0 }) },
      0n,
      /sends something other than asked for/,
    ],
  ])('%s', async (_name, options, nextBlock, error) => {
    const { address } = await serve(options);
    await expect(first(node(address), nextBlock)).rejects.toThrow(error);
  });

  it('it is behind', async () => {
    const { address } = await serve({ last: 5 });
    await expect(take(node(address), 9n, { until: () => true })).rejects.toThrow(
      /has the blocks 0 to 5, and block 9 is due. Wait/,
    );
  });
});

describe('several sources', () => {
  const followed = (events: SourceEvent[]) =>
    events.flatMap((event) => (event.kind === 'followed' ? [event.source] : []));

  it('a block that lies is passed over for the copy of another node, which is named', async () => {
    // Of a block that names another root before it nobody can tell which of the two is wrong: the earlier one is not
    // taken.
    const lies: [lie: (block: Buffer) => Buffer, refused: number][] = [
      [withChangedItem, 7],
      [withPreviousRoot, 6],
    ];
    const honest = facts(await verify(createFolderSource({ path: join(folder, 'blocks') })));
    for (const [lie, refused] of lies) {
      const liar = await serve({ block: (number) => (number === 7n ? lie(blocks[7]!) : blocks[Number(number)]!) });
      const good = await serve();
      const events: SourceEvent[] = [];
      const files = await verify(
        createPreferredSource([node(liar.address), node(good.address)], { onEvent: (event) => events.push(event) }),
      );
      expect(facts(files)).toEqual(honest);
      expect(files.flatMap(({ verification }) => verification.rejected)).toMatchObject([
        { code: 'blockRoot', file: files[refused]!.name, node: liar.address },
      ]);
      expect(followed(events)).toEqual([liar.address, good.address]);
    }
  });

  it('a lie without another copy is refused by name', async () => {
    const { address } = await serve({
      block: (number) => (number === 7n ? withChangedItem(blocks[7]!) : blocks[Number(number)]!),
    });
    await expect(verify(createPreferredSource([node(address)]))).rejects.toThrow(
      /000007\.blk: its root is not the one that the block after it names: .*which block 8 names/,
    );
  });

  it('blocks that no node has any more come from a folder', async () => {
    const { address } = await serve({ first: 12 });
    const archive = join(folder, 'archive');
    mkdirSync(archive);
    for (const name of readdirSync(join(folder, 'blocks', 'blocks'))
      .sort()
      .slice(0, 12))
      cpSync(join(folder, 'blocks', 'blocks', name), join(archive, name));
    const source = createPreferredSource([node(address), createFolderSource({ path: archive })], { quietMs: 300 });
    expect(await take(source, 0n, { until: ({ length }) => length === count })).toEqual(range(0, count - 1));
  });

  it('begins with the next source while the first one is empty', async () => {
    const { address } = await serve();
    const empty = join(folder, 'empty');
    mkdirSync(empty);
    const source = createPreferredSource([createFolderSource({ path: empty, pollMs: 20 }), node(address)], {
      quietMs: 100,
    });
    expect(await take(source, null, { until: ({ length }) => length === 2 })).toEqual([0n, 1n]);
  });

  it('record files come from a folder, and the blocks after them from a node', async () => {
    const path = join(folder, 'cutover');
    const book = readFileSync(join(path, 'addressbook.bin'));
    const expected = facts(await verify(createFolderSource({ path }), book));
    const after = readBlocks(join(path, 'blocks'));
    renameSync(join(path, 'blocks'), join(folder, 'moved'));
    const { address } = await serve({ first: cutoverAt, block: (number) => after[Number(number) - cutoverAt]! });
    const source = createPreferredSource([createFolderSource({ path }), node(address)]);
    expect(facts(await verify(source, book))).toEqual(expected);
    expect(expected).toHaveLength(count);
  });

  it('record files come from a folder when a node with blocks around them goes no further', async () => {
    const [wrappedPath, recordsPath] = [join(folder, 'wrapped'), join(folder, 'records')];
    for (const [path, format] of [
      [wrappedPath, 'wrapped'],
      [recordsPath, 'records'],
    ] as const) {
      // The keys of the nodes are in the ledger: one set for both.
      if (format === 'records') cpSync(join(wrappedPath, 'keys'), join(path, 'keys'), { recursive: true });
      await writeNetwork({
        folder: path,
        seed: 'wrapped',
        format,
        blocks: 8,
        transactions: 2,
        start: 1_750_000_000_000_000_000n,
      });
    }
    const wrapped = readBlocks(join(wrappedPath, 'blocks'));
    const { address } = await serve({ block: (number) => wrapped[Number(number)]!, last: 4 });
    const source = createPreferredSource([node(address), createFolderSource({ path: recordsPath })]);
    const files = await verify(source, readFileSync(join(recordsPath, 'addressbook.bin')));
    expect(files.map(({ blockNumber }) => blockNumber)).toEqual(range(0, 7));
    expect(files.map(({ verification }) => verification.node)).toEqual([
      ...Array(5).fill(null),
      ...Array(3).fill('record0.0.3'),
    ]);
  });

  it('goes on with the next node when one is behind, and back when it has what is due', async () => {
    let last = 3n;
    const block = (number: bigint): Buffer => withNumber(blocks[0]!, number);
    const best = await serve({ available: () => ({ first: 0n, last }), block });
    const second = await serve({ last: 1_000_000, block });
    const events: SourceEvent[] = [];
    const source = createPreferredSource([node(best.address), node(second.address)], {
      quietMs: 300,
      returnMs: 50,
      onEvent: (event) => events.push(event),
    });
    await take(source, 0n, {
      onUnit() {
        if (followed(events).length === 2) last = 1_000_000n;
      },
      until: () => followed(events).length === 3,
    });
    expect(followed(events)).toEqual([best.address, second.address, best.address]);
  });

  it('nobody has it: every node says why', async () => {
    const gone = await serve();
    gone.close();
    const late = await serve({ first: 5 });
    await expect(
      take(createPreferredSource([node(gone.address), node(late.address)]), 2n, { until: () => true }),
    ).rejects.toThrow(/ECONNREFUSED.*; grpc:.* has the blocks 5 to 19, and block 2 is due/);
  });
});
