// What is read at once is what the other way reads, and what cannot be read is refused in the same words.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createSmallFileReader } from './file-reader.ts';
import { readBoundedFile } from './read-bounded-file.ts';

const root = mkdtempSync(join(tmpdir(), 'file-reader-'));
afterAll(() => rmSync(root, { recursive: true }));

const quick = () => 0;

/** As a source reads. */
function createFileReader(clock: () => number) {
  const readSmallFile = createSmallFileReader(clock);
  return async (path: string) => readSmallFile(path) ?? readBoundedFile(path);
}

function write(name: string, sizeBytes: number): string {
  const path = join(root, name);
  writeFileSync(path, Buffer.alloc(sizeBytes, name));
  return path;
}

describe('a file reader', () => {
  it.each([1, 4_095, 4_096, 256 * 1024, 256 * 1024 + 1, 1_000_000])('reads %i bytes', async (sizeBytes) => {
    const path = write(`bytes-${sizeBytes}`, sizeBytes);
    const bytes = await createFileReader(quick)(path);
    expect(bytes.equals(Buffer.alloc(sizeBytes, `bytes-${sizeBytes}`))).toBe(true);
  });

  it('reads what says that it is empty', async () => {
    const path = join(root, 'made-up');
    symlinkSync('/proc/self/status', path);
    expect((await createFileReader(quick)(path)).toString()).toContain('Threads:');
    expect(await createFileReader(quick)(write('empty', 0))).toHaveLength(0);
  });

  it.each([
    ['nothing', () => {}],
    ['a folder', (path: string) => mkdirSync(path)],
    ['a pipe', (path: string) => execFileSync('/usr/bin/env', ['mkfifo', path])],
    ['a circle of links', (path: string) => symlinkSync(path, path)],
  ])('refuses %s in the words of the other way', async (name, make) => {
    const path = join(root, name);
    make(path);
    const refusal = await readBoundedFile(path).catch((error: Error) => error);
    expect(refusal).toMatchObject({ name: 'StreamSourceError' });
    await expect(createFileReader(quick)(path)).rejects.toEqual(refusal);
  });

  it('leaves the files after a slow one to the threads for a while', async () => {
    let timeMs = 0;
    let looks = 0;
    let fileMs = 50;
    const read = createFileReader(() => {
      looks++;
      timeMs += fileMs;
      return timeMs;
    });
    const path = write('slow', 100);
    const looksFor = async (files: number): Promise<number> => {
      const before = looks;
      for (let index = 0; index < files; index++) expect(await read(path)).toHaveLength(100);
      return looks - before;
    };
    expect(await looksFor(1)).toBe(2);
    expect(await looksFor(32)).toBe(0);
    fileMs = 0.01;
    expect(await looksFor(3)).toBe(6);
  });
});
