// The connections that queries share. A query goes to an idle connection, or to a new one. Once as many are busy as there
// are cores, it is sent behind others that will soon be answered, so that PostgreSQL finds it waiting when it is done and
// need not be woken. Where there is neither, it waits here, unless too many do. A connection can be lent out as a whole, for
// queries that must see the same moment; half of them at most are, so that the others go on.
import { availableParallelism } from 'node:os';
import { performance } from 'node:perf_hooks'; // The global is a getter: 165 instructions more a call.
import { LRUCache } from 'lru-cache';
import pg from 'pg';
import type { RowReader } from './compile-row-reader.ts';
import { toConnectError } from './connect-error.ts';
import {
  createQuerySession,
  type PlacedRun,
  type QueryRun,
  type QuerySession,
  type SharedStatement,
} from './query-session.ts';
import { createWaitingLine, type WaitingLine } from './waiting-line.ts';

export type SessionPool = {
  run(run: QueryRun): void;
  /** Lends a connection; the first run is sent on it at once. Only `first` is told when none becomes free in time. */
  lend(first: QueryRun, onLent: (session: LentSession) => void): void;
  /** Connections open now, how many of them are idle, and how many queries wait for one. */
  counts(): { open: number; idle: number; waiting: number };
  /** Waits for the runs in flight. */
  close(): Promise<void>;
};

export type LentSession = {
  send(run: QueryRun): void;
  /** Sends the last run; other queries may follow behind it. */
  giveBack(last: QueryRun): void;
};

export type SessionPoolOptions = {
  client: pg.ClientConfig;
  maxSessions: number;
  /** Told when an open connection is lost; the next query opens another. */
  onConnectionLost(error: Error): void;
  /** How long a query waits for a connection. */
  maxWaitMs?: number;
  /**
   * A query, or a loan, that can expect to wait longer for the others that wait is refused at once (`queueIsFull`), one that
   * has waited longer when its turn comes: there are others, who have not yet. Those that want a loan have a line of their
   * own, which moves more slowly.
   */
  maxExpectedWaitMs?: number | undefined;
  /** Statements that stay prepared, a connection; one takes some 100 KB of the server's memory. */
  maxPrepared?: number;
};

/** Code of the error of a query that was not even tried. */
export const queueIsFull = 'QUEUE_IS_FULL';

/** Beside that code: whether no connection has answered anything for as long as a query waits at most. */
export type QueueFullError = Error & { code: typeof queueIsFull; isSilent: boolean };

/**
 * So many are asked or wait whatever that takes: a few long queries say nothing about what short ones would wait. More
 * than the requests that are always let in: the service has questions of its own.
 */
export const alwaysInFlight = 40;

/** Queries in flight on one connection. */
const maxInFlight = 8;

const cores = availableParallelism();

/** Far more than are prepared, and bounded, because a client chooses their shapes. */
const maxStatements = 2_000;

// A text that was put together just now has to be made one piece before it can be compared, which takes a tenth of the
// time of a small answer: the first ones under a name are compared, and then some.
const firstCompared = 20;
const comparedEvery = 100;

/** How often waiting runs are placed anew. */
const reconsiderMs = 5;

type Loan = { first: PlacedRun; onLent(session: LentSession): void };

