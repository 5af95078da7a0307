// An import that follows a network while machines of its cluster are lost and come back, in every phase of a commit.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createNetwork } from '../../../packages/simulated-network/network.ts';
import { runMirror } from '../../support/program/run-mirror.ts';
import { importFolder } from '../../support/tables/import-folder.ts';
import type { LossyProxy } from './lossy-proxy.ts';
import type { ScratchCluster } from './scratch-cluster.ts';

export type LossReport = {
  /** By how the machine was lost. */
  losses: Record<string, number>;
  blocks: number;
  /** Losses during which the import never said that it was not ready. */
  unsaid: number;
  /** Sentences; empty where all went well. */
  faults: string[];
};

/** How a machine is lost: at once, or when the coordinator next sends this. */
const phases: readonly (readonly [name: string, (proxy: LossyProxy) => void])[] = [
  ['any moment', (proxy) => proxy.cut()],
  ['before it prepares', (proxy) => proxy.cutAt('PREPARE TRANSACTION', 'before')],
  ['after it has prepared', (proxy) => proxy.cutAt('PREPARE TRANSACTION', 'after')],
  ['before it commits', (proxy) => proxy.cutAt('COMMIT PREPARED', 'before')],
  ['after it has committed', (proxy) => proxy.cutAt('COMMIT PREPARED', 'after')],
];

const maxBehind = 5;

export type Kill = { kill(): void; revive(): void };

/**
 * @param plain an empty database that the same blocks are imported into afterwards
 * @param kill ends and starts the PostgreSQL of a worker; without it only connections are cut
 */
export async function loseMachines(
  cluster: ScratchCluster,
  plain: string,
  { losses, seed, kill }: { losses: number; seed: string; kill: Kill | null },
): Promise<LossReport> {
  const folder = mkdtempSync(join(tmpdir(), 'cluster-losses-'));
  const network = await createNetwork({ folder, seed, nodes: 3 });
  const report: LossReport = { losses: {}, blocks: 0, unsaid: 0, faults: [] };
  let consensusStart = 1_790_000_000_000_000_000n;
  let isWriting = true;
  const writing = (async () => {
    while (isWriting) {
      // On a slow cluster the network waits.
      if (report.blocks > 0 && report.blocks - (await countStored(cluster)) > maxBehind) {
        await sleep(100);
        continue;
      }
      await network.writeBlock({ consensusStart, transactions: 20 });
      consensusStart += 20_000_000_000n;
      report.blocks += 1;
      await sleep(400);
    }
  })();
  const book = network.addressBookPath;
  const mirror = runMirror(
    ['import', '--source', folder, '--address-book', book, '--data-dir', join(folder, 'data'), '--health-port', '0'],
    { env: { DATABASE_URL: cluster.connectionString } },
  );
  const [, health] = await mirror.says(/Health on (\S+)\/health\/readiness/);
  await until(async () => (await countStored(cluster)) > 3, 'the first blocks');

  for (let loss = 0; loss < losses; loss++) {
    const { proxy } = cluster.workers[loss % cluster.workers.length]!;
    const isReal = kill !== null && loss % (phases.length + 1) === phases.length;
    const [name, lose] = isReal
      ? (['killed', kill.kill] as const)
      : phases[(loss % (phases.length + 1)) % phases.length]!;
    report.losses[name] = (report.losses[name] ?? 0) + 1;
    const before = await countStored(cluster);
    await sleep(Math.random() * 800);
    lose(proxy);
    const isSaid = await becomes(async () => !(await isReady(health!)), 20_000);
    if (!isSaid) report.unsaid += 1;
    await sleep(Math.random() * 3_000);
    if (mirror.child.exitCode !== null) break;
    if (isReal) kill.revive();
    else proxy.mend();
    const goesOn = await becomes(
      async () => (await countStored(cluster)) > before + 1 && (await isReady(health!)),
      120_000,
    );
    if (!goesOn) report.faults.push(`${name}: the import did not go on within two minutes`);
  }
  isWriting = false;
  await writing;
  await becomes(async () => (await countStored(cluster)) === report.blocks, 240_000);
  if (mirror.child.exitCode !== null) report.faults.push(`The import ended:\n${mirror.output().slice(-3000)}`);
  mirror.child.kill('SIGTERM');
  await mirror.ended;
  const defects = /defect of this program.*/.exec(mirror.output());
  if (defects) report.faults.push(defects[0]);
  await network.close();
  await importFolder(folder, readFileSync(book), plain);
  rmSync(folder, { recursive: true, force: true });
  return report;
}

async function countStored(cluster: ScratchCluster): Promise<number> {
  const [row] = await cluster.select<{ count: number }>('select count(*)::int as count from record_file');
  return row!.count;
}

async function isReady(health: string): Promise<boolean> {
  return (await fetch(`${health}/health/readiness`)).ok;
}

async function becomes(condition: () => Promise<boolean>, withinMs: number): Promise<boolean> {
  for (const end = performance.now() + withinMs; performance.now() < end; await sleep(50)) {
    if (await condition()) return true;
  }
  return false;
}

async function until(condition: () => Promise<boolean>, what: string): Promise<void> {
  if (!(await becomes(condition, 240_000))) throw new Error(`There is nothing of ${what}`);
}
