// Queries over a database that lacks some tables or columns: a statement that names such a table gets a common table
// expression of that name in front, with no rows, or with the missing columns added. PostgreSQL resolves it into the
// statement, so indexes are used as ever and nothing is made in the database.

import { quoteName } from '../schema/sql-names.ts';
import type { Database } from '../wire/database.ts';
import { type DescribedColumn, describedColumns, type SchemaGap } from './schema-gaps.ts';

export function fillSchemaGaps(db: Database, gaps: readonly SchemaGap[]): Database {
  if (gaps.length === 0) return db;
  const byTable = new Map<string, string[] | null>();
  for (const { tables, column } of gaps) {
    for (const table of tables) byTable.set(table, column === null ? null : [...(byTable.get(table) ?? []), column]);
  }
  const fillers = [...byTable].map(([table, columns]) => ({
    mention: new RegExp(`\\b(from|join) ${table}\\b`),
    expression: columns === null ? withoutRows(table) : withColumns(table, columns),
  }));
  const complete = (text: string): string => {
    const needed = fillers.filter(({ mention }) => mention.test(text)).map(({ expression }) => expression);
    return needed.length > 0 ? prepend(needed.join(', '), text) : text;
  };
  const fillIn = (stored: Database): Database => ({
    ...stored,
    query: (named) => stored.query({ ...named, complete }),
    lacks: (table, column) => byTable.get(table)?.includes(column) === true,
    snapshot: (work) => stored.snapshot((own) => work(fillIn(own))),
  });
  return fillIn(db);
}

function withoutRows(table: string): string {
  const columns = describedColumns(table).map((column) => toSql(column, 'null'));
  return `${quoteName(table)} as not materialized (select ${columns.join(', ')} where false)`;
}

/** Within its own expression the name still stands for the table. */
function withColumns(table: string, missing: readonly string[]): string {
  const columns = describedColumns(table).filter(({ name }) => missing.includes(name));
  const added = columns.map((column) => toSql(column, column.default));
  return `${quoteName(table)} as not materialized (select stored.*, ${added.join(', ')} from ${quoteName(table)} stored)`;
}

function toSql({ name, type }: DescribedColumn, value: string): string {
  return `${value}::${type} as ${quoteName(name)}`;
}

function prepend(expressions: string, text: string): string {
  const begun = /^\s*with\s+/i.exec(text);
  return begun ? `with ${expressions}, ${text.slice(begun[0].length)}` : `with ${expressions} ${text}`;
}