export function createSessionPool(options: SessionPoolOptions): SessionPool {
  const { client: config, maxSessions, onConnectionLost, maxWaitMs = 10_000 } = options;
  const { maxExpectedWaitMs = 2_000, maxPrepared = 200 } = options;
  const readers = new Map<string, RowReader>();
  const statements = new LRUCache<string, SharedStatement>({ max: maxStatements });
  const sessions: QuerySession[] = [];
  const waiting = createWaitingLine<PlacedRun>();
  const lent = new Set<QuerySession>();
  const maxLent = Math.ceil(maxSessions / 2);
  const loans = createWaitingLine<Loan>();
  /** Gets no further runs until it is idle and can be lent. */
  let draining: QuerySession | null = null;
  let opening = 0;
  let timer: NodeJS.Timeout | null = null;
  let onEmpty: (() => void) | null = null;

  /** null = it was rejected, because another text has its name. */
  function toPlaced(run: QueryRun): PlacedRun | null {
    const { statement: name, text } = run;
    const shared = statements.get(name) ?? { name, text, uses: 0, usualMs: undefined };
    if (shared.uses === 0 && name !== '') statements.set(name, shared);
    shared.text ??= text;
    shared.uses += 1;
    const isCompared = shared.uses <= firstCompared || shared.uses % comparedEvery === 0;
    const isSame = shared.text.length === text.length && (!isCompared || shared.text === text);
    if (isSame) return { run, shared };
    run.reject(new Error(`Two different texts are called "${name}"; a query's shape must tell them apart`));
    return null;
  }

  const willSoonTake = (session: QuerySession, { shared }: PlacedRun, now: number): boolean =>
    session.isSwift(now) && session.knows(shared);

  function place(placed: PlacedRun): boolean {
    const session = choose(placed);
    session?.send(placed);
    return session !== null;
  }

  function choose(placed: PlacedRun): QuerySession | null {
    const now = performance.now();
    let idle: QuerySession | null = null;
    let least: QuerySession | null = null;
    let busy = 0;
    let willFollow = false;
    for (const session of sessions) {
      if (lent.has(session)) busy += 1;
      if (isTaken(session)) continue;
      if (session.inFlight() === 0) {
        if (!idle || (session.knows(placed.shared) && !idle.knows(placed.shared))) idle = session;
        continue;
      }
      busy += 1;
      if (!willSoonTake(session, placed, now)) continue;
      willFollow = true;
      if (session.inFlight() === maxInFlight) continue;
      if (!least || session.inFlight() < least.inFlight()) least = session;
    }
    // Full connections will soon have room: waiting for that is fairer than waking another PostgreSQL process, for which
    // there is no core.
    if (willFollow && busy >= cores) return least;
    if (idle) return idle;
    if (canOpen()) {
      void open();
      return null;
    }
    return least;
  }

  const canFollow = (session: QuerySession, placed: PlacedRun): boolean =>
    session.inFlight() < maxInFlight && willSoonTake(session, placed, performance.now());

  function isTaken(session: QuerySession): boolean {
    return session === draining || lent.has(session);
  }

  function canOpen(): boolean {
    return sessions.length + opening < maxSessions && opening < Math.max(1, waiting.size() + loans.size());
  }

  /** To the caller that waits longest, of an idle connection, or of one that will be idle soon. */
  function lendNext(): void {
    while (loans.size() > 0 && lent.size < maxLent) {
      const isFree = (session: QuerySession): boolean => session.inFlight() === 0 && !lent.has(session);
      const session = draining && isFree(draining) ? draining : sessions.find(isFree);
      if (session === undefined) {
        if (canOpen()) void open();
        const others = sessions.filter((other) => !lent.has(other));
        draining ??= others.sort((one, other) => one.inFlight() - other.inFlight())[0] ?? null;
        return;
      }
      if (session === draining) draining = null;
      lendOut(session, loans.take());
    }
    draining = null;
  }

  function lendOut(session: QuerySession, { first, onLent }: Loan): void {
    const send = (run: QueryRun): void => {
      const placed = toPlaced(run);
      if (!placed) return;
      if (sessions.includes(session)) session.send(placed);
      else run.reject(new Error('The connection to PostgreSQL was lost'));
    };
    lent.add(session);
    session.send(first);
    onLent({
      send,
      giveBack(last) {
        lent.delete(session);
        send(last);
        lendNext();
        endIfIdle();
      },
    });
  }

  function feed(session: QuerySession): void {
    refuseLate();
    if (session.inFlight() === 0 && !lent.has(session)) lendNext();
    for (let next = waiting.first(); next && !isTaken(session); next = waiting.first()) {
      if (session.inFlight() > 0 && !canFollow(session, next)) break;
      session.send(waiting.take());
    }
    endIfIdle();
  }

  async function open(): Promise<void> {
    opening += 1;
    const client = new pg.Client(config);
    try {
      await client.connect();
    } catch (error) {
      const reason = toConnectError(error as Error, config.connectionTimeoutMillis ?? 0);
      opening -= 1;
      // Waiting runs go to the connections that are open; without any, they would wait for ever.
      if (sessions.length + opening === 0) {
        for (const { run } of waiting.drop()) run.reject(reason);
        for (const { first } of loans.drop()) first.run.reject(reason);
      }
      endIfIdle();
      return;
    }
    opening -= 1;
    const session = createQuerySession({
      client,
      readers,
      maxPrepared,
      onAnswer: feed,
      onLost(lost, error) {
        sessions.splice(sessions.indexOf(lost), 1);
        if (lost === draining) draining = null;
        onConnectionLost(error);
        if (waiting.size() + loans.size() > 0 && sessions.length + opening === 0) void open();
        endIfIdle();
      },
    });
    sessions.push(session);
    feed(session);
  }

  /** A loan counts once, however many queries it is used for at a time. */
  function countInFlight(): number {
    const sent = sessions.reduce((sum, session) => sum + (lent.has(session) ? 1 : session.inFlight()), 0);
    return sent + waiting.size() + loans.size();
  }

  const isTooLong = (line: WaitingLine<unknown>): boolean =>
    line.expectedMs() > maxExpectedWaitMs && countInFlight() >= alwaysInFlight;

  function tooLong(line: WaitingLine<unknown>): QueueFullError {
    const now = performance.now();
    const message = `${line.size()} queries wait for a connection to PostgreSQL`;
    const isSilent = sessions.every((session) => session.isSilent(now, maxWaitMs));
    return Object.assign(new Error(message), { code: queueIsFull, isSilent } as const);
  }

  function refuseLate(): void {
    if (Math.max(waiting.waitedMs(), loans.waitedMs()) <= maxExpectedWaitMs) return;
    const dropFrom = <T>(line: WaitingLine<T>): T[] =>
      line.drop(maxExpectedWaitMs, Math.max(0, countInFlight() - alwaysInFlight));
    for (const { run } of dropFrom(waiting)) run.reject(tooLong(waiting));
    for (const { first } of dropFrom(loans)) first.run.reject(tooLong(loans));
  }

  /** `close` waits for this. */
  function endIfIdle(): void {
    const isIdle =
      waiting.size() + loans.size() + lent.size + opening === 0 &&
      sessions.every((session) => session.inFlight() === 0);
    if (isIdle) onEmpty?.();
  }

  /** A run that was expected to be quick may take long: waiting runs get another connection, or end after `maxWaitMs`. */
  function reconsider(): void {
    timer = null;
    const message = `No connection to PostgreSQL was free for ${maxWaitMs / 1000} s`;
    const tooLate = (): Error => Object.assign(new Error(message), { code: 'ETIMEDOUT' });
    for (const { run } of waiting.drop(maxWaitMs)) run.reject(tooLate());
    for (const { first } of loans.drop(maxWaitMs)) first.run.reject(tooLate());
    refuseLate();
    lendNext();
    for (let next = waiting.first(); next && place(next); next = waiting.first()) waiting.take();
    watch();
    endIfIdle();
  }

  function watch(): void {
    if (waiting.size() + loans.size() > 0) timer ??= setTimeout(reconsider, reconsiderMs);
  }

  return {
    run(run) {
      if (onEmpty) {
        run.reject(closedError());
        return;
      }
      const placed = toPlaced(run);
      if (!placed) return;
      // First come, first served.
      if (waiting.size() === 0 && place(placed)) return;
      if (isTooLong(waiting)) return run.reject(tooLong(waiting));
      waiting.add(placed);
      watch();
    },
    lend(first, onLent) {
      if (onEmpty) {
        first.reject(closedError());
        return;
      }
      const placed = toPlaced(first);
      if (!placed) return;
      if (isTooLong(loans)) return first.reject(tooLong(loans));
      loans.add({ first: placed, onLent });
      lendNext();
      watch();
    },
    counts: () => ({
      open: sessions.length,
      idle: sessions.filter((session) => session.inFlight() === 0 && !lent.has(session)).length,
      waiting: waiting.size() + loans.size(),
    }),
    async close() {
      await new Promise<void>((resolve) => {
        onEmpty = resolve;
        endIfIdle();
      });
      if (timer) clearTimeout(timer);
      await Promise.all(sessions.splice(0).map((session) => session.close()));
    },
  };
}

function closedError(): Error {
  return new Error('The connections to PostgreSQL are closed');
}
