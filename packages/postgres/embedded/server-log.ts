// The log of the built-in PostgreSQL, which has the statement of each failed query. The server appends to a file that it
// holds open: one that is full becomes `.old`, and is emptied.
import { existsSync, openSync, renameSync, statSync } from 'node:fs';
import { copyFile, rm, stat, truncate } from 'node:fs/promises';

const maxLogBytes = 10 * 2 ** 20;
const lookEveryMs = 60_000;

/** A file descriptor for a server that begins. */
export function openServerLog(file: string): number {
  if (existsSync(file) && statSync(file).size > maxLogBytes) renameSync(file, oldOf(file));
  return openSync(file, 'a', 0o600);
}

/** Looks every minute, until the function that it returns is called; keeps no process alive. */
export function keepServerLogSmall(file: string, log: (sentence: string) => void): () => void {
  const look = (): void =>
    void emptyWhereFull(file).catch((error: Error) => log(`${file} could not be emptied: ${error.message}`));
  const timer = setInterval(look, lookEveryMs).unref();
  return () => clearInterval(timer);
}

/** Lines that are written while it is copied may be lost; without room for a copy, all are. */
export async function emptyWhereFull(file: string, maxBytes = maxLogBytes): Promise<void> {
  if ((await stat(file)).size <= maxBytes) return;
  try {
    await copyFile(file, oldOf(file));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    await rm(oldOf(file), { force: true });
  }
  await truncate(file);
}

const oldOf = (file: string): string => `${file}.old`;
