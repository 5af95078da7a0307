// The first import of a long history is faster without the indexes that only readers need, the load of an export
// without any index, and building them at the end is cheaper than maintaining them. Invariant: a missing index or key
// stands in postponed_index and leaves that table in the transaction that makes it, so the work can end at any moment
// and continues where it stopped.
import { createHash } from 'node:crypto';
import type pg from 'pg';
import { inTransaction, withClient } from '../../postgres/wire/connect-client.ts';
import { quoteName } from '../sql-names.ts';
import type { Table } from '../table.ts';
import { tables } from '../tables.ts';
import { isDistributed } from './distribute.ts';

/** Tables of time, which grow without end: rows are only added, and the import reads none of them by these indexes. */
const postponingTables = Object.entries(tables)
  .filter(([, table]) => (table as Table).kind === 'insert' && (table as Table).partitionBy !== undefined)
  .map(([name]) => name);

/**
 * Drops them if the database holds no block. false: it holds blocks and has all its indexes; nothing is changed. true
 * also if an earlier run postponed them.
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
        await dropIndex(client, name, definition);
      }
    }
    await client.query('commit');
    return postponed || !filled;
  });
}

async function dropIndex(client: pg.Client, name: string, definition: string): Promise<void> {
  await client.query('insert into postponed_index (definition) values ($1)', [definition]);
  await client.query(`drop index ${name}`);
}

/**
 * Within the caller's transaction: all indexes and primary keys of these tables, which are empty. Keys that others
 * refer to stay.
 */
