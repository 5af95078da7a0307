// The connections that queries share. A query is sent on an idle connection, or on a new one. Once as many are busy as
// there are cores, it is sent after runs that will soon be answered, so that PostgreSQL finds it when it is done and
// need not be woken. If there is neither, it waits in a line. A connection can be lent as a whole, for queries that
// must see the same moment; at most half of them are, so that others can continue. Clients take turns in the lines, and
// of the connections that long queries or loans hold, one client has at most three in four.
import { availableParallelism } from 'node:os';
import { performance } from 'node:perf_hooks'; // The global is a getter: 165 instructions more a call.
import { LRUCache } from 'lru-cache';
import pg from 'pg';
import { ownWork } from '../../kit/shares/client-line.ts';
import type { QueryRun, SharedStatement } from './answer-reader.ts';
import type { RowReader } from './compile-row-reader.ts';
import { toConnectError } from './connect-client.ts';
import { createQuerySession, type PlacedRun, type QuerySession } from './query-session.ts';
import { createWaitingLine, type WaitingLine, type WaitingLineOptions } from './waiting-line.ts';

export type SessionPool = {
  run(run: QueryRun): void;
  /** Lends a connection; the first run is sent on it at once. Only `first` is rejected if none becomes free in time. */
  lend(first: QueryRun, onLent: (session: LentSession) => void): void;
  /** Whether a new query of this client would not wait too long. */
  hasRoom(client: string): boolean;
  /** Open connections, how many of them are idle, and how many queries wait for one. */
  counts(): { open: number; idle: number; waiting: number };
  /** Waits for the runs in flight. */
  close(): Promise<void>;
};

export type LentSession = {
  send(run: QueryRun): void;
  /** The last run is sent with the next one, whichever caller asks that, or a moment later. */
  giveBack(last: QueryRun): void;
};

export type SessionPoolOptions = {
  client: pg.ClientConfig;
  maxSessions: number;
  /** An open connection was lost; the next query opens another. */
  onConnectionLost(error: Error): void;
  /** How long a query waits for a connection. */
  maxWaitMs?: number;
  /** See WaitingLine. Queries that want a loan have a separate line, which moves more slowly. */
  maxExpectedWaitMs?: number | undefined;
  /** Statements that stay prepared on a connection; one takes some 100 KB of the server's memory. */
  maxPrepared?: number;
};

/** Queries in flight on one connection. */
const maxInFlight = 8;

const cores = availableParallelism();

/** Far more than are prepared; bounded, because clients choose their shapes. */
const maxStatements = 2_000;

/** How often waiting runs are placed again. */
const reconsiderMs = 5;

type Loan = { first: PlacedRun; onLent(session: LentSession): void };

export function createSessionPool(options: SessionPoolOptions): SessionPool {
  const { maxSessions, onConnectionLost, maxWaitMs = 10_000, maxExpectedWaitMs = 2_000 } = options;
  const place = createPlacer();
  let timer: NodeJS.Timeout | null = null;
  let onEmpty: (() => void) | null = null;

  const { waiting, loans, ...lines } = createLines({
    maxExpectedWaitMs,
    maxWaitMs,
    /** A loan counts once, however many queries use it at a time. */
    countInFlight: () =>
      sessions.list.reduce((sum, each) => sum + (lender.isLent(each) ? 1 : each.inFlight()), lines.size()),
    isSilent: (ms) => sessions.list.every((session) => session.isSilent(performance.now(), ms)),
  });

  const sessions = createSessions({
    ...options,
    countWaiting: lines.size,
    onAnswer: feed,
    onLost(lost, error) {
      lender.forget(lost);
      onConnectionLost(error);
      if (lines.size() > 0 && sessions.areNone()) sessions.tryToOpen();
      endIfIdle();
    },
    onFailed(error) {
      // Waiting runs go to the open connections; without any, they would wait forever.
      if (sessions.areNone()) lines.refuseAll(error);
      endIfIdle();
    },
  });
  const maxLent = Math.ceil(maxSessions / 2);
  const lender = createLender({ loans, sessions, maxLent, place, onEnd: feed });
  // Who has a loan may need a query beside it before giving it back: one connection more than a client's loans.
  const mayGoOn = createShare(sessions, lender, Math.max(shareOf(maxSessions), shareOf(maxLent) + 1));

  function feed(session: QuerySession): void {
    lines.refuseLate();
    if (session.inFlight() === 0 && !lender.isLent(session)) lender.lendNext();
    const isOpen = sessions.list.includes(session);
    for (let next = waiting.first(mayGoOn); isOpen && next && !lender.isTaken(session); next = waiting.first(mayGoOn)) {
      if (session.inFlight() > 0 && !canFollow(session, next.item)) break;
      session.send(waiting.take(next.client));
    }
    endIfIdle();
  }

  /** `close` waits for this. */
  function endIfIdle(): void {
    if (onEmpty === null || lines.size() + lender.count() + sessions.opening() > 0) return;
    if (sessions.list.every((session) => session.inFlight() === 0)) onEmpty();
  }

  /** A run that was expected to be quick may take long: waiting runs get another connection, or are refused. */
  function reconsider(): void {
    timer = null;
    lines.refuseLate();
    lender.lendNext();
    for (let next = waiting.first(mayGoOn); next && send(next.item, sessions, lender); next = waiting.first(mayGoOn)) {
      waiting.take(next.client);
    }
    watch();
    endIfIdle();
  }

  function watch(): void {
    if (lines.size() > 0) timer ??= setTimeout(reconsider, reconsiderMs);
  }

  const takeIn = (run: QueryRun): PlacedRun | null => (onEmpty === null ? place(run) : refuseClosed(run));

  return {
    run(run) {
      const placed = takeIn(run);
      if (!placed) return;
      const { client } = run;
      // First come, first served, unless those who came before may not go on.
      if (!waiting.first(mayGoOn) && mayGoOn(client) && send(placed, sessions, lender)) return;
      waiting.add(placed, client);
      watch();
    },
    lend(first, onLent) {
      const placed = takeIn(first);
      if (!placed) return;
      loans.add({ first: placed, onLent }, first.client);
      lender.lendNext();
      watch();
    },
    hasRoom: waiting.hasRoom,
    counts: () => ({ ...countSessions(sessions, lender), waiting: lines.size() }),
    async close() {
      await new Promise<void>((resolve) => {
        onEmpty = resolve;
        endIfIdle();
      });
      if (timer) clearTimeout(timer);
      await Promise.all(sessions.list.splice(0).map((session) => session.close()));
    },
  };
}

