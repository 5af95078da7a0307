// The first import of a long history is faster without the indexes that only readers need, and building them at its end is
// cheaper than maintaining them. Invariant: a missing index stands in postponed_index and leaves that table in the
// transaction that makes it, so the work can end at any moment and continues where it stopped.
import { createHash } from 'node:crypto';
import type pg from 'pg';
import { quoteName } from '../schema/sql-names.ts';
import type { Table } from '../schema/table.ts';
import { tables } from '../schema/tables.ts';
import { inTransaction, withClient } from '../wire/connect-client.ts';
import { isDistributed } from './distribute.ts';

/** Tables of time, which grow without end: rows are only added, and the import reads none of them by these indexes. */
const postponingTables = Object.entries(tables)
  .filter(([, table]) => (table as Table).kind === 'insert' && (table as Table).partitionBy !== undefined)
  .map(([name]) => name);

/**
 * Drops them if the database holds no block. false: it holds blocks and has all its indexes; nothing is changed. true also if
 * an earlier run postponed them.
 */
export async function postponeIndexes(connectionString: string): Promise<boolean> {
  return withClient(connectionString, 'indexes', async (client) => {
    if (await isDistributed(client)) {
      throw new Error(
        'A database that is distributed over several machines makes its indexes while it is filled. Leave out --bulk.',
      );
    }
    await client.query('begin');
    const { rows: state } = await client.query<{ postponed: boolean; filled: boolean }>(
      'select exists(select from postponed_index) as postponed, exists(select from record_file) as filled',
    );
    const { postponed, filled } = state[0]!;
    if (!postponed && !filled) {
      const { rows } = await client.query<{ name: string; definition: string }>(
        `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
         from pg_index join pg_class c on c.oid = indrelid
         where relnamespace = current_schema()::regnamespace and relname = any ($1) and not indisunique`,
        [postponingTables],
      );
      for (const { name, definition } of rows) {
        await client.query('insert into postponed_index (definition) values ($1)', [definition]);
        await client.query(`drop index ${name}`);
      }
    }
    await client.query('commit');
    return postponed || !filled;
  });
}

type IndexProgress = {
  /** As `table (columns)`. */
  index: string;
  /** Share of all work, weighted by the size of the tables: 0 to 1. */
  done: number;
};

export type MakeIndexesOptions = {
  connectionString: string;
  /** Before each index of a partition, and every few seconds while it is made. */
  onProgress?(progress: IndexProgress): void;
  /** Ends the work after the current partition. */
  signal?: AbortSignal;
};

/** Makes the postponed indexes, partition by partition. Resolves with how many were made. */
export async function makePostponedIndexes(options: MakeIndexesOptions): Promise<number> {
  const { connectionString, onProgress = () => {}, signal } = options;
  return withClient(connectionString, 'indexes', async (client) => {
    const steps = await planSteps(client);
    const totalBytes = steps.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    // More than the default: most of the time goes into sorting in memory.
    await client.query(`set maintenance_work_mem = '256MB'; set statement_timeout = 0`);
    let doneBytes = 0;
    let made = 0;
    for (const { index, statements, sizeBytes, isLast } of steps) {
      if (signal?.aborted) break;
      const tell = (share: number): void =>
        onProgress({ index, done: totalBytes === 0 ? 1 : (doneBytes + share * sizeBytes) / totalBytes });
      tell(0);
      const looking = await watchIndex(connectionString, client, tell);
      try {
        await inTransaction(client, async () => {
          for (const { text, values } of statements) await client.query(text, values);
        });
      } finally {
        await looking.end();
      }
      doneBytes += sizeBytes;
      if (isLast) made += 1;
    }
    return made;
  });
}

type Step = {
  index: string;
  statements: { text: string; values?: unknown[] }[];
  sizeBytes: number;
  /** The whole index is complete after it. */
  isLast: boolean;
};

/** Each index on each partition separately, then on the table, which adopts those of the partitions. */
async function planSteps(client: pg.Client): Promise<Step[]> {
  const { rows } = await client.query<{ definition: string }>('select definition from postponed_index order by 1');
  const steps: Step[] = [];
  for (const { definition } of rows) {
    const parts = /^CREATE INDEX \S+ ON ONLY (\S+) (USING .*)$/s.exec(definition);
    if (!parts)
      throw new Error(`The table postponed_index holds what makes no index of a partitioned table: ${definition}`);
    const [, table, method] = parts as unknown as [string, string, string];
    const index = `${table.replace(/^.*\./, '')} ${method.replace(/^USING \w+ /, '')}`;
    const { rows: partitions } = await client.query<{ name: string; label: string; size: string }>(
      `select relid::regclass::text as name, relname as label, pg_relation_size(relid) as size
       from pg_partition_tree($1) join pg_class on oid = relid where isleaf order by 2`,
      [table],
    );
    const suffix = createHash('sha256').update(definition).digest('hex').slice(0, 8);
    for (const { name, label, size } of partitions) {
      const text = `create index if not exists ${quoteName(`${label}_${suffix}`)} on ${name} ${method}`;
      steps.push({ index, statements: [{ text }], sizeBytes: Number(size), isLast: false });
    }
    const statements = [
      { text: definition.replace(' ON ONLY ', ' ON ') },
      { text: 'delete from postponed_index where definition = $1', values: [definition] },
    ];
    steps.push({ index, statements, sizeBytes: 0, isLast: true });
  }
  return steps;
}

const lookEveryMs = 2_000;

/** Asks PostgreSQL, through another connection, for the progress of the index that the client makes. */
async function watchIndex(connectionString: string, client: pg.Client, tell: (share: number) => void) {
  const pid = (client as pg.Client & { processID: number }).processID;
  let looking: Promise<void> = Promise.resolve();
  const look = (): Promise<void> =>
    withClient(connectionString, 'indexes', async (watcher) => {
      const { rows } = await watcher.query<{ share: number | null }>(
        `select (blocks_done::float8 + tuples_done) / nullif(blocks_total + tuples_total, 0) as share
         from pg_stat_progress_create_index where pid = $1`,
        [pid],
      );
      if (rows[0]?.share) tell(Math.min(rows[0].share, 1));
    });
  const timer = setInterval(() => {
    // Only progress: the index itself is what counts.
    looking = looking.then(look).catch(() => {});
  }, lookEveryMs);
  return {
    async end(): Promise<void> {
      clearInterval(timer);
      await looking;
    },
  };
}
