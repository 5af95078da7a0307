// Buckets as a source: the same units as from a folder, on a real S3 server that is made to fail in every way.
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readAddressBook } from '../../packages/protocol/hapi/address-book.ts';
import type { NetworkOptions } from '../../packages/simulated-network/network.ts';
import { askAgain } from '../../packages/sources/bucket/ask-again.ts';
import { createBucketSource } from '../../packages/sources/bucket/bucket-source.ts';
import { createS3Store } from '../../packages/sources/bucket/s3-store.ts';
import { createFolderSource } from '../../packages/sources/folder-source.ts';
import type { StreamSource } from '../../packages/sources/stream-source.ts';
import { parseStreamFileName } from '../../packages/streams/record-stream/stream-file-name.ts';
import { writeNetwork } from '../../packages/test-support/streams/write-network.ts';
import { waitMs } from '../../packages/test-support/timeouts.ts';
import { type VerifiedFile, verifyStream } from '../../src/importer/verify-stream.ts';
import { loadSettings } from '../../src/runtime/settings/load-settings.ts';
import { openPlace, readSourceOptions, readSourcePlaces } from '../../src/runtime/sources/open-source.ts';
import {
  type ObjectServer,
  type StoreFault,
  startObjectServer,
  storeCredentials,
} from '../support/servers/object-server.ts';

const root = mkdtempSync(join(tmpdir(), 'bucket-source-'));
const moments = 16;
const start = 1_750_000_000_000_000_000n;
const folderOf = (name: string) => join(root, name);
let server: ObjectServer;
/** Of the record files. */
let instants: bigint[];

beforeAll(async () => {
  Object.assign(process.env, storeCredentials);
  server = await startObjectServer(join(root, 's3'));
  const networks: [string, Partial<NetworkOptions>][] = [
    ['records', {}],
    ['blocks', { format: 'blocks' }],
    ['cutover', { cutoverAt: 6n }],
  ];
  for (const [name, options] of networks) {
    const folder = folderOf(name);
    if (name !== 'records') cpSync(join(folderOf('records'), 'keys'), join(folder, 'keys'), { recursive: true });
    await writeNetwork({ folder, seed: 'bucket', ...options, blocks: moments, transactions: 3, signEvery: 4, start });
    await server.putFolder(folder, `${name}/`);
  }
  const names = readdirSync(join(folderOf('records'), 'recordstreams', 'record0.0.3')).sort();
  instants = names.flatMap((name) => (name.endsWith('.rcd.gz') ? [parseStreamFileName(name)!.timestamp] : []));
  // As in the networks' buckets.
  const blocks = join(folderOf('blocks'), 'blocks');
  const nested = join(folderOf('nested'), 'testnet', 'block', '0000', '0000', '0000', '0000');
  mkdirSync(nested, { recursive: true });
  for (const [number, name] of readdirSync(blocks).sort().entries()) {
    cpSync(join(blocks, name), join(nested, `${String(number).padStart(3, '0')}${/\.blk.*$/.exec(name)![0]}`));
  }
  await server.putFolder(folderOf('nested'), 'nested/');
});
afterAll(async () => {
  await server.close();
  rmSync(root, { recursive: true });
});
beforeEach(() => {
  server.forget();
  server.fault = () => null;
  server.pageSize = null;
});

type Options = { timeoutMs?: number; pollMs?: number; missingTimeoutMs?: number; requesterPays?: boolean };

function bucket(prefix: string, options: Options = {}): StreamSource {
  const { timeoutMs = 20_000, pollMs = 50, missingTimeoutMs = 300, requesterPays = false } = options;
  const store = createS3Store({ bucket: server.bucket, endpoint: server.endpoint, requesterPays });
  const asked = askAgain(store, { timeoutMs, firstPauseMs: 1 });
  return createBucketSource({ store: asked, prefix, pollMs, aheadBytes: 200_000, missingTimeoutMs });
}

async function collect(source: StreamSource, after: bigint | null = null): Promise<VerifiedFile[]> {
  const addressBook = readAddressBook(readFileSync(join(folderOf('records'), 'addressbook.bin')));
  const files: VerifiedFile[] = [];
  for await (const file of verifyStream({ source, addressBook, after })) files.push(file);
  return files;
}

