// The network is killed (SIGKILL) at random moments; whatever the moment, the chain goes on without a gap and no
// published file ever changes.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, test, vi } from 'vitest';
import { endWithThisProcess } from '../../packages/postgres/embedded/end-with-this-process.ts';
import { createSeededRandom } from '../../packages/simulated-network/ledger/seeded-random.ts';
import { createNetwork } from '../../packages/simulated-network/network.ts';
import { createFolderSource } from '../../packages/sources/folder-source.ts';
import { verifyStream } from '../../src/importer/verify-stream.ts';
import { readStream } from '../oracle/read/read-stream.ts';

const kills = 12;
/** Of a network that signs a block stream. */
const killsWithProofs = 6;
/** A network that is to be killed at work writes so many blocks first. */
const blocksEach = 4;
const script = fileURLToPath(new URL('./run-until-killed.ts', import.meta.url));

/** `stream`: folder of the published files. No one of them may change or go. */
async function killOften(kills: number, folder: string, stream: string, ...args: string[]): Promise<void> {
  const random = createSeededRandom('moments to kill the network at');
  let published = new Map<string, string>();
  for (let kill = 0; kill < kills; kill++) {
    const network = spawn(process.execPath, [script, folder, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
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
    const now = hashFiles(join(folder, stream));
    for (const [name, hash] of published) expect([name, now.get(name)]).toEqual([name, hash]);
    published = now;
  }
}

test(`the chain survives ${kills} kills`, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kill-network-'));
  await killOften(kills, folder, 'recordstreams');
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

test(`every block is proved after ${killsWithProofs} kills, also those that waited for a later one`, {
  timeout: 600_000,
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kill-network-'));
  await killOften(killsWithProofs, folder, 'blocks', 'blocks');
  const network = await createNetwork({ folder, seed: 'killed', nodes: 2, format: 'blocks' });
  const { number: last } = await network.writeBlock();
  await network.close();
  const source = createFolderSource({ path: folder });
  let next = 0n;
  for await (const { blockNumber, gap, verification } of verifyStream({
    source,
    addressBook: null,
    ledgerId: network.ledgerId(),
  })) {
    expect([blockNumber, gap ?? null]).toEqual([next, null]);
    const signed = BigInt(Math.ceil(Number(next) / 3) * 3);
    expect(verification.proofs.map(({ network }) => network?.restsOn)).toEqual([signed < last ? signed : last]);
    next += 1n;
  }
  expect(next).toBe(last + 1n);
  rmSync(folder, { recursive: true, force: true });
});

/** Published files only: what a kill left half-written has another name. */
function hashFiles(root: string): Map<string, string> {
  if (!existsSync(root)) return new Map();
  const names = readdirSync(root, { recursive: true, withFileTypes: true });
  return new Map(
    names
      .filter((entry) => entry.isFile() && !entry.name.endsWith('.tmp'))
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [path, createHash('sha256').update(readFileSync(path)).digest('hex')]),
  );
}