function countSessions({ list }: Sessions, { isFree }: Lender): { open: number; idle: number } {
  return { open: list.length, idle: list.filter(isFree).length };
}

function refuseClosed(run: QueryRun): null {
  run.reject(new Error('The connections to PostgreSQL are closed'));
  return null;
}

/** Runs that wait for a connection, and those that wait for a loan. */
function createLines(options: Omit<WaitingLineOptions<never>, 'refuse'>) {
  const waiting = createWaitingLine<PlacedRun>({ ...options, refuse: ({ run }, error) => run.reject(error) });
  const loans = createWaitingLine<Loan>({ ...options, refuse: ({ first }, error) => first.run.reject(error) });
  return {
    waiting,
    loans,
    size: () => waiting.size() + loans.size(),
    refuseLate(): void {
      waiting.refuseLate();
      loans.refuseLate();
    },
    refuseAll(error: Error): void {
      waiting.refuseAll(error);
      loans.refuseAll(error);
    },
  };
}

/** null = it was rejected, because another text has its name. Identical strings are not compared. */
function createPlacer(): (run: QueryRun) => PlacedRun | null {
  const statements = new LRUCache<string, SharedStatement>({ max: maxStatements });
  return (run) => {
    const { statement: name, text } = run;
    let shared = statements.get(name);
    if (shared === undefined) {
      shared = { name, text, usualMs: undefined };
      if (name !== '') statements.set(name, shared);
    }
    shared.text ??= text;
    if (shared.text === text) return { run, shared };
    run.reject(new Error(`Two different statements are called "${name}"; a query's shape must tell them apart`));
    return null;
  };
}

type Sessions = ReturnType<typeof createSessions>;

type SessionsOptions = Pick<SessionPoolOptions, 'client' | 'maxSessions' | 'maxPrepared'> & {
  onAnswer(session: QuerySession): void;
  onLost(session: QuerySession, error: Error): void;
  countWaiting(): number;
  /** One could not be opened. */
  onFailed(error: Error): void;
};

function createSessions(options: SessionsOptions) {
  const { client: config, maxSessions, maxPrepared = 200, countWaiting, onAnswer, onLost, onFailed } = options;
  const readers = new Map<string, RowReader>();
  const list: QuerySession[] = [];
  let opening = 0;

  async function open(): Promise<void> {
    opening += 1;
    // Later than the call: then the run waits that it is opened for.
    const client = await connect(config).catch((error: Error) => error);
    opening -= 1;
    if (client instanceof Error) return onFailed(client);
    const session = createQuerySession({
      client,
      readers,
      maxPrepared,
      onAnswer,
      onLost(lost, error) {
        list.splice(list.indexOf(lost), 1);
        onLost(lost, error);
      },
    });
    list.push(session);
    onAnswer(session);
  }

  return {
    /** Open ones. */
    list,
    opening: () => opening,
    areNone: () => list.length + opening === 0,
    /** Whether another is being opened: the maximum may be reached, or as many are being opened as queries wait. */
    tryToOpen(): boolean {
      if (list.length + opening >= maxSessions || opening >= Math.max(1, countWaiting())) return false;
      void open();
      return true;
    },
  };
}

