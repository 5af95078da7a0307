// Everything that can be wrong with a stream, done to a small signed one: each damage is found, named by the check that
// found it, and steps aside for another node's good copy where there is one.

import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { sha384 } from '../../packages/protocol/sha384.ts';
import { writeSignatureFileV6 } from '../../packages/simulated-network/formats/write-signature-file.ts';
import { createFolderSource } from '../../packages/sources/folder-source.ts';
import { readRecordFile } from '../../packages/streams/record-stream/record-file.ts';
import {
  createSignedStream,
  createTestKeys,
  type SignedFile,
  type SignedStream,
  transferItem,
} from '../../packages/test-support/streams/signed-stream.ts';
import { StreamCheckError } from '../../src/importer/open/stream-check-error.ts';
import { type VerifiedFile, type VerifyStreamOptions, verifyStream } from '../../src/importer/verify-stream.ts';

const root = mkdtempSync(join(tmpdir(), 'corruption-'));
const keys = createTestKeys(4);
const otherKeys = createTestKeys(1);
const versions = [2, 5, 6] as const;
let stream: SignedStream;
let streamCount = 0;

beforeEach(() => {
  stream = createSignedStream(join(root, String(streamCount++)), keys);
});
afterAll(() => rmSync(root, { recursive: true }));

async function verify(options: Partial<VerifyStreamOptions> = {}): Promise<VerifiedFile[]> {
  const files: VerifiedFile[] = [];
  const source = createFolderSource({ path: stream.path });
  for await (const file of verifyStream({ source, addressBook: stream.addressBook, ...options })) files.push(file);
  return files;
}

async function failure(options: Partial<VerifyStreamOptions> = {}): Promise<StreamCheckError> {
  const error = await verify(options).then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(StreamCheckError);
  return error as StreamCheckError;
}

const everyNode = [0, 1, 2, 3];

describe('a sound stream', () => {
  it('is proved across all generations of files', async () => {
    stream.write({ version: 2 });
    stream.write({ version: 5 });
    stream.write({ version: 5 });
    stream.write({ version: 6 });
    stream.write({ version: 6, items: [] });
    stream.write({ version: 6, sidecarsOf: [0, 1] });
    const files = await verify();
    expect(
      files.map(({ version, transactionCount, sidecars }) => [version, transactionCount, sidecars.length]),
    ).toEqual([
      [2, 2, 0],
      [5, 2, 0],
      [5, 2, 0],
      [6, 2, 0],
      [6, 0, 0],
      [6, 2, 1],
    ]);
    expect(files[4]!.consensusStart).toBe(1_700_000_008_123_456_789n);
    expect(files.every(({ verification }) => verification.proofs[0]!.signatures!.verified === 4)).toBe(true);
    expect(files[5]!.verification.checks).toEqual([
      'signatures',
      'fileHash',
      'metadataHash',
      'previousHash',
      'runningHash',
      'sidecar',
    ]);
  });

  it('accepts any previous hash at its start, unless one is given', async () => {
    const first = stream.write();
    const [{ hash }] = (await verify()) as [VerifiedFile];
    for (const path of [...first.records, ...first.signatures]) rmSync(path);
    stream.write();
    await expect(verify()).resolves.toHaveLength(1);
    await expect(verify({ previousHash: hash })).resolves.toHaveLength(1);
    const given = Buffer.alloc(48, 1);
    await expect(failure({ previousHash: given })).resolves.toMatchObject({
      code: 'previousHash',
      expected: given.toString('hex'),
      found: hash.toString('hex'),
    });
  });
});

type Damage = { name: string; damage(file: SignedFile, node: number): void; code: string };

