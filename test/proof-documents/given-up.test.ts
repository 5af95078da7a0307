// A read for a proof that nobody waits for any more ends at the source, too: its connections are closed.

import { createServer as createHttp2Server } from 'node:http2';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { blockNodeLimits } from '../../packages/sources/block-node/block-node-limits.ts';
import { createBlockNodeSource } from '../../packages/sources/block-node/block-node-source.ts';
import { askAgain } from '../../packages/sources/bucket/ask-again.ts';
import { createBucketSource } from '../../packages/sources/bucket/bucket-source.ts';
import { createS3Store } from '../../packages/sources/bucket/s3-store.ts';
import { createFolderSource } from '../../packages/sources/folder-source.ts';
import { createPreferredSource } from '../../packages/sources/preferred-source.ts';
import { createReadAgain } from '../../packages/sources/read-again.ts';
import type { StreamSource } from '../../packages/sources/stream-source.ts';
import { defaultBlockLimits } from '../../packages/streams/block-stream/block-limits.ts';
import { storeCredentials } from '../support/servers/object-server.ts';

/** Takes connections and requests, and never answers. */
let silent: Server;
let sockets: Set<Socket>;
let connections: number;
beforeEach(async () => {
  sockets = new Set();
  connections = 0;
  silent = createServer((socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    socket.resume();
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => silent.once('listening', resolve));
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await new Promise((resolve) => silent.close(resolve));
});

const port = () => (silent.address() as AddressInfo).port;

function bucket(): StreamSource {
  Object.assign(process.env, storeCredentials);
  const store = createS3Store({ bucket: 'silent', endpoint: `http://127.0.0.1:${port()}`, requesterPays: false });
  const asked = askAgain(store, { timeoutMs: 600_000 });
  return createBucketSource({ store: asked, prefix: '', pollMs: 50, aheadBytes: 1000 });
}

function blockNode(at = port()): StreamSource {
  const endpoint = { target: `127.0.0.1:${at}`, isSecure: false };
  const address = { name: 'grpc://silent', subscription: endpoint, status: endpoint };
  return createBlockNodeSource(address, blockNodeLimits(600_000, defaultBlockLimits));
}

const block = { number: 3n, name: '3.blk.gz', version: 7, hash: '' };
const record = { number: 3n, name: '2025-07-23T00_00_00.000000000Z.rcd.gz', version: 6, hash: '' };

it.each([
  ['a block of a bucket', bucket, block],
  ['a record file of a bucket', bucket, record],
  ['a block of the first of several sources', () => createPreferredSource([bucket(), blockNode()]), block],
])('%s', async (_name, open, unit) => {
  const stop = new AbortController();
  const read = createReadAgain(open())(unit, stop.signal);
  const ended = read.then(
    () => 'read',
    (error: unknown) => error,
  );
  await expect.poll(() => connections, { timeout: 20_000 }).toBeGreaterThan(0);
  const asked = connections;
  const reason = new Error('nobody waits');
  stop.abort(reason);
  expect(await ended).toBe(reason);
  await expect.poll(() => sockets.size, { timeout: 20_000 }).toBe(0);
  // Nor is another one asked instead.
  expect(connections).toBe(asked);
});

it('a block of a block node, whose calls are ended', async () => {
  let calls = 0;
  let open = 0;
  const node = createHttp2Server()
    .on('stream', (call) => {
      calls += 1;
      open += 1;
      call
        .on('error', () => undefined)
        .on('close', () => {
          open -= 1;
        });
    })
    .listen(0, '127.0.0.1');
  await new Promise((resolve) => node.once('listening', resolve));
  const stop = new AbortController();
  const read = createReadAgain(blockNode((node.address() as AddressInfo).port))(block, stop.signal);
  const ended = read.catch((error: unknown) => error);
  await expect.poll(() => open, { timeout: 20_000 }).toBe(1);
  const reason = new Error('nobody waits');
  stop.abort(reason);
  expect(await ended).toBe(reason);
  await expect.poll(() => open, { timeout: 20_000 }).toBe(0);
  expect(calls).toBe(1);
  await new Promise((resolve) => node.close(resolve));
});

it('nothing of a folder is read', async () => {
  const stop = AbortSignal.abort(new Error('nobody waits'));
  const read = createReadAgain(createFolderSource({ path: import.meta.dirname }));
  await expect(read(block, stop)).rejects.toThrow('nobody waits');
});
