// Compiles the function that reads the rows of one statement: every row is created with the same shape, and each column
// has its own call of its reader. A loop over the columns takes twice as long (measured, 36 columns).
import type { ColumnReader } from './column-readers.ts';

export type Column = { name: string; read: ColumnReader };

/** Reads one DataRow; `start` is where its count of values begins, `view` is over the same bytes. */
export type RowReader = (bytes: Buffer, view: DataView, start: number) => Record<string, unknown>;

/** Bytes before the first value, and before the length of each. */
type RowForm = { head: number; beforeEach: number };

/** Begins with a count of 2 bytes. */
const dataRow: RowForm = { head: 2, beforeEach: 0 };
/** How PostgreSQL writes a record: a count of 4 bytes, and each value with its type. */
export const recordForm: RowForm = { head: 4, beforeEach: 4 };

/** Of two columns with the same name the last one counts. */
export function compileRowReader(columns: readonly Column[], { head, beforeEach } = dataRow): RowReader {
  const readers = columns.map((_, index) => `read${index}`);
  const readValues = readers.map(
    (reader, index) => `
    length = view.getInt32(position + ${beforeEach});
    position += ${beforeEach + 4};
    let value${index} = null;
    if (length >= 0) {
      value${index} = ${reader}(bytes, view, position, length);
      position += length;
    }`,
  );
  const lastOf = new Map(columns.map(({ name }, index) => [name, index]));
  const members = [...lastOf].map(([name, index]) => `${JSON.stringify(name)}: value${index}`);
  const text = `
  const [${readers.join(', ')}] = readers;
  return (bytes, view, start) => {
    let position = start + ${head};
    let length = 0;${readValues.join('')}
    return { ${members.join(', ')} };
  };`;
  return new Function('readers', text)(columns.map(({ read }) => read)) as RowReader;
}
