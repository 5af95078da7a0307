// Queries over a database that lacks some tables or columns: a statement that names such a table gets a common table
// expression of that name in front, with no rows, or with the missing columns added. PostgreSQL resolves it into the
// statement, so indexes are used as ever and nothing is made in the database.
import { LRUCache } from 'lru-cache';
import type { Database } from '../wire/database.ts';
import { type DescribedColumn, describedColumns, type SchemaGap } from './schema-gaps.ts';
import { quoteName } from './sql-names.ts';

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
  // A query's text is made anew for each request; clients choose how many different texts there are.
  const filled = new LRUCache<string, string>({ max: maxTexts });

  const fillIn = (stored: Database): Database => ({
    ...stored,
    query(named) {
      const { text } = named;
      let full = filled.get(text);
      if (full === undefined) {
        const needed = fillers.filter(({ mention }) => mention.test(text)).map(({ expression }) => expression);
        full = needed.length > 0 ? prepend(needed.join(', '), text) : text;
        filled.set(text, full);
      }
      return stored.query({ ...named, text: full });
    },
    snapshot: (work) => stored.snapshot((own) => work(fillIn(own))),
  });
  return fillIn(db);
}

const maxTexts = 1000;

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
