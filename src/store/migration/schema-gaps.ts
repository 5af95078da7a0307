// Looks at a database that this program does not own, a Hiero mirror node's, before it is answered from: every table and
// column that queries need must be there and be readable. What answers can do without is a gap, which `fillSchemaGaps`
// fills. Only looks; needs no right but SELECT.

import type { AnswersUse, Table } from '../schema/table.ts';
import { tables } from '../schema/tables.ts';
import { verificationTableNames, verificationTableStatements } from '../schema/verification-tables.ts';
import { connectClient } from '../wire/connect-client.ts';

export type SchemaGap = {
  tables: readonly string[];
  /** Column of all these tables that is missing; null = the tables are. */
  column: string | null;
  /** What that means for answers, a sentence for the operator; null = nothing. */
  sentence: string | null;
};

/** What answers are read from, as the descriptions of the tables say. */
export const answerTables: ReadonlyMap<string, AnswersUse> = new Map(
  Object.entries(tables)
    .flatMap(([name, { answers, historyAnswers }]: [string, Table]) => [
      [name, answers] as const,
      [`${name}_history`, historyAnswers] as const,
    ])
    .flatMap(([name, use]) => (use ? [[name, use] as const] : []))
    .sort(([one], [other]) => (one < other ? -1 : 1)),
);

/** Throws an Error that names what is missing and says what to do. */
export async function findSchemaGaps(connectionString: string): Promise<SchemaGap[]> {
  const found = await lookAt(connectionString);
  const problems: string[] = [];
  const gaps: SchemaGap[] = [];
  for (const [table, use] of answerTables) {
    const stored = found.get(table);
    if (!stored?.isReadable) {
      const state = stored ? 'cannot be read: grant select on it to the user of DATABASE_URL' : 'is missing';
      if (use === 'needed') problems.push(`table ${table} ${state}`);
      else gaps.push({ tables: [table], column: null, sentence: `Table ${table} ${state}; ${use.without}.` });
      continue;
    }
    const { columns } = describedTable(table);
    const missing = Object.keys(columns).filter((column) => !stored.columns.has(column));
    const needed = missing.filter((column) => columns[column]!.required && columns[column]!.default === undefined);
    problems.push(...needed.map((column) => `column ${table}.${column} is missing`));
    const rest = missing.filter((column) => !needed.includes(column));
    for (const column of rest) {
      const { own, default: value = 'null' } = columns[column]!;
      const sentence = own ? null : `Column ${table}.${column} is missing; it is taken to be ${value} in every row.`;
      gaps.push({ tables: [table], column, sentence });
    }
  }
  if (problems.length > 0) {
    throw new Error(
      `The database cannot be answered from: ${problems.join(', ')}. Expected the tables of a Hiero mirror node in the ` +
        'search path of the user of DATABASE_URL; without --read-only an empty database gets them.',
    );
  }
  const own = verificationTableNames.filter((table) => !found.get(table)?.isReadable);
  if (own.length > 0) {
    const sentence = 'Tables of contract checks are missing; contracts can be checked, but no result is kept.';
    gaps.push({ tables: own, column: null, sentence });
  }
  return gaps;
}

function describedTable(name: string): Table {
  const table = (tables as Readonly<Record<string, Table>>)[name.replace(/_history$/, '')];
  if (!table) throw new Error(`No table ${name} is described`);
  return table;
}

export type DescribedColumn = { name: string; type: string; default: string };

/** Columns of a table, of the history of one, or of one that contract checks are kept in. */
export function describedColumns(table: string): DescribedColumn[] {
  const statement = verificationTableStatements.find((text) => text.startsWith(`create table ${table} (`));
  if (statement) {
    const lines = statement.matchAll(/^ {2}(\w+) (bigint|bytea|int|json|text|timestamptz|uuid)\b/gm);
    return [...lines].map(([, name, type]) => ({ name: name!, type: type!, default: 'null' }));
  }
  return Object.entries(describedTable(table).columns).map(([name, column]) => ({
    name,
    type: column.type,
    default: column.default ?? 'null',
  }));
}

type StoredTable = { isReadable: boolean; columns: Set<string> };

async function lookAt(connectionString: string): Promise<Map<string, StoredTable>> {
  const client = await connectClient(connectionString, 'reader');
  try {
    const names = [...answerTables.keys(), ...verificationTableNames];
    const { rows } = await client.query<{ name: string; readable: boolean; columns: string[] }>(
      `select name, has_table_privilege(to_regclass(name), 'select') as readable, array(
         select attname::text from pg_attribute where attrelid = to_regclass(name) and attnum > 0 and not attisdropped
       ) as columns
       from unnest($1::text[]) name where to_regclass(name) is not null`,
      [names],
    );
    return new Map(rows.map((row) => [row.name, { isReadable: row.readable, columns: new Set(row.columns) }]));
  } finally {
    await client.end();
  }
}
