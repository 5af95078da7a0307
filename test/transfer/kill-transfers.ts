// Kills exports and bootstraps at random moments, begins them again, and compares what came of them with a mirror that
// nothing happened to.
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { dumpDatabase, summarizeDump } from '../../packages/test-support/postgres/dump-database.ts';
import { createScratchDatabase } from '../../packages/test-support/postgres/scratch-database.ts';
import { writeSimulatedStream } from '../../packages/test-support/streams/simulated-stream.ts';
import { runMirror } from '../support/program/run-mirror.ts';

export type KillOptions = {
  /** Of each command. */
  kills: number;
  blocks: number;
  /** Moments of the kills follow from it. */
  seed: number;
  tell?(sentence: string): void;
};

export type KillReport = {
  /** That hit a running command. */
  kills: number;
  /** Runs that came to their end. */
  ended: number;
  /** Tables that differ, each with its run. */
  different: string[];
};

type Killed = { what: string; args: string[]; databaseUrl: string; maxKills: number; isWhole?: () => boolean };

export async function killTransfers({ kills, blocks, seed, tell = () => {} }: KillOptions): Promise<KillReport> {
  const folder = mkdtempSync(join(tmpdir(), 'kill-transfers-'));
  const stream = await writeSimulatedStream({
    seed: `kill ${seed}`,
    blocks,
    transactionsPerBlock: 50,
    blockTime: 86_400_000_000_000n,
  });
  const mirror = await createScratchDatabase();
  const random = createRandom(seed);
  try {
    await stream.importInto(mirror.connectionString);
    const expected = summarizeDump(await dumpDatabase(mirror.connectionString));
    const report: KillReport = { kills: 0, ended: 0, different: [] };
    const place = (index: number): string => join(folder, `export-${index}`);

    async function killUntilEnd({ what, args, databaseUrl, maxKills, isWhole }: Killed): Promise<number> {
      for (let count = 0; ; ) {
        const mayKill = count < maxKills;
        const { child, ended, output } = runMirror(args, { env: { DATABASE_URL: databaseUrl } });
        const atMs = 300 + random() * (what === 'export' ? 3_000 : 9_000);
        const stopped = new AbortController();
        const killed =
          mayKill &&
          sleep(atMs, null, { signal: stopped.signal }).then(
            () => child.kill('SIGKILL'),
            () => false,
          );
        const code = await ended;
        stopped.abort();
        await killed;
        if (code === null) {
          count += 1;
          tell(`${what} killed after ${Math.round(atMs)} ms`);
          // An export that was whole already is not written again.
          if (!isWhole?.()) continue;
          return count;
        }
        if (code !== 0) throw new Error(`${what} ended with ${code}:\n${output()}`);
        report.ended += 1;
        return count;
      }
    }

    let exports = 0;
    for (let left = kills; left > 0; exports++) {
      const to = place(exports);
      const hit = await killUntilEnd({
        what: 'export',
        args: ['export', '--to', to],
        databaseUrl: mirror.connectionString,
        maxKills: left,
        isWhole: () => existsSync(join(to, 'manifest.csv')) && !existsSync(join(to, 'export-progress.json')),
      });
      report.kills += hit;
      left -= hit;
    }
    for (let left = kills, run = 0; left > 0; run++) {
      const copy = await createScratchDatabase();
      const args = ['bootstrap', '--full', '--from', place(run % exports), '--network', 'other'];
      const databaseUrl = copy.connectionString;
      const hit = await killUntilEnd({ what: 'bootstrap', args, databaseUrl, maxKills: left });
      report.kills += hit;
      left -= hit;
      const found = summarizeDump(await dumpDatabase(copy.connectionString));
      for (const [table, rows] of Object.entries(expected)) {
        // The network's name is a setting of the second mirror.
        if (table !== 'mirrored_network' && found[table] !== rows)
          report.different.push(`${table}: ${found[table]}, expected ${rows}`);
      }
      tell(`bootstrap ended after ${hit} kills, ${report.different.length} differences`);
      await copy.close();
    }
    return report;
  } finally {
    stream.close();
    await mirror.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Numbers in [0, 1) (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