export async function postponeKeys(client: pg.Client, names: readonly string[]): Promise<void> {
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
     from pg_index join pg_class c on c.oid = indrelid
     where relnamespace = current_schema()::regnamespace and relname = any ($1) and not indisunique`,
    [names],
  );
  for (const { name, definition } of indexes) await dropIndex(client, name, definition);
  const { rows: keys } = await client.query<{ table: string; name: string; key: string }>(
    `select c.oid::regclass::text as table, quote_ident(k.conname) as name, pg_get_constraintdef(k.oid) as key
     from pg_constraint k join pg_class c on c.oid = k.conrelid
     where c.relnamespace = current_schema()::regnamespace and c.relname = any ($1) and k.contype = 'p'
       and not exists (select from pg_constraint f where f.confrelid = c.oid and f.contype = 'f')`,
    [names],
  );
  for (const { table, name, key } of keys) {
    const definition = `ALTER TABLE ${table} ADD CONSTRAINT ${name} ${key}`;
    await client.query('insert into postponed_index (definition) values ($1)', [definition]);
    await client.query(`alter table ${table} drop constraint ${name}`);
  }
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
  /** Tables whose indexes are made at the same time; default 1. */
  tablesAtOnce?: number;
  /** Ends the work after the current partition. */
  signal?: AbortSignal;
};

/** Makes the postponed indexes, partition by partition. Resolves with how many were made. */
export async function makePostponedIndexes(options: MakeIndexesOptions): Promise<number> {
  const { connectionString, onProgress = () => {}, tablesAtOnce = 1 } = options;
  const steps = await withClient(connectionString, 'indexes', planSteps);
  const ofTables = [...Map.groupBy(steps, ({ table }) => table).values()].sort(
    (one, other) => sizeOf(other) - sizeOf(one),
  );
  const totalBytes = sizeOf(steps);
  let doneBytes = 0;
  let made = 0;
  const work = async (): Promise<void> => {
    for (let ofTable = ofTables.shift(); ofTable; ofTable = ofTables.shift()) {
      await makeInOrder(ofTable, {
        ...options,
        onStep({ index, sizeBytes }, share) {
          onProgress({ index, done: totalBytes === 0 ? 1 : (doneBytes + share * sizeBytes) / totalBytes });
        },
        onMade({ sizeBytes, isLast }) {
          doneBytes += sizeBytes;
          if (isLast) made += 1;
        },
      });
    }
  };
  const settled = await Promise.allSettled(Array.from({ length: Math.max(1, tablesAtOnce) }, work));
  for (const one of settled) if (one.status === 'rejected') throw one.reason;
  return made;
}

type MadeSteps = Pick<MakeIndexesOptions, 'connectionString' | 'signal'> & {
  onStep(step: Step, share: number): void;
  onMade(step: Step): void;
};

async function makeInOrder(steps: readonly Step[], options: MadeSteps): Promise<void> {
  const { connectionString, signal, onStep, onMade } = options;
  await withClient(connectionString, 'indexes', async (client) => {
    // More than the default: most of the time goes into sorting in memory.
    await client.query(`set maintenance_work_mem = '256MB'; set statement_timeout = 0`);
    // The first reader of rows marks their pages, which then are logged as a whole: to compress them took half of the
    // time.
    await client.query(
      `select set_config('wal_compression', 'off', false) where has_parameter_privilege('wal_compression', 'set')`,
    );
    for (const step of steps) {
      if (signal?.aborted) return;
      const tell = (share: number): void => onStep(step, share);
      tell(0);
      const looking = await watchIndex(connectionString, client, tell);
      try {
        await inTransaction(client, async () => {
          for (const { text, values } of step.statements) await client.query(text, values);
        });
      } catch (error) {
        throw new Error(`${step.index} cannot be made: ${(error as Error).message}${detailOf(error)}`, {
          cause: error,
        });
      } finally {
        await looking.end();
      }
      onMade(step);
    }
  });
}

/** Of a key that several rows have: which. */
function detailOf(error: unknown): string {
  const { detail } = error as { detail?: string };
  return detail ? ` (${detail})` : '';
}

type Step = {
  table: string;
  index: string;
  statements: { text: string; values?: unknown[] }[];
  sizeBytes: number;
  /** The whole index is complete after it. */
  isLast: boolean;
};

const sizeOf = (steps: readonly Step[]): number => steps.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);

/** Each index on each partition separately, then on the table, which adopts those of the partitions. */
async function planSteps(client: pg.Client): Promise<Step[]> {
  const { rows } = await client.query<{ definition: string }>('select definition from postponed_index order by 1');
  const steps: Step[] = [];
  for (const { definition } of rows) steps.push(...(await planIndex(client, definition)));
  return steps;
}

async function planIndex(client: pg.Client, definition: string): Promise<Step[]> {
  const { table, method, onPartition, whole } = readDefinition(definition);
  const index = `${table.replace(/^.*\./, '')} ${method.replace(/^USING \w+ /, '')}`;
  const { rows: leaves } = await client.query<{
    name: string;
    label: string;
    size: string;
    partition: boolean;
    keyed: boolean;
  }>(
    `select relid::regclass::text as name, relname as label, pg_relation_size(relid) as size, relispartition as partition,
       exists (select from pg_constraint where conrelid = relid and contype = 'p') as keyed
     from pg_partition_tree($1) join pg_class on oid = relid where isleaf order by 2`,
    [table],
  );
  const partitions = leaves.filter(({ partition }) => partition);
  const steps = partitions.flatMap(({ name, label, size, keyed }): Step[] => {
    const text = onPartition(name, label, keyed);
    return text === null ? [] : [{ table, index, statements: [{ text }], sizeBytes: Number(size), isLast: false }];
  });
  const statements = [
    { text: whole },
    { text: 'delete from postponed_index where definition = $1', values: [definition] },
  ];
  const sizeBytes = leaves.filter(({ partition }) => !partition).reduce((sum, { size }) => sum + Number(size), 0);
  return [...steps, { table, index, statements, sizeBytes, isLast: true }];
}

type Definition = {
  table: string;
  /** What it indexes, and how. */
  method: string;
  /** null = the partition has it. */
  onPartition(name: string, label: string, isKeyed: boolean): string | null;
  whole: string;
};

function readDefinition(definition: string): Definition {
  const key = /^ALTER TABLE (\S+) ADD CONSTRAINT .* (PRIMARY KEY .*)$/s.exec(definition);
  if (key) {
    const [, table, method] = key as unknown as [string, string, string];
    const onPartition = (name: string, _label: string, isKeyed: boolean): string | null =>
      isKeyed ? null : `alter table ${name} add ${method}`;
    return { table, method, onPartition, whole: definition };
  }
  const parts = /^CREATE INDEX \S+ ON (?:ONLY )?(\S+) (USING .*)$/s.exec(definition);
  if (!parts) throw new Error(`The table postponed_index holds what makes no index of a table: ${definition}`);
  const [, table, method] = parts as unknown as [string, string, string];
  const suffix = createHash('sha256').update(definition).digest('hex').slice(0, 8);
  return {
    table,
    method,
    onPartition: (name, label) => `create index if not exists ${quoteName(`${label}_${suffix}`)} on ${name} ${method}`,
    whole: definition.replace(' ON ONLY ', ' ON '),
  };
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
