// The network on a disk that is full for a while: it waits, says so, and goes on with the same chain. Needs a small,
// separate file system, which only root may mount.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { openNetwork } from '../../packages/test-support/streams/open-network.ts';
import { readStream } from '../oracle/read/read-stream.ts';

// Each starts programs, which takes its time on a machine that does other things too.
vi.setConfig({ testTimeout: 300_000 });

let disk: string;

function canMount(): boolean {
  if (process.getuid?.() !== 0 || process.platform !== 'linux') return false;
  const place = mkdtempSync(join(tmpdir(), 'can-mount-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', place], { stdio: 'ignore' });
    execFileSync('umount', [place]);
    return true;
  } catch {
    return false; // In a container without the right to mount.
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

describe.skipIf(!canMount())('a full disk (skipped where no tmpfs can be mounted)', () => {
  beforeEach(() => {
    disk = mkdtempSync(join(tmpdir(), 'full-disk-'));
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', disk]);
  });
  afterEach(() => {
    execFileSync('umount', ['-l', disk]);
    rmSync(disk, { recursive: true, force: true });
  });

  /** Leaves so many bytes free. */
  function fill(leftBytes: number): void {
    const { bavail, bsize } = statfsSync(disk);
    writeFileSync(join(disk, 'filler'), Buffer.alloc(Math.max(0, bavail * bsize - leftBytes)));
  }

  // Different amounts of room, so that different files are the first that find none.
  test.each([0, 4096, 12_288, 40_960])('with %d bytes left blocks wait and go on', async (leftBytes) => {
    const stop = new AbortController();
    const told: boolean[] = [];
    let blocks = 0;
    let goesOnFrom = Number.POSITIVE_INFINITY;
    const network = await openNetwork({
      folder: join(disk, 'network'),
      nodes: 3,
      onFullDisk(error) {
        told.push(error !== null);
        if (error) rmSync(join(disk, 'filler'), { force: true });
        else goesOnFrom = blocks;
      },
    });
    await network.run({
      intervalMs: 0,
      transactionsPerBlock: 5,
      blocks: 80,
      signal: stop.signal,
      onBlock() {
        blocks += 1;
        if (blocks === 8) fill(leftBytes);
        // Through the next saved state.
        if (blocks >= goesOnFrom + 26) stop.abort();
      },
    });
    await network.close();
    expect(told.slice(0, 2)).toEqual([true, false]);
    const before = readStream(join(disk, 'network')).length;
    const again = await openNetwork({ folder: join(disk, 'network'), nodes: 3 });
    await again.writeBlock();
    await again.close();
    const stream = readStream(join(disk, 'network'));
    expect(stream.length).toBe(before + 1);
    expect(stream.map(({ file }) => file.blockNumber)).toEqual(stream.map((_block, index) => BigInt(index)));
    for (const [index, { file }] of stream.entries()) {
      if (index > 0) expect(file.previousHash).toEqual(stream[index - 1]!.file.hash);
    }
    const left = readdirSync(join(disk, 'network'), { recursive: true }).filter((name) => `${name}`.endsWith('.tmp'));
    expect(left).toEqual([]);
  });

  test('the signal ends the wait', async () => {
    const stop = new AbortController();
    const network = await openNetwork({ folder: join(disk, 'network'), nodes: 3, onFullDisk: () => stop.abort() });
    let blocks = 0;
    await network.run({
      intervalMs: 0,
      signal: stop.signal,
      onBlock() {
        blocks += 1;
        if (blocks === 8) fill(0);
      },
    });
    await network.close();
    expect(stop.signal.aborted).toBe(true);
  });
});
