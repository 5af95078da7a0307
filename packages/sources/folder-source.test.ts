// The folder source on real folders: every layout, and a writer that is at work while it looks.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { formatInstant } from '../protocol/hapi/timestamp.ts';
import { maxStreamFileSize } from './file-limit.ts';
import { createFolderSource } from './folder-source.ts';

import type { StreamFileGroup, StreamSource, UnitsOptions } from './stream-source.ts';
import { createWatchedFolder } from './watched-folder.ts';

const root = mkdtempSync(join(tmpdir(), 'folder-source-'));
let count = 0;
let path: string;
beforeEach(() => {
  path = join(root, String(count++));
});
afterAll(() => rmSync(root, { recursive: true }));

const start = 1_700_000_000_000_000_000n;
const moment = (index: number) => start + BigInt(index) * 2_000_000_000n;

function put(folder: string, name: string, content = 'x'): void {
  mkdirSync(join(path, folder), { recursive: true });
  const target = join(path, folder, name);
  writeFileSync(`${target}.tmp`, content);
  renameSync(`${target}.tmp`, target);
}

function putMoment(folder: string, index: number): void {
  put(folder, `${formatInstant(moment(index))}.rcd.gz`);
  put(folder, `${formatInstant(moment(index))}.rcd_sig`);
}

const once: GroupsOptions = { after: null, live: false, isEnough: () => true };
const bothSigned = (group: StreamFileGroup) => group.copies.filter((copy) => copy.signatureName !== null).length >= 2;

type GroupsOptions = Omit<UnitsOptions, 'position'> & { after: bigint | null };

async function* recordGroups(source: StreamSource, { after, ...options }: GroupsOptions) {
  const position = () => (after === null ? null : { timestamp: after, nextBlock: null, onlyBlocks: false });
  for await (const unit of source.units({ ...options, position })) if (unit.kind === 'record') yield unit.group;
}

async function collect(options: Partial<GroupsOptions> = {}, from = path): Promise<StreamFileGroup[]> {
  const groups: StreamFileGroup[] = [];
  for await (const group of recordGroups(createFolderSource({ path: from }), { ...once, ...options }))
    groups.push(group);
  return groups;
}

describe('layouts', () => {
  it.each([
    ['the bucket', '', ['recordstreams/record0.0.3', 'recordstreams/record0.0.4'], ['record0.0.3', 'record0.0.4']],
    ['its record folder', 'recordstreams', ['recordstreams/record0.0.3'], ['record0.0.3']],
    ['one node', 'recordstreams/record0.0.3', ['recordstreams/record0.0.3'], ['record0.0.3']],
    ['a folder of buckets', '', ['streams/bucket/recordstreams/record0.0.9'], ['record0.0.9']],
    ['streams by day', '', ['streams/2022-07-13/recordstreams/record0.0.10'], ['record0.0.10']],
    ['node ids', '', ['mainnet/0/0/record', 'mainnet/0/12/record'], ['mainnet/0/0', 'mainnet/0/12']],
    ['node ids by day', '', ['streams/2022-07-13/mainnet/0/7/record'], ['streams/2022-07-13/mainnet/0/7']],
    ['one network', 'mainnet', ['mainnet/0/5/record'], ['0/5']],
  ])('%s', async (_name, below, folders, nodes) => {
    for (const folder of folders) putMoment(folder, 0);
    put('accountBalances/balance0.0.3', `${formatInstant(moment(0))}_Balances.pb.gz`);
    const groups = await collect({}, join(path, below));
    expect(groups).toHaveLength(1);
    expect(groups[0]!.copies.map(({ node }) => node.name)).toEqual(nodes);
  });

  it('name nodes by account or by node id', async () => {
    putMoment('recordstreams/record0.0.3', 0);
    putMoment('testnet/0/8/record', 0);
    const [group] = await collect();
    expect(group!.copies.map(({ node }) => [node.accountId, node.nodeId])).toEqual([
      [3n, null],
      [null, 8n],
    ]);
  });
});

