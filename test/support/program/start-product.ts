// The product in this process, over a new database, with the real status service as a second process.
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createScratchDatabase } from '../../../packages/test-support/postgres/scratch-database.ts';
import { serveHere } from './serve-here.ts';

export type Product = {
  port: number;
  url: string;
  dataFolder: string;
  close(): Promise<void>;
};

/** Resolves when the status summary answers too. `flags` are those of `serve`. */
export async function startProduct(flags: string[] = []): Promise<Product> {
  const scratch = await createScratchDatabase();
  const dataFolder = mkdtempSync(join(tmpdir(), 'product-'));
  chmodSync(dataFolder, 0o711);
  // Nothing is imported, which would be an incident after minutes; tests may take longer.
  const rules = join(dataFolder, 'rules.json');
  const hourMs = 3_600_000;
  writeFileSync(rules, JSON.stringify({ timings: { outageOpensMs: hourMs, degradedOpensMs: hourMs } }));
  const usual = ['--data-dir', dataFolder, '--status-outlive', '0', '--status-rules', rules];
  const server = await serveHere(scratch.connectionString, [...usual, ...flags]);
  const product = {
    port: Number(new URL(server.url).port),
    url: server.url,
    dataFolder,
    async close() {
      await server.close();
      await scratch.close();
      rmSync(dataFolder, { recursive: true, force: true });
    },
  };
  // The first answer may take as long as a process takes to start.
  for (const until = Date.now() + 240_000; Date.now() < until; await sleep(50)) {
    const { status } = await fetch(`${server.url}/api/v2/status.json`);
    if (status === 200) return product;
  }
  await product.close();
  throw new Error('The status service does not answer');
}
