// A server of a checkout of this repository, in a separate process.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

type CheckoutServer = { port: number; close(): Promise<void> };

export async function serveCheckout(
  checkout: string,
  { databaseUrl, dataFolder, flags }: { databaseUrl: string; dataFolder: string; flags: readonly string[] },
): Promise<CheckoutServer> {
  const program = join(checkout, 'src/cli/main.ts');
  const child = spawn(
    process.execPath,
    [program, 'serve', '--database-url', databaseUrl, '--data-dir', dataFolder, ...fixedFlags, ...flags],
    { cwd: checkout, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const port = await readPort(child);
  return {
    port,
    async close() {
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
}

const fixedFlags = ['--port', '0', '--status-service', 'off', '--log-level', 'fatal', '--read-only'];

async function readPort(child: ChildProcess): Promise<number> {
  for await (const line of createInterface({ input: child.stdout! })) {
    const port = /^Answering on http:\/\/[^:]+:(\d+)/.exec(line)?.[1];
    if (port) return Number(port);
  }
  throw new Error(`The server ended with ${child.exitCode} before it answered`);
}
