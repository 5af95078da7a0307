// The user that PostgreSQL runs as. PostgreSQL refuses to run as root. Then each data folder has a user id of its own,
// of a range that nothing else takes from, so that no other service of the machine is this user: who owns the database
// files says which. No account is made for it.
import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, resolve } from 'node:path';

export type PostgresUser = {
  name: string;
  /** Options of `spawn`; empty when PostgreSQL runs as the user of this process. */
  identity: { uid?: number; gid?: number };
};

/** `cluster`: the database files; where there are none, or as an earlier version left them, a new id is chosen. */
export function findPostgresUser(cluster: string): PostgresUser {
  if (process.getuid?.() !== 0) return { name: userInfo().username, identity: {} };
  const owner = statSync(cluster, { throwIfNoEntry: false })?.uid;
  return toUser(owner !== undefined && isOwnId(owner) ? owner : chooseOwnId());
}

/** The unprivileged account that every system has; of programs that look their user up, as initdb does. */
export function findKnownUser(): PostgresUser {
  if (process.getuid?.() !== 0) return { name: userInfo().username, identity: {} };
  return { name: 'nobody', identity: readUnprivilegedIds() };
}

/**
 * Whether root gives such files to a user id of their own: the unprivileged account had them before, root where they
 * were copied.
 */
export function isTakenOver(owner: number): boolean {
  return process.getuid?.() === 0 && (owner === 0 || owner === readUnprivilegedIds().uid);
}

/**
 * Which ids a data folder may have: above those of containers (systemd gives out up to 1,879,048,191), or, in a
 * container that has only the first 65,536, those of services without an account.
 */
export function isOwnId(uid: number): boolean {
  return idRanges.some(([from, to]) => uid >= from && uid < to);
}

const idRanges = [
  [1_879_048_192, 2_147_352_576],
  [61_184, 64_000],
] as const;

function chooseOwnId(): number {
  for (const [from, to] of idRanges) {
    const uid = randomInt(from, to);
    if (spawnSync('/bin/sh', ['-c', ':'], { uid, gid: uid, cwd: '/' }).status === 0) return uid;
  }
  // A container with a handful of ids: no other user is in it.
  return readUnprivilegedIds().uid;
}

function toUser(uid: number): PostgresUser {
  return { name: `with the id ${uid}`, identity: { uid, gid: uid } };
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

function readUnprivilegedIds(): { uid: number; gid: number } {
  const usual = { uid: 65_534, gid: 65_534 };
  try {
    const line = /^nobody:[^:]*:(\d+):(\d+):/m.exec(readFileSync('/etc/passwd', 'utf8'));
    return line ? { uid: Number(line[1]), gid: Number(line[2]) } : usual;
  } catch {
    // A container without /etc/passwd: PostgreSQL itself needs no name for its user id.
    return usual;
  }
}
