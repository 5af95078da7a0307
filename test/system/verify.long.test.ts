// `verify` on a stream that was tampered with: the exit code says that something is wrong, and a sentence says which
// file, which node and which check.
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeNetwork } from '../../packages/test-support/streams/write-network.ts';
import { runHere } from '../support/program/run-here.ts';
import { runMirror } from '../support/program/run-mirror.ts';

const blocks = 5;
const nodes = [3, 4, 5, 6];
let folder: string;
let sound: string;
/** Names of a block in the middle of the stream that has a sidecar. */
let record: string;
let signature: string;
let sidecar: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'verify-'));
  sound = join(folder, 'sound');
  await write(sound, 'verify');
  const names = readdirSync(join(sound, 'recordstreams/record0.0.3')).sort();
  sidecar = readdirSync(join(sound, 'recordstreams/record0.0.3/sidecar')).sort()[0]!;
  record = sidecar.replace('Z_01.', 'Z.');
  signature = record.replace('.rcd.gz', '.rcd_sig');
  expect(names).toEqual(expect.arrayContaining([record, signature]));
  // With a block before and one after it.
  expect(names.indexOf(record)).toBeGreaterThan(0);
  expect(names.indexOf(record)).toBeLessThan(names.length - 4);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function write(path: string, seed: string): Promise<void> {
  await writeNetwork({ folder: path, seed, ownKeys: true, nodes: nodes.length, blocks, transactions: 20 });
}

test('a sound stream: exit code 0, each file with its checks', async () => {
  const { code, output } = await runProgram(sound);
  expect(code).toBe(0);
  expect(output).toContain(`${blocks} files are proved.`);
  expect(output.match(/signatures verified: 4 of 4 nodes/g)).toHaveLength(blocks);
  expect(output).toContain('passed: signatures, fileHash, metadataHash, previousHash, runningHash, sidecar');
  expect(output).not.toContain('NOT PROVED');
});

type Damage = {
  name: string;
  /** One byte of each of these files is changed, or they are removed. */
  how: 'change' | 'remove';
  files(): string[];
  /** What one sentence must name. */
  names(): string[];
  /** The stream as a whole is still proved by other copies. */
  proved?: true;
};

const damages: Damage[] = [
  {
    name: 'one byte of a data file of one node',
    how: 'change',
    files: () => ofNodes([3], record),
    names: () => [`NOT PROVED ${record}`, 'node record0.0.3', 'fileHash'],
    proved: true,
  },
  {
    name: 'one byte of a data file of every node',
    how: 'change',
    files: () => ofNodes(nodes, record),
    names: () => [record, 'not the file that was signed', ...nodes.map((node) => `node record0.0.${node}`), 'fileHash'],
  },
  {
    name: 'one byte of a signature',
    how: 'change',
    files: () => ofNodes([5], signature),
    names: () => [`NOT PROVED ${signature}`, 'node record0.0.5', 'signatures'],
    proved: true,
  },
  {
    name: 'signatures of fewer than a third of the nodes',
    how: 'remove',
    files: () => ofNodes([3, 4, 5], signature),
    names: () => [record.replace('.gz', ''), 'not signed by enough of the network', '1 valid signatures of 4 nodes'],
  },
  {
    name: 'valid signatures of fewer than a third of the nodes',
    how: 'change',
    files: () => ofNodes([3, 4, 5], signature),
    names: () => [record.replace('.gz', ''), 'not signed by enough of the network', '1 valid signatures of 4 nodes'],
  },
  {
    name: 'one byte of a sidecar of one node',
    how: 'change',
    files: () => ofNodes([4], `sidecar/${sidecar}`),
    names: () => [`NOT PROVED ${sidecar}`, 'node record0.0.4', 'sidecar'],
    proved: true,
  },
  {
    name: 'one byte of a sidecar of every node',
    how: 'change',
    files: () => ofNodes(nodes, `sidecar/${sidecar}`),
    names: () => [sidecar, 'no valid copy of a sidecar file', ...nodes.map((node) => `node record0.0.${node}`)],
  },
  {
    name: 'a block missing in between',
    how: 'remove',
    files: () => [...ofNodes(nodes, record), ...ofNodes(nodes, signature)],
    names: () => ['not the successor of the last file', 'previousHash'],
  },
];

function ofNodes(some: number[], name: string): string[] {
  return some.map((node) => `recordstreams/record0.0.${node}/${name}`);
}

test.each(damages)('$name: exit code 1 and a sentence', async ({ how, files, names, proved }) => {
  const path = mkdtempSync(join(folder, 'damaged-'));
  cpSync(sound, path, { recursive: true });
  for (const file of files()) {
    if (how === 'remove') rmSync(join(path, file));
    else changeByte(join(path, file));
  }
  const { code, output } = await verify(path);
  const lines = output.trimEnd().split('\n');
  expect([code, lines.at(-1)]).toEqual([
    1,
    expect.stringMatching(proved ? `^${blocks} files are proved; 1 .* not\\.$` : /^ledger-mirror verify: /),
  ]);
  const sentence = lines.find((line) => names().every((name) => line.includes(name)));
  expect([names(), sentence && 'one sentence names them all']).toEqual([names(), 'one sentence names them all']);
});

test('a stream that is not proved ends the program with exit code 1', async () => {
  const path = mkdtempSync(join(folder, 'damaged-'));
  cpSync(sound, path, { recursive: true });
  for (const file of ofNodes(nodes, record)) changeByte(join(path, file));
  const { code, output } = await runProgram(path);
  expect([code, output]).toEqual([1, expect.stringMatching(/^ledger-mirror verify: .*not the file that was signed/m)]);
});

test("another network's address book: nothing is proved", async () => {
  const other = join(folder, 'other');
  await write(other, 'another network');
  const { code, output } = await verify(sound, join(other, 'addressbook.bin'));
  expect(code).toBe(1);
  expect(output).toContain('0 valid signatures of 4 nodes');
  expect(output).toContain('check that the address book belongs to this network');
});

test.each([
  ['a folder without stream files', () => mkdtempSync(join(folder, 'empty-'))],
  ['no folder', () => join(folder, 'nowhere')],
])('%s: exit code 1 and its name', async (_what, makePath) => {
  const path = makePath();
  const { code, output } = await verify(path, join(sound, 'addressbook.bin'));
  expect([code, output]).toEqual([1, expect.stringContaining(path)]);
});

const commandFor = (source: string, addressBook = join(source, 'addressbook.bin')): string[] => {
  return ['verify', '--source', source, '--address-book', addressBook];
};

const verify = (source: string, addressBook?: string) => runHere(commandFor(source, addressBook));

/** The same as a process. */
async function runProgram(source: string) {
  const mirror = runMirror(commandFor(source));
  return { code: await mirror.ended, output: mirror.output() };
}

function changeByte(file: string): void {
  const isPacked = file.endsWith('.gz');
  const stored = readFileSync(file);
  const bytes = isPacked ? gunzipSync(stored) : stored;
  // Of a signature file a byte of the signature itself; of others one near the end, inside a value.
  const place = isPacked ? bytes.length - 40 : 200;
  bytes[place] = bytes[place]! ^ 1;
  writeFileSync(file, isPacked ? gzipSync(bytes) : bytes);
}
