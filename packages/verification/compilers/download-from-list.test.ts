import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parseCompilerVersion } from './compiler-version.ts';
import { downloadFromList } from './download-from-list.ts';

let folder: string;
let server: Server | null = null;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'download-from-list-'));
});

afterEach(() => {
  server?.close();
  rmSync(folder, { recursive: true });
});

const wanted = parseCompilerVersion('0.8.18+commit.87f61d96')!;
const file = Buffer.from('module.exports = {};');
const sha256 = `0x${createHash('sha256').update(file).digest('hex')}`;
const build = { path: 'soljson-v0.8.18+commit.87f61d96.js', longVersion: '0.8.18+commit.87f61d96', sha256 };

async function serve(files: Record<string, string | Buffer>): Promise<string> {
  server = createServer((request, response) => {
    const content = files[decodeURIComponent(request.url!)];
    if (content === undefined) response.statusCode = 404;
    response.end(content);
  });
  await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/bin/`;
}

function list(...builds: object[]): Record<string, string | Buffer> {
  return { '/bin/list.json': JSON.stringify({ builds }), [`/bin/${build.path}`]: file };
}

test('a build with the promised checksum takes its place', async () => {
  const lines: string[] = [];
  const url = await serve(list({ ...build, longVersion: '0.8.17+commit.8df45f5f', path: 'other.js' }, build));
  expect(await downloadFromList(url, wanted, folder, (line) => lines.push(line))).toBe(true);
  expect(readdirSync(folder)).toEqual(['soljson-v0.8.18+commit.87f61d96.js']);
  expect(readFileSync(join(folder, build.path))).toEqual(file);
  expect(lines).toEqual([expect.stringContaining('0.8.18+commit.87f61d96 was fetched')]);
});

test('a build that the list does not have', async () => {
  expect(await downloadFromList(await serve(list()), wanted, folder, () => undefined)).toBe(false);
});

test.each([
  ['another checksum', list({ ...build, sha256: `0x${'0'.repeat(64)}` }), /has SHA-256 0x.*the list promises 0x000/],
  ['a path to elsewhere', list({ ...build, path: '../../evil.js' }), /names a file "\.\.\/\.\.\/evil\.js"/],
  ['a file that is not there', list({ ...build, path: 'missing.js' }), /HTTP status 404/],
  ['a list that is no list', { '/bin/list.json': '{}' }, /list of compilers cannot be read/],
  ['no list', {}, /list\.json cannot be fetched: HTTP status 404/],
])('%s is refused', async (_, files, message) => {
  const download = downloadFromList(await serve(files), wanted, folder, () => undefined);
  await expect(download).rejects.toMatchObject({
    code: 'compiler_not_available',
    message: expect.stringMatching(message),
  });
  expect(readdirSync(folder)).toEqual([]);
});
