// Writes blocks: one connection, one database transaction a block, all or nothing. Only one writer works on a database at
// a time. A lost connection is opened again, and record_file tells whether the block it interrupted was committed.
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { BlockChanges, BulkOperation, TableChanges } from './block-changes.ts';
import type { Table } from './table.ts';
import { type TableName, tables } from './tables.ts';
import { encodeArrays } from './write/array-parameters.ts';
import { describeDeletedNfts, runBulkOperation } from './write/bulk-operations.ts';
import { createRowCopier, type RowCopier } from './write/copy-rows.ts';
import { adjustStatement, mergeStatement } from './write/merge-sql.ts';
import { createPartitions } from './write/partitions.ts';

/** PostgreSQL channel that is notified with the block's number when the block becomes visible. */
export const blockChannel = 'ledger_mirror_block';

export type BlockWriter = {
  /** Resolves when the block is committed; after a rejection nothing of it is stored. One call at a time. */
  writeBlock(changes: BlockChanges): Promise<void>;
  /** Adds to the number of every stored block: the first file that carries its own number tells how far off they were. */
  shiftBlockNumbers(by: bigint): Promise<void>;
  close(): Promise<void>;
};

export type BlockWriterOptions = {
  connectionString: string;
  /** Told of lost connections. */
  log?: (sentence: string) => void;
  /** How long a lost database is waited for. */
  reconnectMs?: number;
  /** How long another writer, which may be about to end, is waited for. */
  otherWriterMs?: number;
};

export async function createBlockWriter(options: BlockWriterOptions): Promise<BlockWriter> {
  const { connectionString, log = () => {}, reconnectMs = 60_000, otherWriterMs = 10_000 } = options;
  const open = () => openSession(connectionString, otherWriterMs);
  let session: Session | null = await open();

  const run = async <Result>(work: (open: Session) => Promise<Result>): Promise<Result> => {
    session ??= await retry(open, reconnectMs);
    try {
      return await work(session);
    } catch (error) {
      if (!(await session.rollback())) session = null;
      throw error;
    }
  };

  return {
    async writeBlock(changes) {
      const deadline = Date.now() + reconnectMs;
      for (;;) {
        try {
          return await run((open) => open.write(changes));
        } catch (error) {
          if (session !== null || Date.now() > deadline) throw error;
          log(`Lost the connection to PostgreSQL while writing a block: ${(error as Error).message}; connecting again`);
        }
        if (await run((open) => isCommitted(open.client, changes))) return;
      }
    },
    shiftBlockNumbers: (by) =>
      run(async ({ client }) => {
        await client.query('update record_file set index = index + $1', [by]);
      }),
    async close() {
      await session?.client.end();
      session = null;
    },
  };
}

type Session = {
  client: pg.Client;
  /** Rows of a block, in one transaction. */
  write(changes: BlockChanges): Promise<void>;
  /** Ends a failed transaction. false = the connection is gone. */
  rollback(): Promise<boolean>;
};

async function openSession(connectionString: string, otherWriterMs: number): Promise<Session> {
  const client = new pg.Client({ connectionString, application_name: 'ledger-mirror writer', keepAlive: true });
  // The next statement tells of the loss.
  client.on('error', () => {});
  await client.connect();
  await client.query(
    `set plan_cache_mode = force_generic_plan; set jit = off; set statement_timeout = 0; set lock_timeout = ${otherWriterMs}`,
  );
  try {
    // Also waits until a lost connection's transaction has come to its end, one way or the other.
    await client.query(`select pg_advisory_lock(hashtext('ledger-mirror writer'))`);
  } catch (error) {
    await client.end();
    throw new Error('Another mirror is writing into this database; only one may. Stop it, or use "serve" here.', {
      cause: error,
    });
  }
  const partitions = createPartitions();
  const tableWriters = createTableWriters();
  return {
    client,
    async rollback() {
      try {
        await client.query('rollback');
        return true;
      } catch {
        // The error that the caller is handling says why.
        await client.end().catch(() => {});
        return false;
      }
    },
    async write({ parts }) {
      const operations: BulkOperation[] = [];
      const span = timeSpan(parts);
      if (span) await partitions.ensure(client, span.from, span.to);
      await client.query('begin');
      for (const part of parts) {
        if (isOperation(part)) {
          await runBulkOperation(client, part);
          operations.push(part);
        } else {
          for (const name of Object.keys(part) as TableName[]) await tableWriters[name](client, part[name] as AnyRow[]);
        }
      }
      for (const operation of operations) await describeDeletedNfts(client, operation);
      await notifyReaders(client, parts);
      await client.query('commit');
    },
  };
}

