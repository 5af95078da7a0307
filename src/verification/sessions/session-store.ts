// Files that a browser collects before a check, in memory for a while. Whoever knows a session's id has it: ids are made here
// of 32 random bytes, and one that is not known is nobody's. Sessions, their bytes, and those of one client are limited; who is
// over the limit loses the session that was used least recently.
import { randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { VerificationError } from '../terms/verification-error.ts';
import type { Session } from './session.ts';

export type SessionLimits = {
  sessions: number;
  perClient: number;
  /** Of the files of one session, and of all. */
  sessionBytes: number;
  bytes: number;
  idleMs: number;
};

const usualSessionLimits: SessionLimits = {
  sessions: 1000,
  perClient: 20,
  sessionBytes: 20_000_000,
  bytes: 200_000_000,
  idleMs: 30 * 60_000,
};

export type Sessions = {
  find(id: string): Session | null;
  /** A new one with nothing in it; it is kept from the first `keep` on. */
  open(client: string): Session;
  /** With what is in it now. Throws a VerificationError if that is too much. */
  keep(session: Session): void;
  close(id: string): void;
  load(): { sessions: number; bytes: number };
};

export function createSessions(limits: SessionLimits = usualSessionLimits): Sessions {
  /** Ids of each client, least recently kept first. */
  const ofClient = new Map<string, Set<string>>();
  const kept = new LRUCache<string, Session>({
    max: limits.sessions,
    maxSize: limits.bytes,
    ttl: limits.idleMs,
    updateAgeOnGet: true,
    dispose({ client, id }, _id, reason) {
      if (reason === 'set') return;
      const ids = ofClient.get(client);
      ids?.delete(id);
      if (ids?.size === 0) ofClient.delete(client);
    },
  });
  return {
    find: (id) => kept.get(id) ?? null,
    open: (client) => ({
      id: randomBytes(32).toString('base64url'),
      client,
      files: new Map(),
      contracts: new Map(),
      unused: [],
    }),
    keep(session) {
      const size = sizeOf(session);
      if (size > limits.sessionBytes) {
        const message = 'Too much session memory used. Delete some files or clear the session.';
        throw new VerificationError('body_too_large', message);
      }
      kept.purgeStale();
      kept.set(session.id, session, { size: size + 1 });
      const ids = ofClient.get(session.client) ?? new Set();
      ofClient.set(session.client, ids.add(session.id));
      for (const id of ids) {
        if (ids.size <= limits.perClient) break;
        kept.delete(id);
      }
    },
    close: (id) => void kept.delete(id),
    load: () => ({ sessions: kept.size, bytes: kept.calculatedSize }),
  };
}

/** Metadata is held as text and as values. */
function sizeOf({ files, contracts }: Session): number {
  let size = 0;
  for (const { path, content } of files.values()) size += path.length + content.length;
  for (const { metadata } of contracts.values()) size += 2 * metadata.text.length;
  return size;
}
