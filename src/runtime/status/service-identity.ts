// A name of the status service that no other one has, kept in its folder: by it programs on one database find out whether
// they show the same status.
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeDurableFile } from '../../kit/write-durable-file.ts';

export function readServiceIdentity(folder: string): string {
  const path = join(folder, 'identity');
  try {
    const known = readFileSync(path, 'utf8').trim();
    if (/^[0-9a-f]{16}$/.test(known)) return known;
  } catch {
    // The first start in this folder.
  }
  const identity = randomBytes(8).toString('hex');
  try {
    writeDurableFile(path, identity);
  } catch {
    // On a full disk it lasts until the next start.
  }
  return identity;
}