describe('a bucket gives what a folder gives', () => {
  it.each([
    ['records', 'records', 'records'],
    ['records', 'records/recordstreams', 'records'],
    ['records of one node', 'records/recordstreams/record0.0.4', 'records/recordstreams/record0.0.4'],
    ['blocks', 'blocks', 'blocks'],
    ['a cutover', 'cutover', 'cutover'],
    ['blocks in folders of digits', 'nested', 'nested'],
    ['blocks in folders of digits', 'nested/testnet/block', 'nested'],
  ])('%s below %s', async (_name, prefix, folder) => {
    server.pageSize = 7;
    const files = await collect(bucket(prefix));
    expect(files).toEqual(await collect(createFolderSource({ path: folderOf(folder) })));
    expect(files).toHaveLength(moments);
  });

  it('begins behind the position, and lists nothing before it', async () => {
    server.pageSize = 4;
    const files = await collect(bucket('records'), instants[9]);
    expect(files.map(({ blockNumber }) => blockNumber)).toEqual([10n, 11n, 12n, 13n, 14n, 15n]);
    const starts = server.seen
      .filter(({ kind }) => kind === 'list')
      .map(({ url }) => /start-after=[^&]*record0\.0\.\d%2F([^&.]*)/.exec(url)?.[1])
      .filter((name) => name !== undefined);
    // Two names a moment: seven of each node that are left, one for the second of the position.
    expect(starts).toHaveLength(3 * 4);
    expect(starts.sort()[0]).toBe('2025-06-15T15_06_58');
  });

  it('takes a page of each node at a time, and no further than groups are taken', async () => {
    server.pageSize = 4;
    const source = bucket('records');
    for await (const _ of source.units({ position: () => null, live: false, isEnough: () => true })) break;
    const pages = server.seen.filter(({ kind, url }) => kind === 'list' && url.includes('record0.0.'));
    expect(pages).toHaveLength(3);
  });

  it('knows the newest file and what is later', async () => {
    server.pageSize = 4;
    const last = instants.at(-1)!;
    const source = bucket('records');
    expect(await source.newestInstant()).toBe(last);
    expect(await source.hasRecordsAfter!(last - 1n)).toBe(true);
    expect(await source.hasRecordsAfter!(last)).toBe(false);
    const newestBlock = await createFolderSource({ path: folderOf('blocks') }).newestInstant();
    expect(newestBlock).not.toBeNull();
    expect(await bucket('blocks').newestInstant()).toBe(newestBlock);
    expect(await bucket('nested').newestInstant()).toBe(newestBlock);
    expect(await bucket('nowhere').newestInstant()).toBeNull();
  });

  it('finds a block by its number', async () => {
    server.pageSize = 4;
    const source = bucket('nested');
    expect((await source.findBlock(11n))?.number).toBe(11n);
    expect((await source.findBlock(3n))?.number).toBe(3n);
    expect(await source.findBlock(BigInt(moments))).toBeNull();
  });
});

describe('a store that fails', () => {
  const faults: StoreFault[] = [
    { kind: 'error', status: 503, code: 'SlowDown' },
    { kind: 'reset' },
    { kind: 'truncate' },
    { kind: 'error', status: 500, code: 'InternalError' },
    { kind: 'drip', parts: 5, pauseMs: 2 },
  ];

  it.each(['records', 'blocks', 'cutover'])('in every way still gives all %s, in order', async (prefix) => {
    server.pageSize = 5;
    let count = 0;
    const failed = new Set<string>();
    // Each second request fails, whatever it is for.
    server.fault = () => {
      count += 1;
      const fault = count % 2 === 0 ? faults[(count / 2) % faults.length]! : null;
      if (fault) failed.add(fault.kind === 'error' ? fault.code : fault.kind);
      return fault;
    };
    const files = await collect(bucket(prefix));
    expect(files.map(({ blockNumber }) => blockNumber)).toEqual(Array.from({ length: moments }, (_, at) => BigInt(at)));
    expect(files.flatMap(({ verification }) => verification.rejected)).toEqual([]);
    expect(failed.size).toBe(faults.length);
  });

  it('is asked again when an answer stands still', async () => {
    let stalled = 0;
    server.fault = ({ kind, url }) => {
      if (kind === 'list' || !url.includes('rcd_sig') || stalled === 2) return null;
      stalled += 1;
      return { kind: 'stall' };
    };
    const files = await collect(bucket('records', { timeoutMs: 1_000 }), instants[13]);
    expect([files.length, stalled]).toEqual([2, 2]);
  });

  it('ends the units where it does not come back, with what to do', async () => {
    server.fault = ({ kind }) => (kind === 'get' ? { kind: 'error', status: 403, code: 'AccessDenied' } : null);
    await expect(collect(bucket('records'))).rejects.toThrow(
      /^s3:\/\/streams refuses \(AccessDenied: made up for a test, at s3:\/\/streams\/records\/.*rcd_sig\)\. Give this account s3:ListBucket and s3:GetObject/,
    );
  });

  it('does not keep an aborted reader', async () => {
    server.fault = () => ({ kind: 'error', status: 503, code: 'SlowDown', headers: { 'retry-after': '600' } });
    const stop = new AbortController();
    const units = bucket('records').units({
      position: () => null,
      live: true,
      isEnough: () => true,
      signal: stop.signal,
    });
    const next = units[Symbol.asyncIterator]().next();
    stop.abort();
    await expect(next).resolves.toEqual({ done: true, value: undefined });
  });
});

