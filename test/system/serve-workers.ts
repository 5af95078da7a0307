// A `serve` with workers over a small ledger, as a process.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createScratchDatabase } from '../../packages/test-support/postgres/scratch-database.ts';
import { writeNetwork } from '../../packages/test-support/streams/write-network.ts';
import { type RunningMirror, runMirror } from '../support/program/run-mirror.ts';
import { importFolder } from '../support/tables/import-folder.ts';

export type ServingWorkers = { url: string; mirror: RunningMirror; close(): Promise<void> };

export async function serveWithWorkers(
  workers: number,
  { port = 0, flags: more = [] }: { port?: number; flags?: readonly string[] } = {},
): Promise<ServingWorkers> {
  const folder = mkdtempSync(join(tmpdir(), 'killed-workers-'));
  const database = await createScratchDatabase();
  await writeNetwork({ folder: join(folder, 'network'), blocks: 3, transactions: 3 });
  const addressBook = readFileSync(join(folder, 'network', 'addressbook.bin'));
  await importFolder(join(folder, 'network'), addressBook, database.connectionString);
  const flags = [
    '--workers',
    String(workers),
    '--port',
    String(port),
    '--status-service',
    'off',
    '--network',
    'demo',
    ...more,
  ];
  const mirror = runMirror(['serve', '--data-dir', join(folder, 'data'), ...flags], {
    env: { DATABASE_URL: database.connectionString },
  });
  const [, url] = await mirror.says(/Answering on (http:\S+)/);
  return {
    url: url!,
    mirror,
    async close() {
      mirror.child.kill('SIGKILL');
      await mirror.ended;
      await database.close();
      rmSync(folder, { recursive: true });
    },
  };
}