const damages: Damage[] = [
  { name: 'data file missing', damage: (file, node) => rmSync(file.records[node]!), code: 'missing' },
  { name: 'data file empty', damage: (file, node) => writeFileSync(file.records[node]!, ''), code: 'format' },
  {
    name: 'data file truncated',
    damage: (file, node) => edit(file.records[node]!, (b) => b.subarray(0, -9)),
    code: 'format',
  },
  {
    name: 'garbage behind the data',
    damage: (file, node) => editContent(file.records[node]!, (b) => Buffer.concat([b, Buffer.of(0)])),
    code: 'format',
  },
  {
    name: 'an item replaced',
    damage: (file, node) => editContent(file.records[node]!, (b) => flipByte(b, b.indexOf('test'))),
    code: 'fileHash',
  },
  {
    name: 'unknown version',
    damage: (file, node) => editContent(file.records[node]!, (b) => flipByte(b, 3)),
    code: 'format',
  },
  { name: 'signature missing', damage: (file, node) => rmSync(file.signatures[node]!), code: 'signatures' },
  {
    name: 'signature truncated',
    damage: (file, node) => edit(file.signatures[node]!, (b) => b.subarray(0, -1)),
    code: 'signatures',
  },
  {
    name: 'garbage behind the signature',
    damage: (file, node) => edit(file.signatures[node]!, (b) => Buffer.concat([b, Buffer.of(1)])),
    code: 'signatures',
  },
  {
    name: 'signature changed',
    damage: (file, node) => edit(file.signatures[node]!, (b) => flipByte(b, Math.floor(b.length / 3))),
    code: 'signatures',
  },
];

describe.each(versions)('a damaged file of version %i', (version) => {
  it.each(damages)('$name everywhere: stops the stream', async ({ damage, code }) => {
    stream.write({ version });
    const file = stream.write({ version });
    for (const node of everyNode) damage(file, node);
    const error = await failure();
    expect(error.code).toBe(code);
    expect(error.file).toContain(file.name.slice(0, 30));
    expect(error.message).toContain('goes on with this file');
  });

  it.each(damages)('$name at one node: the others do', async ({ damage }) => {
    damage(stream.write({ version }), 0);
    const [verified] = await verify();
    expect(verified!.transactionCount).toBe(2);
  });
});

describe('one changed byte', () => {
  it.each(versions)('anywhere in a record file of version %i is found', async (version) => {
    const file = stream.write({ version });
    const good = content(file.records[0]!);
    for (const node of [1, 2, 3]) rmSync(file.records[node]!);
    await fc.assert(
      fc.asyncProperty(fc.nat(good.length - 1), fc.integer({ min: 1, max: 255 }), async (offset, change) => {
        const bad = Buffer.from(good);
        bad[offset]! ^= change;
        writeFileSync(file.records[0]!, version === 6 ? gzipSync(bad) : bad);
        const { code } = await failure();
        expect(['fileHash', 'format']).toContain(code);
      }),
      { numRuns: 60 },
    );
  });

  it('anywhere in a gzip file is found, or changes nothing that was signed', async () => {
    const file = stream.write();
    const [good] = await verify();
    const bytes = readFileSync(file.records[0]!);
    for (const node of [1, 2, 3]) rmSync(file.records[node]!);
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), async (offset, change) => {
        const bad = Buffer.from(bytes);
        bad[offset]! ^= change;
        writeFileSync(file.records[0]!, bad);
        const outcome = await verify().catch((error: unknown) => error);
        if (outcome instanceof StreamCheckError) expect(['fileHash', 'format']).toContain(outcome.code);
        else expect((outcome as VerifiedFile[])[0]!.fileHash).toEqual(good!.fileHash);
      }),
      { numRuns: 60 },
    );
  });

  // Signature files of version 6 have fields that nothing depends on, such as the checksum of a length.
  it.each([2, 5] as const)('anywhere in the signature files of version %i is found', async (version) => {
    const file = stream.write({ version });
    const good = file.signatures.map((path) => readFileSync(path));
    await fc.assert(
      fc.asyncProperty(fc.nat(good[0]!.length - 1), fc.integer({ min: 1, max: 255 }), async (offset, change) => {
        for (const node of everyNode) {
          const bad = Buffer.from(good[node]!);
          bad[offset]! ^= change;
          writeFileSync(file.signatures[node]!, bad);
        }
        await expect(failure()).resolves.toMatchObject({ code: 'signatures' });
      }),
      { numRuns: 60 },
    );
  });

  it('anywhere in a sidecar file is found', async () => {
    const file = stream.write({ sidecarsOf: [0, 1] });
    const good = content(file.sidecars[0]!);
    for (const node of [1, 2, 3]) rmSync(file.sidecars[node]!);
    await fc.assert(
      fc.asyncProperty(fc.nat(good.length - 1), fc.integer({ min: 1, max: 255 }), async (offset, change) => {
        const bad = Buffer.from(good);
        bad[offset]! ^= change;
        writeFileSync(file.sidecars[0]!, gzipSync(bad));
        await expect(failure()).resolves.toMatchObject({ code: 'sidecar' });
      }),
      { numRuns: 40 },
    );
  });
});

