// The PostgreSQL of a test run, in a temporary folder, with a template database that has the program's schema. Server
// and folder disappear when the process that started them ends, however it ends.

import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { startEmbeddedPostgres } from '../../postgres/embedded/embedded-postgres.ts';
import { migrate } from '../../schema/migration/migrate.ts';
import { findRoomyFolder } from './roomy-folder.ts';

export const templateName = 'scratch_template';

export type ScratchServer = { connectionString: string; stop(): Promise<void> };

export async function startScratchServer(): Promise<ScratchServer> {
  const dataFolder = mkdtempSync(join(findRoomyFolder(), 'ledger-mirror-scratch-'));
  // Started by root, the server runs as another user, who needs access.
  chmodSync(dataFolder, 0o711);
  const { connectionString, pid, stop } = await startEmbeddedPostgres({ dataFolder, durable: false });
  removeAfterEnd(dataFolder, pid());
  await runOn(connectionString, `create database ${templateName}`);
  await migrate({ connectionString: withDatabase(connectionString, templateName) });
  return { connectionString, stop };
}

export function withDatabase(connectionString: string, name: string): string {
  const url = new URL(connectionString.replace('@/', '@localhost/'));
  url.pathname = `/${name}`;
  return url.href.replace('@localhost/', '@/');
}

export async function runOn(connectionString: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/** The server ends with this process; then its folder is removed. */
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
