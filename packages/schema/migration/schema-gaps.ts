// A database that this program does not own, a Hiero mirror node's: every table and column that queries need must exist
// and be readable. What answers can do without is a gap. Only reads, and makes nothing in the database: SELECT is
// enough.

import { withClient } from '../../postgres/wire/connect-client.ts';
import type { Database } from '../../postgres/wire/database.ts';
import { quoteName } from '../sql-names.ts';
import type { AnswersUse, DescribedColumn, Table } from '../table.ts';
import { allTables, describedTable, tables } from '../tables.ts';

export type SchemaGap = {
  tables: readonly string[];
  /** Column of all these tables that is missing; null = the tables are missing. */
  column: string | null;
  /** The effect on answers, a sentence for the operator; null = none. */
  sentence: string | null;
};

/** What answers about the ledger are read from. */
export const answerTables: ReadonlyMap<string, AnswersUse> = new Map(
  Object.entries(tables)
    .flatMap(([name, { answers, historyAnswers = 'none' }]: [string, Table]) => [
      [name, answers] as const,
      [`${name}_history`, historyAnswers] as const,
    ])
    .filter(([, use]) => use !== 'none')
    .sort(([one], [other]) => (one < other ? -1 : 1)),
);

/** Tables that share one sentence. */
const tablesTogether = Map.groupBy(
  Object.keys(allTables).filter((name) => typeof usesTogether(name) === 'string'),
  (name) => usesTogether(name)!,
);

function usesTogether(name: string): string | undefined {
  const { answers } = allTables[name]!;
  return typeof answers === 'object' && 'together' in answers ? answers.together : undefined;
}

/** Throws an Error that names what is missing and says what to do. */
export async function findSchemaGaps(connectionString: string): Promise<SchemaGap[]> {
  const found = await lookAt(connectionString);
  const problems: string[] = [];
  const gaps: SchemaGap[] = [];
  for (const [table, use] of answerTables) {
    const stored = found.get(table);
    if (!stored?.isReadable) {
      const state = stored ? 'cannot be read: grant select on it to the user of DATABASE_URL' : 'is missing';
      if (typeof use === 'object' && 'without' in use) {
        // Only this program's databases can have it.
        const isOwn = (describedTable(table) as Partial<Table>).own === true;
        gaps.push({
          tables: [table],
          column: null,
          sentence: isOwn ? null : `Table ${table} ${state}; ${use.without}.`,
        });
      } else problems.push(`table ${table} ${state}`);
      continue;
    }
    for (const [column, { required, own, default: value }] of columnsOf(table)) {
      if (stored.columns.has(column)) continue;
      if (required && value === undefined) problems.push(`column ${table}.${column} is missing`);
      else {
        const sentence = `Column ${table}.${column} is missing; it is taken to be ${value ?? 'null'} in every row.`;
        gaps.push({ tables: [table], column, sentence: own ? null : sentence });
      }
    }
  }
  if (problems.length > 0) {
    throw new Error(
      `The database cannot be answered from: ${problems.join(', ')}. Expected the tables of a Hiero mirror node in the ` +
        'search path of the user of DATABASE_URL; without --read-only an empty database gets them.',
    );
  }
  for (const [sentence, names] of tablesTogether) {
    const missing = names.filter((table) => !found.get(table)?.isReadable);
    if (missing.length > 0) gaps.push({ tables: missing, column: null, sentence });
  }
  return gaps;
}

/**
 * The database as if it had no gaps: a reading statement becomes the sub-query of one with a common table expression
 * for each incomplete table, without rows or with the missing columns added. PostgreSQL resolves it, so indexes are
 * used, and drops those that the statement does not name.
 */
export function fillSchemaGaps(db: Database, gaps: readonly SchemaGap[]): Database {
  if (gaps.length === 0) return db;
  const byTable = new Map<string, string[] | null>();
  for (const { tables, column } of gaps) {
    for (const table of tables) byTable.set(table, column === null ? null : [...(byTable.get(table) ?? []), column]);
  }
  const fillers = [...byTable].map(([table, columns]) => (columns ? withColumns(table, columns) : withoutRows(table)));
  const complete = (text: string): string => `with ${fillers.join(', ')}\nselect * from (${text}) filled`;
  const fillIn = (stored: Database): Database => ({
    ...stored,
    query: (named) => stored.query(named.reads ? { ...named, complete } : named),
    lacks(table, column) {
      const missing = byTable.get(table);
      return missing === null || missing?.includes(column) === true;
    },
    snapshot: (work) => stored.snapshot((own) => work(fillIn(own))),
  });
  return fillIn(db);
}

function withoutRows(table: string): string {
  const columns = columnsOf(table).map(([name, { type }]) => `null::${type} as ${quoteName(name)}`);
  return `${quoteName(table)} as not materialized (select ${columns.join(', ')} where false)`;
}

/** Within its own expression the name still refers to the table. */
function withColumns(table: string, missing: readonly string[]): string {
  const added = columnsOf(table)
    .filter(([name]) => missing.includes(name))
    .map(([name, { type, default: value = 'null' }]) => `${value}::${type} as ${quoteName(name)}`);
  return `${quoteName(table)} as not materialized (select stored.*, ${added.join(', ')} from ${quoteName(table)} stored)`;
}

function columnsOf(table: string): [string, DescribedColumn & { own?: boolean }][] {
  return Object.entries(describedTable(table)!.columns);
}

type StoredTable = { isReadable: boolean; columns: Set<string> };

async function lookAt(connectionString: string): Promise<Map<string, StoredTable>> {
  return withClient(connectionString, 'reader', async (client) => {
    const names = [...answerTables.keys(), ...[...tablesTogether.values()].flat()];
    const { rows } = await client.query<{ name: string; readable: boolean; columns: string[] }>(
      `select name, has_table_privilege(to_regclass(name), 'select') as readable, array(
         select attname::text from pg_attribute where attrelid = to_regclass(name) and attnum > 0 and not attisdropped
       ) as columns
       from unnest($1::text[]) name where to_regclass(name) is not null`,
      [names],
    );
    return new Map(rows.map((row) => [row.name, { isReadable: row.readable, columns: new Set(row.columns) }]));
  });
}
