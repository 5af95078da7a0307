// What block nodes say of the blocks that they have: on a separate port, in ranges, and which one they expect next.

import { afterEach, expect, it, vi } from 'vitest';
import { intField } from '../../packages/protocol/wire-writer.ts';
import { writeBlock } from '../../packages/simulated-network/formats/block-file.ts';
import { blockNodeLimits } from '../../packages/sources/block-node/block-node-limits.ts';
import { createBlockNodeSource } from '../../packages/sources/block-node/block-node-source.ts';
import { createPreferredSource } from '../../packages/sources/preferred-source.ts';
import { parseBlockNodeAddress } from '../../packages/sources/source-places.ts';
import type { StreamSource } from '../../packages/sources/stream-source.ts';
import { itemKinds, writeItem } from '../../packages/streams/block-stream/block-item.ts';
import { defaultBlockLimits } from '../../packages/streams/block-stream/block-limits.ts';
import {
  type BlockNodeServer,
  type BlockNodeServerOptions,
  startBlockNodeServer,
} from '../support/servers/block-node-server.ts';
import { takeBlocks } from '../support/tables/take-blocks.ts';

const servers: BlockNodeServer[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

const makeBlock = (number: bigint): Buffer =>
  writeBlock([
    writeItem(itemKinds.blockHeader, Buffer.concat(intField(3, number))),
    writeItem(itemKinds.blockFooter, Buffer.alloc(0)),
    writeItem(itemKinds.blockProof, Buffer.alloc(0)),
  ]);

async function serve(options: Partial<BlockNodeServerOptions> = {}): Promise<BlockNodeServer> {
  const server = await startBlockNodeServer({
    block: makeBlock,
    available: () => ({ first: 0n, last: 5n }),
    ...options,
  });
  servers.push(server);
  return server;
}

const node = (address: string, changed = {}): StreamSource =>
  createBlockNodeSource(parseBlockNodeAddress(address), {
    ...blockNodeLimits(60_000, defaultBlockLimits),
    pauseMs: 10,
    ...changed,
  });

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => BigInt(from + at));

it('status and subscription are asked at the ports that the address names', async () => {
  const { address, port, statusPort } = await serve({ hasStatusPort: true });
  expect(address).toBe(`grpc://127.0.0.1:${port}?status=${statusPort}`);
  const source = node(address);
  expect(await takeBlocks(source, 0n, { live: false })).toEqual(range(0, 5));
  expect(await source.findBlock(5n)).toMatchObject({ number: 5n, location: address });
  expect(await source.findBlock(6n)).toBeNull();
  // Neither port does for both.
  for (const one of [port, statusPort]) {
    await expect(takeBlocks(node(`grpc://127.0.0.1:${one}`), 0n, { live: false })).rejects.toThrow(
      /is no block node \(UNIMPLEMENTED.*or both where they are two: grpc:\/\/<host>:40980\?status=40982/,
    );
  }
});

it('names both ports where only one answers', async () => {
  const { port } = await serve();
  await expect(takeBlocks(node(`grpc://127.0.0.1:${port}?status=1`), 0n, { live: false })).rejects.toThrow(
    `grpc://127.0.0.1:${port}?status=1 cannot be reached, or broke off (UNAVAILABLE`,
  );
});

it('ranges are asked for where the status has no last block', async () => {
  const ranges = () => [
    { first: 4n, last: 5n },
    { first: 0n, last: 3n },
  ];
  const { address, requests } = await serve({ ranges });
  const source = node(address);
  expect(await takeBlocks(source, null, { live: false })).toEqual(range(0, 5));
  expect(requests).toEqual([{ from: 0n, to: 5n }]);
  expect(await source.findBlock(5n)).not.toBeNull();
  expect(await source.findBlock(6n)).toBeNull();
});

it('without a range there is no block', async () => {
  const { address } = await serve({ ranges: () => [] });
  await expect(takeBlocks(node(address), null, { live: false })).rejects.toThrow(
    /has no blocks yet\. Wait until it has/,
  );
});

it('what lies in a gap between ranges is missing, or comes from another node', async () => {
  const ranges = () => [
    { first: 0n, last: 2n },
    { first: 5n, last: 9n },
  ];
  const gappy = await serve({ ranges, available: () => ({ first: 0n, last: 9n }) });
  const numbers: bigint[] = [];
  await expect(takeBlocks(node(gappy.address), 0n, { live: false, numbers })).rejects.toThrow(
    /^Blocks 3 to 9 are missing: \S+ has the blocks 0 to 2, 5 to 9, and block 3 is due\. Name a node/,
  );
  expect(numbers).toEqual(range(0, 2));
  expect(await node(gappy.address).findBlock(4n)).toBeNull();

  const filler = await serve({ available: () => ({ first: 0n, last: 6n }) });
  const both = createPreferredSource([node(gappy.address), node(filler.address)]);
  expect(await takeBlocks(both, 0n, { live: false })).toEqual(range(0, 9));
});

it.each([
  ['an impossible range', () => [{ first: 3n, last: 1n }], /says that it has the blocks 3 to 1/],
  [
    'a number that cannot be stored',
    () => [{ first: 3n, last: 2n ** 63n }],
    /says that it has the blocks 3 to 9223372036854775808/,
  ],
])('refuses %s', async (_name, ranges, error) => {
  const { address } = await serve({ ranges });
  await expect(takeBlocks(node(address), 0n, { live: false })).rejects.toThrow(error);
});

it('a node without blocks that expects the one that is due is waited for', async () => {
  let available: { first: bigint; last: bigint } | null = null;
  const server = await serve({ available: () => available, nextExpected: () => 7n });
  const source = node(server.address, { confirmMs: 50 });
  const taken = takeBlocks(source, 7n, { until: ({ length }) => length === 2 });
  await vi.waitUntil(() => server.requests.length > 0, { timeout: 60_000, interval: 5 });
  available = { first: 7n, last: 8n };
  expect(await taken).toEqual([7n, 8n]);
  expect(server.requests).toEqual([{ from: 7n, to: null }]);
});

it('a node that is being sent what comes before the due block is waited for', async () => {
  let last = 5n;
  const server = await serve({ available: () => ({ first: 0n, last }), nextExpected: () => 9n });
  const taken = takeBlocks(node(server.address, { confirmMs: 50 }), 8n, { until: ({ length }) => length === 1 });
  await vi.waitUntil(() => server.requests.length > 0, { timeout: 60_000, interval: 5 });
  last = 8n;
  expect(await taken).toEqual([8n]);
});

it('says what a node expects that has not what is due', async () => {
  const empty = await serve({ available: () => null, nextExpected: () => 7n });
  await expect(takeBlocks(node(empty.address), 9n)).rejects.toThrow(
    /has no blocks yet, expects block 7 next, and block 9 is due\. Wait until it has/,
  );
  const behind = await serve({ nextExpected: () => 6n });
  await expect(takeBlocks(node(behind.address), 9n)).rejects.toThrow(
    /has the blocks 0 to 5, and block 9 is due\. Wait/,
  );
});
