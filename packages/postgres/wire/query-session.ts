// One connection that answers prepared queries. `pg` opens it (host, TLS, password) and closes it; in between its
// socket is read and written here, because `pg` turns every value into text and every message into an event, and its
// pool waits for an answer before it sends the next query: pages take twice the time, and small answers are a fifth
// fewer a second. The first time a statement is prepared, described and read as text; from then on only its values are
// sent, and its rows come in binary if every column has a reader for that. The most recently used statements stay
// prepared. Reads that are asked while others are being answered are sent together at the end of the turn, with one
// Sync: PostgreSQL then begins and ends one transaction, and both sides make one system call, for all of them.
// Invariants: answers come in the order in which the runs were sent, and each batch ends with ReadyForQuery, whatever
// fails; what the server skipped after a failure is sent again; every statement that the server keeps for this
// connection is in `prepared`, or is closed before the next is prepared.
import { performance } from 'node:perf_hooks'; // The global is a getter: 165 instructions more a call.
import type { Duplex } from 'node:stream';
import { LRUCache } from 'lru-cache';
import type pg from 'pg';
import {
  type Answer,
  createAnswerReader,
  type QueryRun,
  type SharedStatement,
  type Statement,
} from './answer-reader.ts';
import type { RowReader } from './compile-row-reader.ts';
import { encodeClose, encodeParse, encodeRun, syncMessage } from './encode-run.ts';

/** A run and its statement. */
export type PlacedRun = { run: QueryRun; shared: SharedStatement };

export type QuerySession = {
  /** Runs that wait for their answers, including the one being answered. */
  inFlight(): number;
  /** Whose run is being answered; undefined = none is. */
  client(): string | undefined;
  /** Whether a run that is sent now (`performance.now()`) will most likely be answered soon. */
  isSwift(now: number): boolean;
  /** Whether its first run has been in flight for so long without an answer. */
  isSilent(now: number, ms: number): boolean;
  /** Whether a run would send values only: such a run may be sent while another is being answered. */
  knows(statement: SharedStatement): boolean;
  send(placed: PlacedRun): void;
  /** Sends it with the next run, or alone after `maxDelayMs`; until then it is not in flight. */
  sendWithNext(placed: PlacedRun): void;
  /** Closes the connection; to be called when nothing is in flight. */
  close(): Promise<void>;
};

export type QuerySessionOptions = {
  /** Connected, and used by this session alone. */
  client: pg.Client;
  /** Compiled readers by columns, shared by all sessions, so that they are optimized once. */
  readers: Map<string, RowReader>;
  /** Statements that stay prepared on this connection. */
  maxPrepared: number;
  /** After each answer. */
  onAnswer(session: QuerySession): void;
  /** The connection has ended by itself; its runs have been rejected. */
  onLost(session: QuerySession, error: Error): void;
};

/** Nothing is sent after a statement that usually takes longer, nor after a run that has taken longer already. */
const swiftMs = 5;
/** An open transaction that waits for its end holds back what vacuum may remove. */
const maxDelayMs = 2;
/** Weight of the newest run in the usual duration. */
const weightOfNewest = 0.2;

/**
 * Failures after which the statement is prepared again: the server does not know it (26000), or the columns that it was
 * planned for have changed (0A000, "cached plan must not change result type").
 */
const outdatedCodes: ReadonlySet<string | undefined> = new Set(['26000', '0A000']);

export function createQuerySession(options: QuerySessionOptions): QuerySession {
  const { client, readers, maxPrepared, onAnswer, onLost } = options;
  const { stream } = (client as unknown as { connection: { stream: Duplex } }).connection;
  const prepared = createPreparedStatements(maxPrepared);
  const sent: Answer[] = [];
  /** The last ones of `sent`, whose bytes are written at the end of the turn. */
  let gathered: Buffer[] = [];
  const pace = createPace(sent);
  const delayed = createDelayed(sendNow);
  let isClosing = false;
  const reader = createAnswerReader({
    sent,
    readers,
    write: (bytes) => stream.write(bytes),
    onRun: finishFirst,
    onBatch: finishBatch,
  });

  readAll(stream, reader);
  client.on('error', reader.noteError);
  client.once('end', () => {
    if (isClosing) return;
    const error = reader.lastError();
    gathered = [];
    for (const { run } of [...sent.splice(0), ...delayed.take()]) run.reject(error);
    onLost(session, error);
  });

  const session: QuerySession = {
    inFlight: () => sent.length,
    client: () => sent[0]?.run.client,
    isSwift: pace.isSwift,
    isSilent: pace.isSilent,
    knows: ({ name }) => prepared.peek(name)?.shape !== undefined,
    send,
    sendWithNext: delayed.add,
    close() {
      delayed.send();
      flush();
      isClosing = true;
      return client.end();
    },
  };
  return session;

  function send(placed: PlacedRun): void {
    delayed.send();
    sendNow(placed);
  }

  function sendNow({ run, shared }: PlacedRun): void {
    const { name } = shared;
    const known = prepared.get(name);
    const statement = known ?? { name, isParsed: false, shape: undefined };
    const { shape } = statement;
    const isGathered = run.reads === true && shape !== undefined;
    const bytes = tryToEncode(run, { statement: name, shape, sync: !isGathered });
    if (bytes === null) return;
    if (!isGathered) flush();
    const isSlow = pace.begin(shared);
    sent.push({ run, shared, statement, endsBatch: !isGathered, isSlow, rows: [], shape, failure: null });
    if (isGathered) {
      if (gathered.length === 0) setImmediate(flush);
      gathered.push(bytes);
    } else if (known) stream.write(bytes);
    else stream.write(Buffer.concat([...prepared.add(statement), encodeParse(name, textOf(run)), bytes]));
  }

  function flush(): void {
    if (gathered.length === 0) return;
    sent.at(-1)!.endsBatch = true;
    stream.write(Buffer.concat([...gathered, syncMessage]));
    gathered = [];
  }

  /** The first run in flight has its answer. */
  function finishFirst(): Answer {
    const answer = sent.shift()!;
    pace.end(answer);
    settle(answer, prepared);
    if (!answer.endsBatch) onAnswer(session);
    return answer;
  }

  function finishBatch(): void {
    let last = finishFirst();
    const skipped: Answer[] = [];
    while (!last.endsBatch) {
      last = sent.shift()!;
      pace.skip(last);
      skipped.push(last);
    }
    pace.noteDurations();
    for (const placed of skipped) send(placed);
    onAnswer(session);
  }
}

