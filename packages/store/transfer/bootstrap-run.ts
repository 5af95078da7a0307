// What the database knows of the export that it is filled from.
import type pg from 'pg';
import { inTransaction } from '../../postgres/wire/connect-client.ts';
import type { Database } from '../../postgres/wire/database.ts';
import { postponeKeys } from '../../schema/migration/postponed-indexes.ts';
import { quoteName } from '../../schema/sql-names.ts';
import { canRead, selectOne } from '../read/select-one.ts';
import { expression, type RowOf, selectAll } from '../read/statement/columns.ts';
import { transferTables } from './transfer-tables.ts';

const instant = (column: string): string => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`;
const namesOf = (checks: string): string =>
  `(select string_agg(name, ', ' order by checked_at, name) from bootstrap_check where ${checks})`;

const progress = selectAll(
  expression('isEnded', 'bool', 'p.is_ended'),
  expression('step', 'text', 'p.step'),
  expression('donePermille', 'int8', 'p.done_permille'),
  expression('filesDone', 'int8', 'p.files_done'),
  expression('filesAll', 'int8', 'p.files_all'),
  expression('rowsDone', 'int8', 'p.rows_done'),
  expression('rowsAll', 'int8', 'p.rows_all').nullable(),
  expression('rowsPerSecond', 'int8', 'p.rows_per_second'),
  expression('msLeft', 'int8', 'p.ms_left').nullable(),
  expression('problem', 'text', 'p.problem').nullable(),
  expression('seenAt', 'text', instant('p.seen_at')),
  expression('seenMs', 'int8', 'greatest(0, extract(epoch from clock_timestamp() - p.seen_at) * 1000)::int8'),
);

const bootstrapRun = selectAll(
  expression('place', 'text', 'r.place'),
  expression('version', 'text', 'r.version').nullable(),
  expression('mode', 'text', 'r.mode'),
  // ns.
  expression('since', 'int8', 'r.since').nullable(),
  // When all files were loaded, indexes made and checks stored; null = it has to be continued.
  expression('loadedAt', 'text', instant('r.loaded_at')).nullable(),
  expression('isAccepted', 'bool', 'r.accepted'),
  // Names of checks.
  expression('heldChecks', 'text', namesOf('holds')).nullable(),
  expression('failedChecks', 'text', namesOf('not holds')).nullable(),
  expression('openChecks', 'text', namesOf('holds is null')).nullable(),
  progress.optional(),
);

/** Of its progress `seenMs` is the age; all of it is null before the first. */
export type BootstrapRun = RowOf<typeof bootstrapRun>;

/** null = the database is filled from the stream alone. */
export async function selectBootstrapRun(db: Database): Promise<BootstrapRun | null> {
  if (!(await canRead(db, 'bootstrap_progress'))) return null;
  const from = 'from bootstrap_run r left join bootstrap_progress p on p.id = r.id';
  return selectOne(db, { name: 'select-bootstrap-run', select: bootstrapRun, from });
}

/** Whether an export is loaded in part: what is stored now is no ledger yet. */
export async function isFilledInPart(db: Database): Promise<boolean> {
  if (!(await canRead(db, 'bootstrap_run'))) return false;
  const found = expression('found', 'bool', 'exists (select from bootstrap_run where loaded_at is null)');
  return (await selectOne(db, { name: 'find-unfinished-bootstrap', select: found }))!.found;
}

export type BegunRun = Pick<BootstrapRun, 'place' | 'version' | 'mode' | 'since'>;

/**
 * Makes an empty database ready for the rows of an export: without indexes. Resolves with whether an earlier run has
 * ended. Throws an Error if it holds a ledger that did not come from this export.
 */
export async function beginBootstrapRun(client: pg.Client, run: BegunRun): Promise<{ isLoaded: boolean }> {
  const { place, version, mode, since } = run;
  let isLoaded = false;
  await inTransaction(client, async () => {
    const { rows } = await client.query<StoredRun>(
      'select mode, since::text, version, loaded_at is not null as loaded from bootstrap_run for update',
    );
    if (rows[0]) {
      assertSame(rows[0], run);
      isLoaded = rows[0].loaded;
      return;
    }
    await assertEmpty(client);
    await client.query('insert into bootstrap_run (id, place, version, mode, since) values (1, $1, $2, $3, $4)', [
      place,
      version,
      mode,
      since,
    ]);
    for (const table of settledTables) await client.query(`delete from ${table}`);
    const ledgerTables = [...transferTables.values()].filter(({ isLedger }) => isLedger);
    await postponeKeys(
      client,
      ledgerTables.map(({ name }) => name),
    );
  });
  return { isLoaded };
}

/** What a start, or a server, writes before the first block; an export may have it too. */
const settledTables = [
  'mirrored_network',
  'mirror_extent',
  'import_revision',
  'contract_match_task',
  'contract_match_count',
];

type StoredRun = { mode: string; since: string | null; version: string | null; loaded: boolean };

function assertSame(stored: StoredRun, { mode, since, version }: BegunRun): void {
  if (stored.mode === mode && stored.version === version && stored.since === (since?.toString() ?? null)) return;
  const was = `--${stored.mode} of an export of version ${stored.version ?? 'unknown'}`;
  throw new Error(
    `This database was begun with ${was}, and can only be continued with the same. Name that, or an empty database with --data-dir or DATABASE_URL.`,
  );
}

async function assertEmpty(client: pg.Client): Promise<void> {
  const filled: string[] = [];
  for (const table of transferTables.keys()) {
    if (settledTables.includes(table)) continue;
    const { rows } = await client.query<{ filled: boolean }>(
      `select exists (select from ${quoteName(table)}) as filled`,
    );
    if (rows[0]!.filled) filled.push(table);
  }
  if (filled.length === 0) return;
  throw new Error(
    `The database holds rows already (${filled.slice(0, 5).join(', ')}${filled.length > 5 ? ' …' : ''}). An export is loaded into an empty database: name one with --data-dir or DATABASE_URL.`,
  );
}

/** Names of the files that are loaded. */
export async function selectLoadedFiles(client: pg.Client): Promise<Set<string>> {
  const { rows } = await client.query<{ name: string }>('select name from bootstrap_file');
  return new Set(rows.map(({ name }) => name));
}

export type BootstrapCheck = {
  name: string;
  /** null = it cannot be checked. */
  holds: boolean | null;
  /** What was expected, and found. */
  sentence: string;
};

/** Ends the run; `checks` replace those of an earlier end. */
export async function endBootstrapRun(
  client: pg.Client,
  { checks, accepted }: { checks: readonly BootstrapCheck[]; accepted: boolean },
): Promise<void> {
  await inTransaction(client, async () => {
    await client.query('delete from bootstrap_check');
    for (const { name, holds, sentence } of checks) {
      await client.query('insert into bootstrap_check (name, holds, sentence) values ($1, $2, $3)', [
        name,
        holds,
        sentence,
      ]);
    }
    await client.query('update bootstrap_run set loaded_at = coalesce(loaded_at, now()), accepted = accepted or $1', [
      accepted,
    ]);
  });
}

/** Of a run that has ended: the rows may have changed since. Resolves with its checks. */
export async function acceptBootstrapRun(client: pg.Client, accepted: boolean): Promise<BootstrapCheck[]> {
  if (accepted) await client.query('update bootstrap_run set accepted = true');
  const { rows } = await client.query<BootstrapCheck>(
    'select name, holds, sentence from bootstrap_check order by checked_at, name',
  );
  return rows;
}
