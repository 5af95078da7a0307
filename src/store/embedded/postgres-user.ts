// The user that PostgreSQL runs as. PostgreSQL refuses to run as root; it then runs as `nobody`, an account that every system
// has, so that no user need be created.
import { readFileSync, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, resolve } from 'node:path';

export type PostgresUser = {
  name: string;
  /** Options of `spawn`; empty when PostgreSQL runs as the user of this process. */
  identity: { uid?: number; gid?: number };
};

export function findPostgresUser(): PostgresUser {
  if (process.getuid?.() !== 0) return { name: userInfo().username, identity: {} };
  return { name: 'nobody', identity: readNobody() };
}

/** The first folder on the way to `path` that `user` may not enter; null if there is none. */
export function findClosedFolder(path: string, user: PostgresUser): string | null {
  const { uid, gid } = user.identity;
  if (uid === undefined || gid === undefined) return null;
  const folder = resolve(path);
  const parent = dirname(folder);
  const closed = parent === folder ? null : findClosedFolder(parent, user);
  if (closed !== null) return closed;
  const { mode, uid: owner, gid: group } = statSync(folder);
  const bit = owner === uid ? 0o100 : group === gid ? 0o010 : 0o001;
  return mode & bit ? null : folder;
}

function readNobody(): { uid: number; gid: number } {
  const usual = { uid: 65_534, gid: 65_534 };
  try {
    const line = /^nobody:[^:]*:(\d+):(\d+):/m.exec(readFileSync('/etc/passwd', 'utf8'));
    return line ? { uid: Number(line[1]), gid: Number(line[2]) } : usual;
  } catch {
    // A container without /etc/passwd: PostgreSQL itself needs no name for its user id.
    return usual;
  }
}
