// Files that a browser collects before a check, in memory for a while. The client that knows a session's id has it: ids
// are made here of 32 random bytes, and one that is not known is no client's. Sessions, their bytes, and those of one
// client are limited. When too much is kept, the client that has most loses the session that it used longest ago; where
// no client has more than the others, the one that was used longest ago of all goes.
import { randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { type ClientPlaces, createClientPlaces, type Place, PlacesFull } from '../../kit/shares/client-places.ts';
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

type Kept = { session: Session; count: Place; bytes: Place };

export function createSessions(limits: SessionLimits = usualSessionLimits): Sessions {
  const shared = { withdraws: 'oldest', replacesOwn: true } as const;
  const byCount = createClientPlaces({ max: limits.sessions, perClient: limits.perClient, ...shared });
  const byBytes = createClientPlaces({ max: limits.bytes, ...shared });
  const kept = new LRUCache<string, Kept>({
    // Never reached: places are taken before.
    max: limits.sessions + 1,
    ttl: limits.idleMs,
    updateAgeOnGet: true,
    dispose({ count, bytes }, _id, reason) {
      if (reason === 'set') return;
      count.leave();
      bytes.leave();
    },
  });

  function takePlace(places: ClientPlaces, { client, id }: Session, size: number): Place {
    for (;;) {
      try {
        return places.enter(client, { size, withdraw: () => void kept.delete(id) });
      } catch (error) {
        const oldest = [...kept.rkeys()].find((other) => other !== id);
        if (!(error instanceof PlacesFull) || oldest === undefined) throw error;
        kept.delete(oldest);
      }
    }
  }

  return {
    find(id) {
      const one = kept.get(id);
      one?.count.use();
      one?.bytes.use();
      return one?.session ?? null;
    },
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
      const before = kept.peek(session.id);
      before?.bytes.leave();
      before?.count.use();
      const count = before?.count ?? takePlace(byCount, session, 1);
      kept.set(session.id, { session, count, bytes: takePlace(byBytes, session, size + 1) });
    },
    close: (id) => void kept.delete(id),
    load: () => ({ sessions: kept.size, bytes: byBytes.held() }),
  };
}

/** Metadata is held as text and as values. */
function sizeOf({ files, contracts }: Session): number {
  let size = 0;
  for (const { path, content } of files.values()) size += path.length + content.length;
  for (const { metadata } of contracts.values()) size += 2 * metadata.text.length;
  return size;
}