describe('groups', () => {
  it('come in order of time, each with the files of all nodes', async () => {
    put('recordstreams/record0.0.3', '2019-08-30T18_10_00Z.rcd');
    put('recordstreams/record0.0.3', '2019-08-30T18_10_00.419072Z.rcd');
    put('recordstreams/record0.0.4', '2019-08-30T18_10_00.419072Z.rcd_sig');
    put('recordstreams/record0.0.4', '2019-08-30T18_10_00.4Z.rcd');
    const groups = await collect();
    expect(groups.map(({ instant }) => instant)).toEqual([
      '2019-08-30T18_10_00Z',
      '2019-08-30T18_10_00.4Z',
      '2019-08-30T18_10_00.419072Z',
    ]);
    expect(groups[2]!.copies).toMatchObject([
      { node: { name: 'record0.0.3' }, recordName: '2019-08-30T18_10_00.419072Z.rcd', signatureName: null },
      { node: { name: 'record0.0.4' }, recordName: null, signatureName: '2019-08-30T18_10_00.419072Z.rcd_sig' },
    ]);
  });

  it('begin after the given moment', async () => {
    for (const index of [0, 1, 2, 3]) putMoment('recordstreams/record0.0.3', index);
    const groups = await collect({ after: moment(1) });
    expect(groups.map(({ timestamp }) => timestamp)).toEqual([moment(2), moment(3)]);
    await expect(collect({ after: moment(3) })).resolves.toEqual([]);
  });
});

describe('while a writer is at work', () => {
  const nodes = ['recordstreams/record0.0.3', 'recordstreams/record0.0.4'];

  it('every group comes once, in order, and only when enough has signed', async () => {
    const total = 40;
    const stop = new AbortController();
    const timeout = setTimeout(() => stop.abort(), 120_000);
    const seen: bigint[] = [];
    const reading = (async () => {
      const source = createFolderSource({ path, pollMs: 100 });
      for await (const group of recordGroups(source, {
        after: null,
        live: true,
        isEnough: bothSigned,
        signal: stop.signal,
      })) {
        expect(bothSigned(group)).toBe(true);
        seen.push(group.timestamp);
        if (seen.length === total) stop.abort();
      }
    })();
    // The source looks for a folder that does not exist yet.
    await setImmediate();
    for (let index = 0; index < total; index++) {
      for (const node of nodes) {
        putMoment(node, index);
        await setImmediate();
      }
      if (index % 8 === 0) await vi.waitUntil(() => seen.length === index + 1, { timeout: 60_000, interval: 5 });
    }
    await reading;
    clearTimeout(timeout);
    expect(seen).toEqual(Array.from({ length: total }, (_, index) => moment(index)));
  });

  it('a group that stays short is handed out once later ones are complete', async () => {
    putMoment(nodes[0]!, 0);
    const stop = new AbortController();
    const source = createFolderSource({ path, pollMs: 20, missingTimeoutMs: 200 });
    const groups = recordGroups(source, { after: null, live: true, isEnough: bothSigned, signal: stop.signal });
    const iterator = groups[Symbol.asyncIterator]();
    const first = iterator.next();
    // Twice as long as a missing group is waited for.
    await expect(Promise.race([first, sleep(400, 'waiting')])).resolves.toBe('waiting');
    for (const node of nodes) putMoment(node, 1);
    await expect(first).resolves.toMatchObject({ value: { timestamp: moment(0) } });
    await expect(iterator.next()).resolves.toMatchObject({ value: { timestamp: moment(1) } });
    stop.abort();
    await expect(iterator.next()).resolves.toMatchObject({ done: true });
  });

  it('new files are found without notices too', async () => {
    putMoment(nodes[0]!, 0);
    const folder = createWatchedFolder(join(path, nodes[0]!), { live: false, onChange: () => {} });
    expect(await folder.newNames()).toHaveLength(2);
    putMoment(nodes[0]!, 1);
    expect(await folder.newNames()).toContain(`${formatInstant(moment(1))}.rcd_sig`);
    folder.close();
  });
});

