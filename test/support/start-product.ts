// The product in this process, over a database of its own, with its real status service as a process beside it.
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { startServer } from '../../src/runtime/serve/start-server.ts';
import { loadSettings } from '../../src/runtime/settings/load-settings.ts';
import { createScratchDatabase } from './scratch-database.ts';

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
  // Nothing is imported, which is an incident after minutes: not here, however long a test takes.
  const rules = join(dataFolder, 'rules.json');
  const hourMs = 3_600_000;
  writeFileSync(rules, JSON.stringify({ timings: { outageOpensMs: hourMs, degradedOpensMs: hourMs } }));
  const usual = ['--port', '0', '--data-dir', dataFolder, '--status-outlive', '0', '--status-rules', rules];
  const server = await startServer({
    connectionString: scratch.connectionString,
    settings: loadSettings('serve', [...usual, ...flags], {}),
    log: pino({ level: 'silent' }),
    network: { name: 'testnet', chainId: 0x128n, system: null },
    observer: null,
    signal: new AbortController().signal,
  });
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
