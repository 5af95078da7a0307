// What several test files need and takes long to make: whoever asks first makes it, the others of the run wait and take
// it.
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lockInRun, runFolder } from '../postgres/share-scratch-server.ts';

/**
 * A folder that `make` filled once in this run, or in this process outside of one. It must not be changed: others read
 * it too. `name`: says all that the content depends on; a part of a path.
 */
export async function makeOnce(name: string, make: (folder: string) => Promise<void>): Promise<string> {
  const folder = join(shared.folder(), name);
  if (existsSync(folder)) return folder;
  const unlock = await lock(name);
  try {
    if (existsSync(folder)) return folder;
    const unfinished = `${folder}.${process.pid}`;
    mkdirSync(unfinished, { recursive: true });
    await make(unfinished);
    renameSync(unfinished, folder);
    return folder;
  } finally {
    unlock();
  }
}

function lock(name: string): Promise<() => void> {
  if (runFolder()) return lockInRun(name);
  const before = shared.last.get(name) ?? Promise.resolve();
  const { promise, resolve } = Promise.withResolvers<void>();
  shared.last.set(
    name,
    before.then(() => promise),
  );
  return before.then(() => resolve);
}

// Shared on purpose.
const shared = {
  own: undefined as string | undefined,
  last: new Map<string, Promise<void>>(),
  folder(): string {
    const ofRun = runFolder();
    if (ofRun) return join(ofRun, 'once');
    if (shared.own === undefined) {
      const own = mkdtempSync(join(tmpdir(), 'ledger-mirror-once-'));
      process.once('exit', () => rmSync(own, { recursive: true, force: true }));
      shared.own = own;
    }
    return shared.own;
  },
};