/** Also rejects if a file of certificates that the address names cannot be read, which `pg` throws at once. */
async function connect(config: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client(config);
  const losses: Error[] = [];
  // It can be lost with the bytes that say that it is open.
  client.on('error', (error) => losses.push(error));
  const failure = await client.connect().then(
    () => losses[0],
    (error: Error) => toConnectError(error, config.connectionTimeoutMillis ?? 0),
  );
  if (!failure) return client;
  client.end().catch(() => {});
  throw failure;
}

type Lender = ReturnType<typeof createLender>;

type LenderOptions = {
  loans: WaitingLine<Loan>;
  sessions: Sessions;
  maxLent: number;
  place(run: QueryRun): PlacedRun | null;
  /** A loan has ended; the session may be lost. */
  onEnd(session: QuerySession): void;
};

function createLender({ loans, sessions, maxLent, place, onEnd }: LenderOptions) {
  /** With the client that has it. */
  const lent = new Map<QuerySession, string>();
  /** Gets no further runs until it is idle and can be lent. */
  let draining: QuerySession | null = null;

  const isFree = (session: QuerySession): boolean => session.inFlight() === 0 && !lent.has(session);

  const countOf = (client: string): number => [...lent.values()].filter((other) => other === client).length;
  const nextLoan = () => loans.first((client) => client === ownWork || countOf(client) < shareOf(maxLent));

  /** To the caller whose turn it is: an idle connection, or one that will be idle soon. */
  function lendNext(): void {
    for (let next = nextLoan(); next && lent.size < maxLent; next = nextLoan()) {
      const session = draining && isFree(draining) ? draining : sessions.list.find(isFree);
      if (session === undefined) {
        sessions.tryToOpen();
        const others = sessions.list.filter((other) => !lent.has(other));
        draining ??= others.sort((one, other) => one.inFlight() - other.inFlight())[0] ?? null;
        return;
      }
      if (session === draining) draining = null;
      lendOut(session, loans.take(next.client));
    }
    draining = null;
  }

  function lendOut(session: QuerySession, { first, onLent }: Loan): void {
    const pass = (run: QueryRun, send: QuerySession['send']): void => {
      const placed = place(run);
      if (!placed) return;
      if (sessions.list.includes(session)) send(placed);
      else run.reject(new Error('The connection to PostgreSQL was lost'));
    };
    lent.set(session, first.run.client);
    session.send(first);
    onLent({
      send: (run) => pass(run, session.send),
      giveBack(last) {
        lent.delete(session);
        pass(last, session.sendWithNext);
        onEnd(session);
      },
    });
  }

  return {
    count: () => lent.size,
    isLent: (session: QuerySession) => lent.has(session),
    holder: (session: QuerySession) => lent.get(session),
    /** Lent, or about to be: it gets no further runs. */
    isTaken: (session: QuerySession) => session === draining || lent.has(session),
    isFree,
    lendNext,
    /** It was lost. */
    forget(session: QuerySession): void {
      if (session === draining) draining = null;
    },
  };
}

/** Three in four, where there are several. */
function shareOf(all: number): number {
  return Math.max(1, all - Math.ceil(all / 4));
}

/**
 * Whether a client may have a further connection: those count where its query takes long, and those that are lent to
 * it. Quick queries take turns, and hold nothing.
 */
function createShare({ list }: Sessions, lender: Lender, share: number): (client: string) => boolean {
  return (client) => {
    if (client === ownWork || list.length < share) return true;
    const now = performance.now();
    let held = 0;
    for (const session of list) {
      const holder = lender.holder(session) ?? (session.isSwift(now) ? undefined : session.client());
      if (holder === client) held += 1;
    }
    return held < share;
  };
}

/** Whether it was sent; otherwise it has to wait. */
function send(placed: PlacedRun, sessions: Sessions, lender: Lender): boolean {
  const session = choose(placed, sessions, lender);
  session?.send(placed);
  return session !== null;
}

/** null = it has to wait. */
function choose(placed: PlacedRun, { list, tryToOpen }: Sessions, lender: Lender): QuerySession | null {
  const now = performance.now();
  let idle: QuerySession | null = null;
  let least: QuerySession | null = null;
  let busy = 0;
  let willFollow = false;
  for (const session of list) {
    if (lender.isLent(session)) busy += 1;
    if (lender.isTaken(session)) continue;
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
  // Full connections will soon have room: waiting for that is fairer than waking another PostgreSQL process without a
  // free core.
  if (willFollow && busy >= cores) return least;
  if (idle) return idle;
  return tryToOpen() ? null : least;
}

function willSoonTake(session: QuerySession, { shared }: PlacedRun, now: number): boolean {
  return session.isSwift(now) && session.knows(shared);
}

function canFollow(session: QuerySession, placed: PlacedRun): boolean {
  return session.inFlight() < maxInFlight && willSoonTake(session, placed, performance.now());
}
