// Rows of other tables as one column of a row, so that a statement answers all of it from one snapshot, planned and
// sent once: two small statements take PostgreSQL and this process half as much again as one that has both.

import { toCamelCase } from '../../kit/camel-case.ts';
import { binaryReader } from '../../postgres/wire/column-readers.ts';
import { compileRowReader, type RowReader, recordForm } from '../../postgres/wire/compile-row-reader.ts';
import { quoteName } from '../../schema/sql-names.ts';
import { expression, type Selection } from './statement/columns.ts';

/** `from`: everything after the select list. `read` gives the rows in the order in which PostgreSQL found them. */
export function nestedRows<const Member extends string, Row>(member: Member, rows: Selection<Row>, from: string) {
  // A record says the domain of a column where another mirror node's database has one.
  const values = rows.members.map((name, place) => `n.${quoteName(name)}::${rows.types[place]}`).join(', ');
  let reader: RowReader | null = null;
  return {
    select: expression(
      member,
      'bytea[]',
      `array(select record_send(row(${values})) from (select ${rows.sql} ${from}) n)`,
    ),
    read: (stored: readonly Buffer[]): Row[] =>
      stored.map((record) => {
        const view = new DataView(record.buffer, record.byteOffset, record.length);
        reader ??= compileRowReader(toColumns(view, rows.members), recordForm);
        return reader(record, view, 0) as Row;
      }),
  };
}

/** A record names the type of each value, the same in all of them. */
function toColumns(view: DataView, members: readonly string[]) {
  let position = recordForm.head;
  return members.map((member) => {
    const [type, length] = [view.getUint32(position), view.getInt32(position + 4)];
    position += recordForm.beforeEach + 4 + Math.max(0, length);
    const read = binaryReader(type);
    if (!read) throw new Error(`${member} in nested rows has type ${type}, which cannot be read in binary`);
    return { name: toCamelCase(member), read };
  });
}