async function retry<Result>(attempt: () => Promise<Result>, patienceMs: number): Promise<Result> {
  const deadline = Date.now() + patienceMs;
  for (let delayMs = 50; ; delayMs = Math.min(delayMs * 2, 2_000)) {
    try {
      return await attempt();
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await sleep(delayMs);
    }
  }
}

type AnyRow = Readonly<Record<string, unknown>>;
type TableWriter = RowCopier;

function createTableWriters(): Record<TableName, TableWriter> {
  const writers = Object.entries(tables).map(([name, table]) => [
    name,
    (table as Table).kind === 'insert' ? createRowCopier(name, table) : createRowMerger(name, table),
  ]);
  return Object.fromEntries(writers) as Record<TableName, TableWriter>;
}

function createRowMerger(name: string, table: Table): TableWriter {
  const columns = Object.keys(table.columns);
  const merge = { name: `merge-${name}`, text: mergeStatement(name, table) };
  const adjustments = new Map<string, { name: string; text: string; columns: string[] }>();
  const adjustmentOf = (used: string[]) => {
    const id = used.join();
    const known = adjustments.get(id);
    if (known) return known;
    const made = {
      name: `adjust-${name}-${adjustments.size}`,
      text: adjustStatement(name, table, used),
      columns: used,
    };
    adjustments.set(id, made);
    return made;
  };
  return async (client, rows) => {
    const adjusting = table.kind === 'versioned' ? rows.filter((row) => !row.timestamp_range) : [];
    const merging = table.kind === 'versioned' ? rows.filter((row) => row.timestamp_range) : rows;
    if (adjusting.length > 0) {
      const used = columns.filter(
        (column) =>
          table.key.includes(column) || adjusting.some((row) => row[column] !== undefined && row[column] !== null),
      );
      if (used.length > table.key.length) {
        const { name: statement, text } = adjustmentOf(used);
        await client.query({ name: statement, text, values: encodeArrays(table, used, adjusting) });
      }
    }
    if (merging.length > 0) await client.query({ ...merge, values: encodeArrays(table, columns, merging) });
  };
}

function isOperation(part: TableChanges | BulkOperation): part is BulkOperation {
  return 'operation' in part;
}

/** Consensus timestamps of the rows that go to partitioned tables. */
function timeSpan(parts: BlockChanges['parts']): { from: bigint; to: bigint } | null {
  let span: { from: bigint; to: bigint } | null = null;
  for (const part of parts) {
    if (isOperation(part)) continue;
    for (const [name, rows] of Object.entries(part)) {
      const column = (tables[name as TableName] as Table).partitionBy;
      if (!column) continue;
      for (const row of rows as AnyRow[]) {
        const timestamp = row[column] as bigint;
        span ??= { from: timestamp, to: timestamp };
        if (timestamp < span.from) span.from = timestamp;
        if (timestamp > span.to) span.to = timestamp;
      }
    }
  }
  return span;
}

function recordFilesOf({ parts }: BlockChanges) {
  return parts.flatMap((part) => (isOperation(part) ? [] : (part.record_file ?? [])));
}

async function notifyReaders(client: pg.Client, parts: BlockChanges['parts']): Promise<void> {
  const last = recordFilesOf({ parts }).at(-1);
  if (!last) return;
  await client.query({
    name: 'notify-block',
    text: 'select pg_notify($1, $2)',
    values: [blockChannel, String(last.index)],
  });
}

/** Without a record_file row nothing tells, and the changes count as not written. */
async function isCommitted(client: pg.Client, changes: BlockChanges): Promise<boolean> {
  const last = recordFilesOf(changes).at(-1);
  if (!last) return false;
  const { rowCount } = await client.query('select from record_file where consensus_end = $1', [last.consensus_end]);
  return rowCount === 1;
}