describe('stake', () => {
  const third = new Map([
    [0n, 333n],
    [1n, 333n],
    [2n, 333n],
    [3n, 0n],
  ]);

  it.each([
    { nodes: [0], stakes: third, passes: true, why: 'exactly one third' },
    { nodes: [3], stakes: third, passes: false, why: 'no stake at all' },
    { nodes: [0], stakes: new Map([...third, [3n, 1n]]), passes: false, why: 'a third rounded down' },
    { nodes: [0, 3], stakes: new Map([...third, [3n, 1n]]), passes: true, why: 'one tinybar more' },
    { nodes: [0], stakes: null, passes: false, why: 'one of four equal nodes' },
    { nodes: [1, 2], stakes: null, passes: true, why: 'two of four equal nodes' },
    {
      nodes: [0],
      stakes: new Map([
        [0n, 1n],
        [9n, 10n ** 30n],
      ]),
      passes: true,
      why: 'stake of unknown nodes left out',
    },
    {
      nodes: [1, 2, 3],
      stakes: new Map([
        [0n, 2n ** 62n],
        [1n, 2n ** 61n - 1n],
      ]),
      passes: false,
      why: 'huge stakes',
    },
  ])('$why: passes $passes', async ({ nodes, stakes, passes }) => {
    stream.write({ nodes });
    if (passes) expect(await verify({ stakes })).toHaveLength(1);
    else await expect(failure({ stakes })).resolves.toMatchObject({ code: 'signatures', transient: true });
  });

  it('is one for each node where there is none', async () => {
    stream.write();
    const [file] = await verify({ stakes: new Map() });
    expect(file!.verification.proofs[0]!.signatures!).toMatchObject({ totalStake: 4n, requiredStake: 2n });
  });

  it('does not count signatures over different files together', async () => {
    const file = stream.write();
    for (const node of everyNode) {
      const hash = Buffer.alloc(48, node);
      writeFileSync(file.signatures[node]!, writeSignatureFileV6(stream.sign(node, hash), stream.sign(node, hash)));
    }
    const error = await failure();
    expect(error.found).toContain('spread over 4 different file hashes');
    expect(error.transient).toBe(false); // All nodes have signed: waiting would not help.
  });

  it('does not count signatures with another key', async () => {
    const other = createSignedStream(join(root, `${streamCount++}`), [otherKeys[0]!, ...keys.slice(1)]);
    other.write();
    const source = createFolderSource({ path: other.path });
    const [verified] = await verify({ source });
    expect(verified!.verification.proofs[0]!.signatures!).toMatchObject({ verified: 3, present: 4, nodes: 4 });
    expect(verified!.verification.rejected).toMatchObject([{ node: 'record0.0.3', found: 'an invalid one' }]);
  });

  it('needs the metadata signature too', async () => {
    const file = stream.write();
    const wrong = stream.sign(0, Buffer.alloc(48));
    for (const node of everyNode) {
      const fileHash = stream.sign(node, Buffer.alloc(48, 5));
      writeFileSync(file.signatures[node]!, writeSignatureFileV6(fileHash, { ...wrong, hash: Buffer.alloc(48, 6) }));
    }
    const { failures } = await failure();
    expect(failures.slice(1).map(({ expected }) => expected)).toEqual(
      everyNode.map(() => 'a valid signature of the metadata hash'),
    );
  });
});