/** null = it was rejected. */
function tryToEncode(
  run: QueryRun,
  { statement, shape, sync }: { statement: string; shape: Statement['shape']; sync: boolean },
): Buffer | null {
  try {
    return encodeRun({
      statement,
      values: run.values,
      binary: shape?.binary === true,
      describe: shape === undefined,
      sync,
    });
  } catch (error) {
    run.reject(error as Error);
    return null;
  }
}

function readAll(stream: Duplex, reader: { read(chunk: Buffer): void }): void {
  stream.removeAllListeners('data');
  stream.on('data', (chunk: Buffer) => {
    try {
      reader.read(chunk);
    } catch (error) {
      stream.destroy(error as Error);
    }
  });
}

function textOf({ text, complete }: QueryRun): string {
  return complete?.(text) ?? text;
}

function settle({ run, shared, statement, rows, failure }: Answer, prepared: PreparedStatements): void {
  if (failure === null) {
    run.resolve(rows);
    return;
  }
  const { code } = failure as Error & { code?: string };
  if (!statement.isParsed || outdatedCodes.has(code)) prepared.drop(statement);
  if (!statement.isParsed) shared.text = null;
  run.reject(failure);
}

/** Runs that no caller waits for: a message of their own would cost both sides a system call. */
function createDelayed(sendNow: (placed: PlacedRun) => void) {
  let runs: PlacedRun[] = [];
  let timer: NodeJS.Timeout | null = null;
  const take = (): PlacedRun[] => {
    if (timer) clearTimeout(timer);
    timer = null;
    const taken = runs;
    runs = [];
    return taken;
  };
  const send = (): void => {
    if (runs.length > 0) for (const placed of take()) sendNow(placed);
  };
  return {
    add(placed: PlacedRun): void {
      runs.push(placed);
      timer ??= setTimeout(send, maxDelayMs);
    },
    send,
    take,
  };
}

type PreparedStatements = ReturnType<typeof createPreparedStatements>;

function createPreparedStatements(max: number) {
  /** Names of statements that the server may still keep though none is in `kept`. */
  let toClose: string[] = [];
  const kept = new LRUCache<string, Statement>({ max, dispose: (_statement, name) => toClose.push(name) });
  return {
    get: (name: string) => kept.get(name),
    /** Does not count as a use. */
    peek: (name: string) => kept.peek(name),
    /** Returns the messages that close the statements which the server need not keep any more. */
    add(statement: Statement): Buffer[] {
      if (statement.name !== '') kept.set(statement.name, statement);
      const closes = toClose.map(encodeClose);
      toClose = [];
      return closes;
    },
    drop(statement: Statement): void {
      if (kept.peek(statement.name) === statement) kept.delete(statement.name);
    },
  };
}

/** Durations of the runs in flight. */
function createPace(sent: readonly Answer[]) {
  let slowInFlight = 0;
  /** Since when the first run in flight has been the first. */
  let since = 0;
  /** The answered runs of the current batch. */
  let answered: SharedStatement[] = [];
  return {
    isSwift: (now: number) => slowInFlight === 0 && now - since < swiftMs,
    isSilent: (now: number, ms: number) => sent.length > 0 && now - since >= ms,
    /** Before a run is sent; returns whether it is slow. */
    begin({ usualMs = Number.POSITIVE_INFINITY }: SharedStatement): boolean {
      if (sent.length === 0) since = performance.now();
      const isSlow = usualMs >= swiftMs;
      if (isSlow) slowInFlight += 1;
      return isSlow;
    },
    end({ isSlow, shared }: Answer): void {
      if (isSlow) slowInFlight -= 1;
      answered.push(shared);
    },
    /** It is sent again. */
    skip({ isSlow }: Answer): void {
      if (isSlow) slowInFlight -= 1;
    },
    /** PostgreSQL answers a batch when all of it is done: the time is divided in proportion to the usual durations. */
    noteDurations(): void {
      const now = performance.now();
      const lasted = now - since;
      const usual = answered.reduce((sum, { usualMs }) => sum + (usualMs ?? lasted), 0);
      for (const shared of answered) {
        const before = shared.usualMs ?? lasted;
        shared.usualMs = usual > 0 ? before * (1 + (lasted / usual - 1) * weightOfNewest) : 0;
      }
      answered = [];
      since = now;
    },
  };
}
