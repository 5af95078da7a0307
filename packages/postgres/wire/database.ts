// Reading side of the store: queries are prepared on each connection of a pool under their name; the most recently used
// stay prepared. Values arrive exact: int8 as bigint, numeric as text, bytea as Buffer, jsonb with integers of any
// size, int8range as from/to.

import { performance } from 'node:perf_hooks'; // The global is a getter: 165 instructions more a call.
import { type Cause, CausedError } from '../../kit/shares/cause.ts';
import { currentClient } from '../../kit/shares/current-client.ts';
import type { QueryRun } from './answer-reader.ts';
import { createSessionPool, type LentSession } from './session-pool.ts';
import { toStatementName } from './statement-name.ts';
import { queueIsFull } from './waiting-line.ts';

/** `Row`: what its text selects. */
export type NamedQuery<Row = unknown> = {
  /** Names the metric, the log line and the error. */
  name: string;
  /** If one name has several texts: name and shape together identify one. */
  shape?: string;
  text: string;
  values?: unknown[];
  /** Makes the whole text from `text` when the statement is prepared. */
  complete?: (text: string) => string;
  /**
   * Whether it changes nothing, so that it may share a transaction with others; its rows then have camel-case members.
   */
  reads?: boolean;
  /** Exists only as a type. */
  readonly row?: Row;
};

export type UnreadableValue = {
  /** Table and column, a closed set: it labels a metric. */
  column: string;
  /** SQL: the condition that finds its row. */
  row: string;
  error: Error;
};

export type Database = {
  query<Row>(query: NamedQuery<Row>): Promise<Row[]>;
  /** All queries of `work` see the same moment. They run one after the other on a connection lent for it. */
  snapshot<T>(work: (db: Database) => Promise<T>): Promise<T>;
  /** Whether a column is missing, or its whole table, and null or no row stands for it. */
  lacks(table: string, column: string): boolean;
  /** Whether its tables are spread over several machines: statements then have the forms of `read/distributed/`. */
  isDistributed: boolean;
  /** Whether rows of the past are stored once (packages/schema/compact-form.ts). */
  isCompact: boolean;
  /** A stored value cannot be read; answers go without it. */
  onUnreadable(value: UnreadableValue): void;
  /** Throws if PostgreSQL does not answer. */
  check(): Promise<void>;
  /** Whether a new query of the current client would not wait too long. */
  hasRoom(): boolean;
  /** Open connections, how many of them are idle, and how many queries wait for one. */
  connections(): { open: number; idle: number; waiting: number };
  close(): Promise<void>;
};

export type DatabaseOptions = {
  connectionString: string;
  /** At most this many connections are open. */
  maxConnections?: number;
  /** PostgreSQL ends longer ones. 0 = no limit. */
  statementTimeoutMs?: number;
  /** A query whose expected wait is longer is refused at once. */
  maxExpectedWaitMs?: number | undefined;
  /** Every query, for metrics. */
  onQuery?: (name: string, durationMs: number, error: Error | null) => void;
  /** A stored value cannot be read. */
  onUnreadable?: (value: UnreadableValue) => void;
  /** A connection was lost; the pool opens new ones by itself. */
  onConnectionLost?: (error: Error) => void;
};

export function openDatabase(options: DatabaseOptions): Database {
  const { connectionString, maxConnections = 10, statementTimeoutMs = 20_000, onQuery, onConnectionLost } = options;
  const { maxExpectedWaitMs, onUnreadable } = options;
  const pool = createSessionPool({
    client: {
      connectionString,
      statement_timeout: statementTimeoutMs,
      application_name: 'ledger-mirror reader',
      connectionTimeoutMillis: 10_000,
      keepAlive: true,
    },
    // One may be lent, and other queries must continue.
    maxSessions: Math.max(2, maxConnections),
    maxExpectedWaitMs,
    onConnectionLost: (error) => onConnectionLost?.(error),
  });

  const query = <Row>(named: NamedQuery<Row>): Promise<Row[]> => runBy(pool.run, named);

  function runBy<Row>(run: (run: QueryRun) => void, named: NamedQuery<Row>): Promise<Row[]> {
    const { name, shape, text, values = [], complete, reads } = named;
    const started = performance.now();
    return new Promise((resolve, reject) => {
      run({
        statement: toStatementName(name, shape),
        text,
        values,
        complete,
        reads,
        client: currentClient(),
        resolve(rows) {
          onQuery?.(name, performance.now() - started, null);
          resolve(rows as Row[]);
        },
        reject(error) {
          onQuery?.(name, performance.now() - started, error);
          reject(new QueryError(name, error));
        },
      });
    });
  }

  async function snapshot<T>(work: (db: Database) => Promise<T>): Promise<T> {
    const { promise, resolve } = Promise.withResolvers<LentSession>();
    const begun = runBy((run) => pool.lend(run, resolve), beginSnapshot);
    // Nothing waits for it if the work itself fails first.
    begun.catch(() => {});
    // The first query is sent right after it.
    const session = await Promise.race([promise, begun.then(() => promise)]);
    const own: Database = {
      ...database,
      query: (named) => runBy(session.send, named),
      snapshot: (inner) => inner(own),
    };
    try {
      const result = await work(own);
      await begun;
      return result;
    } finally {
      // The work already has the error of a lost connection.
      runBy(session.giveBack, endSnapshot).catch(() => {});
    }
  }

  const database: Database = {
    query,
    snapshot,
    lacks: () => false,
    isDistributed: false,
    isCompact: false,
    onUnreadable: (value) => onUnreadable?.(value),
    async check() {
      await query({ name: 'check', text: 'select 1' });
    },
    hasRoom: () => pool.hasRoom(currentClient()),
    connections: pool.counts,
    close: pool.close,
  };
  return database;
}

// Sent together with queries, as those are.
const beginSnapshot: NamedQuery = {
  name: 'begin-snapshot',
  text: 'begin isolation level repeatable read read only',
  reads: true,
};
const endSnapshot: NamedQuery = { name: 'end-snapshot', text: 'commit', reads: true };

/** A query that failed; `code` is the SQLSTATE, undefined if PostgreSQL was not reached. */
export class QueryError extends CausedError {
  readonly query: string;
  readonly code: string | undefined;
  readonly causedBy: Cause;

  constructor(query: string, cause: Error) {
    super(`Query ${query} failed: ${cause.message}`, { cause });
    this.name = 'QueryError';
    this.query = query;
    this.code = (cause as Error & { code?: string }).code;
    this.causedBy = causes.get(this.code) ?? 'unavailable';
  }
}

/** PostgreSQL ended it, as it took too long. */
const queryCanceled = '57014';

const causes: ReadonlyMap<string | undefined, Cause> = new Map([
  [queueIsFull, 'overloaded'],
  [queryCanceled, 'timeout'],
]);
