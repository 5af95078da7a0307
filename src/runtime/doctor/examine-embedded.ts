// The built-in PostgreSQL before it is started. Where there is no database yet none is made: looking changes nothing.
import { resolve } from 'node:path';
import { findCluster } from '../../../packages/postgres/embedded/embedded-cluster.ts';
import { findInstalledVersion } from '../../../packages/postgres/embedded/postgres-program.ts';
import { FailedCheck } from './failed-check.ts';
import { findUsableFolder } from './find-usable-folder.ts';

/** What is to be said of it; null = its database files are there, and it can be asked. Throws FailedCheck. */
export function examineEmbedded(folder: string): string | null {
  const dataFolder = resolve(folder);
  const cluster = findCluster(dataFolder);
  if (!cluster) {
    findUsableFolder(dataFolder);
    return `embedded PostgreSQL ${findInstalledVersion()}; there is no database in ${dataFolder} yet, the first start makes it`;
  }
  const { foreignOwner } = cluster;
  if (!foreignOwner) return null;
  const { owner, program } = foreignOwner;
  throw new FailedCheck(
    `the database files in ${cluster.folder} belong to the user with the id ${owner}, and the program runs as ${program.name} (${program.uid})`,
    `Run the program as the user that made them, or give them to this one (chown -R ${program.uid} ${cluster.folder}), or choose another folder with --data-dir.`,
  );
}
