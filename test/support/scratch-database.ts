// Databases for tests: real PostgreSQL, one server for all tests of a process, a fresh database for each that asks.
// Everything is gone when the process ends, however it ends.
import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startEmbeddedPostgres } from '../../src/store/embedded/embedded-postgres.ts';
import { migrate } from '../../src/store/schema/migrate.ts';

export type ScratchDatabase = {
  connectionString: string;
  /** Drops the database, also while connections are open. */
  close(): Promise<void>;
};

export type ScratchDatabaseOptions = {
  /** A database without any table; otherwise it has the schema of the program. */
  empty?: boolean;
};

export async function createScratchDatabase({ empty = false }: ScratchDatabaseOptions = {}): Promise<ScratchDatabase> {
  const server = await shared.server();
  const name = `scratch_${shared.count++}`;
  await runOn(server, `create database ${name} template ${empty ? 'template0' : templateName}`);
  return {
    connectionString: withDatabase(server, name),
    close: () => runOn(server, `drop database if exists ${name} with (force)`),
  };
}

const templateName = 'scratch_template';

// One server a process is the point of this file.
const shared = {
  count: 0,
  started: undefined as Promise<string> | undefined,
  server(): Promise<string> {
    shared.started ??= startServer();
    return shared.started;
  },
};

async function startServer(): Promise<string> {
  const dataFolder = mkdtempSync(join(tmpdir(), 'ledger-mirror-scratch-'));
  // As root the server runs as another user, who must come through.
  chmodSync(dataFolder, 0o711);
  const { connectionString, pid } = await startEmbeddedPostgres({ dataFolder, durable: false });
  removeAfterEnd(dataFolder, pid());
  await runOn(connectionString, `create database ${templateName}`);
  await migrate({ connectionString: withDatabase(connectionString, templateName) });
  return connectionString;
}

/** The server ends by itself when this process does; then its folder goes. */
function removeAfterEnd(folder: string, serverPid: number): void {
  const script = 'while read -r _; do :; done; while kill -0 "$1" 2>&-; do sleep 0.1; done; rm -rf "$2"';
  const cleaner = spawn('/bin/sh', ['-c', script, 'sh', String(serverPid), folder], {
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  cleaner.unref();
  (cleaner.stdin as unknown as { unref(): void }).unref();
}

function withDatabase(connectionString: string, name: string): string {
  const url = new URL(connectionString.replace('@/', '@localhost/'));
  url.pathname = `/${name}`;
  return url.href.replace('@localhost/', '@/');
}

async function runOn(connectionString: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
