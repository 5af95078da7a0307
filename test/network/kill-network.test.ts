// The network is killed (SIGKILL) at random moments; whatever the moment, the chain goes on without a gap and no published
// file ever changes.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, test, vi } from 'vitest';
import { createSeededRandom } from '../../packages/simulated-network/ledger/seeded-random.ts';
import { endWithThisProcess } from '../../src/store/embedded/end-with-this-process.ts';
import { readStream } from '../oracle/read/read-stream.ts';

const kills = 12;
/** A network that is to be killed at work writes so many blocks first. */
const blocksEach = 4;
const script = fileURLToPath(new URL('./run-until-killed.ts', import.meta.url));

test(`the chain survives ${kills} kills`, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kill-network-'));
  const random = createSeededRandom('moments to kill the network at');
  let published = new Map<string, string>();
  for (let kill = 0; kill < kills; kill++) {
    const network = spawn(process.execPath, [script, folder], { stdio: ['ignore', 'pipe', 'inherit'] });
    endWithThisProcess(network, 'KILL');
    const exited = once(network, 'exit');
    let blocks = 0;
    network.stdout.on('data', (text: Buffer) => {
      blocks += text.toString().split('\n').length - 1;
    });
    // Also while it starts: then it makes again what the last kill interrupted.
    if (kill % 3 !== 2) await vi.waitUntil(() => blocks >= blocksEach, { timeout: 240_000, interval: 10 });
    await sleep(random.integer(5, kill % 3 === 2 ? 800 : 100));
    network.kill('SIGKILL');
    await exited;
    const now = hashFiles(folder);
    for (const [name, hash] of published) expect([name, now.get(name)]).toEqual([name, hash]);
    published = now;
  }
  const blocks = readStream(folder);
  expect(blocks.length).toBeGreaterThanOrEqual((kills / 3) * 2 * blocksEach);
  let previous = Buffer.alloc(48);
  for (const [number, { file }] of blocks.entries()) {
    expect(file.blockNumber).toBe(BigInt(number));
    expect(file.previousHash.equals(previous)).toBe(true);
    previous = Buffer.from(file.hash);
  }
  // All nodes hold the same data.
  expect(
    readStream(folder, '0.0.4')
      .map(({ name }) => name)
      .slice(0, blocks.length - 1),
  ).toEqual(blocks.map(({ name }) => name).slice(0, blocks.length - 1));
  rmSync(folder, { recursive: true, force: true });
});

/** Published files only: what a kill left half-written has another name. */
function hashFiles(folder: string): Map<string, string> {
  const root = join(folder, 'recordstreams');
  if (!existsSync(root)) return new Map();
  const names = readdirSync(root, { recursive: true, withFileTypes: true });
  return new Map(
    names
      .filter((entry) => entry.isFile() && !entry.name.endsWith('.tmp'))
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [path, createHash('sha256').update(readFileSync(path)).digest('hex')]),
  );
}