describe('while nodes write', () => {
  it('every group comes once and in order, also files that come late', async () => {
    const folder = join(folderOf('records'), 'recordstreams');
    const nodes = readdirSync(folder).sort();
    const names = readdirSync(join(folder, nodes[0]!)).sort();
    const written = names.filter((name) => name.endsWith('.rcd.gz')).map((name) => name.slice(0, -'.rcd.gz'.length));
    const putOf = async (node: string, instant: string, ending: string): Promise<void> =>
      server.put(`live/recordstreams/${node}/${instant}${ending}`, readFileSync(join(folder, node, instant + ending)));
    for (const path of ['', '/recordstreams', ...nodes.map((node) => `/recordstreams/${node}`)]) {
      await server.put(`live${path}/.folder`, '');
    }
    const seen: bigint[] = [];
    const stop = new AbortController();
    const position = () => (seen.length === 0 ? null : { timestamp: seen.at(-1)!, nextBlock: null, onlyBlocks: false });
    const reading = (async () => {
      const isEnough = (group: { copies: { signatureName: string | null }[] }) =>
        group.copies.filter(({ signatureName }) => signatureName !== null).length === nodes.length;
      const source = bucket('live', { pollMs: 10, missingTimeoutMs: 60_000 });
      for await (const unit of source.units({ position, live: true, isEnough, signal: stop.signal })) {
        if (unit.kind !== 'record') throw new Error('no block was written');
        expect(isEnough(unit.group)).toBe(true);
        seen.push(unit.group.timestamp);
        if (seen.length === moments) stop.abort();
      }
    })();
    // The last node's signature of each moment comes after the next moment's files.
    const [late] = nodes.slice(-1);
    for (const [index, instant] of written.entries()) {
      for (const node of nodes) {
        await putOf(node, instant, '.rcd.gz');
        if (node !== late) await putOf(node, instant, '.rcd_sig');
      }
      if (index > 0) await putOf(late!, written[index - 1]!, '.rcd_sig');
    }
    await putOf(late!, written.at(-1)!, '.rcd_sig');
    await reading;
    expect(seen).toEqual(instants);
  });
});

describe('says what is wrong', () => {
  it('where nothing lies', async () => {
    await expect(collect(bucket('nowhere'))).rejects.toThrow(
      /s3:\/\/streams\/nowhere holds neither record files nor blocks/,
    );
  });

  it('where blocks of several networks lie', async () => {
    await server.put('several/.folder', '');
    for (const network of ['testnet-202601010000', 'testnet-202611251200']) {
      await server.put(`several/${network}/0000000000000000000.blk.gz`, 'x');
    }
    await expect(collect(bucket('several'))).rejects.toThrow(
      /Blocks lie in several folders: .*name one of them in --source/,
    );
  });

  it('and asks as a reader who pays only when told', async () => {
    const payer = () => new Set(server.seen.map(({ headers }) => headers['x-amz-request-payer']));
    await bucket('records').newestInstant();
    expect(payer()).toEqual(new Set([undefined]));
    server.forget();
    const source = bucket('records', { requesterPays: true });
    for await (const _ of source.units({ position: () => null, live: false, isEnough: () => true })) break;
    expect(payer()).toEqual(new Set(['requester']));
  });
});

it.each([
  { ahead: 1, fetched: 1 },
  { ahead: 4096, fetched: 8 },
])('--source-ahead $ahead: of eight files of 0.7 MB $fetched are fetched before one is read', async (given) => {
  const prefix = `ahead-${given.ahead}`;
  const names = Array.from({ length: 8 }, (_none, at) => `2025-06-15T15_00_0${at}.000000000Z`);
  for (const name of names) {
    await server.put(`${prefix}/record0.0.3/${name}.rcd_sig`, Buffer.alloc(10));
    await server.put(`${prefix}/record0.0.3/${name}.rcd`, Buffer.alloc(700_000));
  }
  server.forget();
  const flags = ['--source-ahead', String(given.ahead), '--source-endpoint', server.endpoint];
  const options = readSourceOptions(loadSettings('import', flags, {}));
  const [place] = readSourcePlaces(`s3://${server.bucket}/${prefix}`);
  const source = openPlace(place!, options);
  const fetched = () => server.seen.filter(({ kind, url }) => kind === 'get' && /\.rcd(?:\?|$)/.test(url)).length;
  let read = 0;
  for await (const unit of source.units({ position: () => null, live: false, isEnough: () => true })) {
    if (unit.kind !== 'record') throw new Error('a block in a bucket of record files');
    if (read === 0) await expect.poll(fetched, { timeout: waitMs }).toBe(given.fetched);
    for (const copy of unit.group.copies) await source.read(copy, { kind: 'record' });
    read++;
  }
  expect(read).toBe(8);
});