function makeSparseFile(path: string): void {
  writeFileSync(path, '');
  truncateSync(path, 2 ** 40);
}

describe('files', () => {
  it('are read as stored, or refused with a reason', async () => {
    putMoment('recordstreams/record0.0.3', 0);
    put('recordstreams/record0.0.3/sidecar', 'a_01.rcd.gz', 'side');
    const source = createFolderSource({ path });
    const copy = (await collect())[0]!.copies[0]!;
    await expect(source.read(copy, { kind: 'record' })).resolves.toEqual(Buffer.from('x'));
    await expect(source.read(copy, { kind: 'sidecar', name: 'a_01.rcd.gz' })).resolves.toEqual(Buffer.from('side'));
    await expect(source.read(copy, { kind: 'sidecar', name: 'b_01.rcd.gz' })).rejects.toMatchObject({
      code: 'missing',
    });
    await expect(source.read({ ...copy, signatureName: null }, { kind: 'signature' })).rejects.toMatchObject({
      code: 'missing',
    });
    truncateSync(join(copy.location, copy.recordName!), maxStreamFileSize + 1);
    await expect(source.read(copy, { kind: 'record' })).rejects.toMatchObject({ code: 'tooLarge' });
  });

  it.each([
    ['an endless device', (path: string) => symlinkSync('/dev/zero', path), 'unreadable', 'device'],
    ['a pipe without a writer', (path: string) => execFileSync('/usr/bin/env', ['mkfifo', path]), 'unreadable', 'pipe'],
    ['a folder', (path: string) => mkdirSync(path), 'unreadable', 'folder'],
    ['a huge file without content', makeSparseFile, 'tooLarge', `at most ${maxStreamFileSize}`],
  ])('that are %s are refused by name', async (_name, make, code, reason) => {
    putMoment('recordstreams/record0.0.3', 0);
    const copy = (await collect())[0]!.copies[0]!;
    const target = join(copy.location, copy.recordName!);
    rmSync(target);
    make(target);
    const { rss } = process.memoryUsage();
    const read = createFolderSource({ path }).read(copy, { kind: 'record' });
    await expect(read).rejects.toMatchObject({ code, message: expect.stringContaining(target) });
    await expect(read).rejects.toThrow(reason);
    expect(process.memoryUsage().rss - rss).toBeLessThan(200e6);
  });

  it('that grow while they are read are read as far as they go', async () => {
    putMoment('recordstreams/record0.0.3', 0);
    const copy = (await collect())[0]!.copies[0]!;
    const target = join(copy.location, copy.recordName!);
    rmSync(target);
    // The size of such a file is said to be 0.
    symlinkSync('/proc/self/status', target);
    const bytes = await createFolderSource({ path }).read(copy, { kind: 'record' });
    expect(bytes.toString()).toContain('Threads:');
  });
});

describe('a folder that cannot be listed', () => {
  // As a share that is away or without a free file handle; a link to a name that cannot be is refused to every user.
  it.each(['recordstreams/record0.0.3', '0001'])('is a source that is away for now: %s', async (name) => {
    putMoment('recordstreams/record0.0.4', 0);
    symlinkSync('x'.repeat(300), join(path, name));
    await expect(collect()).rejects.toMatchObject({
      name: 'StreamSourceError',
      code: 'unavailable',
      message: expect.stringMatching(/cannot be listed: ENAMETOOLONG.* Check that all folders in it/),
    });
    const source = createFolderSource({ path });
    const looks = [source.newestInstant(), source.hasRecordsAfter!(0n), source.findBlock(5n)];
    const refusals = (await Promise.allSettled(looks)).flatMap((look) =>
      look.status === 'rejected' ? [look.reason] : [],
    );
    expect(refusals.length).toBeGreaterThan(0);
    for (const refusal of refusals) expect(refusal).toMatchObject({ code: 'unavailable' });
  });
});