describe('the chain', () => {
  it.each(versions)('stops at a gap, version %i', async (version) => {
    stream.write({ version });
    const gap = stream.write({ version });
    for (const path of [...gap.records, ...gap.signatures]) rmSync(path);
    const after = stream.write({ version });
    await expect(failure()).resolves.toMatchObject({ code: 'previousHash', file: after.name });
  });

  it('stops where signed items do not lead to the signed running hash', async () => {
    const file = stream.write({ items: [transferItem(1_700_000_000_123_456_789n, 5n)] });
    // All nodes sign a file whose items were exchanged after its running hash was made.
    const bytes = flipByte(content(file.records[0]!), content(file.records[0]!).indexOf('test'));
    const { metadataHash } = readRecordFile(bytes);
    for (const node of everyNode) {
      writeFileSync(file.records[node]!, gzipSync(bytes));
      const signature = writeSignatureFileV6(stream.sign(node, sha384(bytes)), stream.sign(node, metadataHash!));
      writeFileSync(file.signatures[node]!, signature);
    }
    await expect(failure()).resolves.toMatchObject({ code: 'runningHash' });
  });
});

describe('sidecars', () => {
  it.each([
    { name: 'missing', damage: (path: string) => rmSync(path), transient: true },
    { name: 'truncated', damage: (path: string) => edit(path, (b) => b.subarray(0, -3)), transient: true },
    { name: 'of another content', damage: (path: string) => writeFileSync(path, gzipSync('other')), transient: false },
  ])('$name everywhere: stop the stream; at one node: the others do', async ({ damage, transient }) => {
    const file = stream.write({ sidecarsOf: [1] });
    damage(file.sidecars[0]!);
    const [verified] = await verify();
    expect(verified!.sidecars).toMatchObject([{ id: 1, types: [3], count: 1 }]);
    const passedOver = verified!.verification.rejected.map(({ code, node }) => `${code} ${node}`);
    expect(passedOver).toEqual(existsSync(file.sidecars[0]!) ? ['sidecar record0.0.3'] : []);
    for (const node of [1, 2, 3]) damage(file.sidecars[node]!);
    await expect(failure()).resolves.toMatchObject({ code: 'sidecar', transient });
  });
});

it('reads sidecars that were unpacked', async () => {
  const file = stream.write({ sidecarsOf: [1] });
  for (const path of file.sidecars) {
    writeFileSync(path.replace(/\.gz$/, ''), content(path));
    rmSync(path);
  }
  const [verified] = await verify();
  expect(verified!.sidecars).toMatchObject([{ id: 1, count: 1, name: expect.stringMatching(/_01\.rcd$/) }]);
  expect(verified!.verification.rejected).toEqual([]);
});

it('an empty block file is none', async () => {
  writeFileSync(join(stream.path, '0000000000000000042.blk.zstd'), '');
  await expect(verify()).rejects.toThrow('one block header');
});

it('says what it looked for when there is nothing', async () => {
  await expect(verify()).rejects.toThrow('holds neither record files nor blocks');
});

function content(path: string): Buffer {
  return path.endsWith('.gz') ? gunzipSync(readFileSync(path)) : readFileSync(path);
}

function edit(path: string, change: (bytes: Buffer) => Buffer): void {
  writeFileSync(path, change(readFileSync(path)));
}

function editContent(path: string, change: (bytes: Buffer) => Buffer): void {
  writeFileSync(path, path.endsWith('.gz') ? gzipSync(change(content(path))) : change(content(path)));
}

function flipByte(bytes: Buffer, offset: number): Buffer {
  const copy = Buffer.from(bytes);
  copy[offset]! ^= 0x40;
  return copy;
}
