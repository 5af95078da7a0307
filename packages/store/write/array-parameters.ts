// Rows as array parameters, one array a column, in PostgreSQL's binary format: a statement unnests them into rows. For
// the few to a few thousand rows that a block changes this is cheaper than temporary tables.
import { type ColumnType, enumTypes, type Table } from '../../schema/table.ts';
import { createBinaryOutput, type ValueWriter, valueWriters, writeArray } from './binary-output.ts';

type AnyRow = Readonly<Record<string, unknown>>;

/** Binary arrays of the columns, in the given order; `pg` sends a Buffer as a binary parameter. */
export function encodeArrays(table: Table, columns: readonly string[], rows: readonly AnyRow[]): Buffer[] {
  return columns.map((column) => {
    const { elementOid, write } = arrayType(table.columns[column]!.type);
    const values = rows.map((row) => row[column]);
    const out = createBinaryOutput(64 + rows.length * 16);
    try {
      writeArray(out, values, elementOid, write);
    } catch (error) {
      throw new Error(`Column ${column} cannot be stored: ${(error as Error).message}`, { cause: error });
    }
    // Without the array's own length: the parameter carries it.
    return out.bytes.subarray(4, out.position);
  });
}

export type ArrayType = {
  /** SQL name of the array type. */
  name: string;
  elementOid: number;
  write: ValueWriter;
  /** Elements are sent as text and cast: enum types have other OIDs in every database, arrays cannot nest. */
  cast?: boolean;
};

export function arrayType(type: ColumnType): ArrayType {
  const known = arrayTypes[type] ?? (type in enumTypes ? enumArray : undefined);
  if (!known) throw new Error(`Columns of type ${type} cannot be merged yet, only inserted`);
  return known;
}

const asText = (format: (value: unknown) => string): ArrayType => ({
  name: 'text[]',
  elementOid: 25,
  write: (out, value) => valueWriters.text(out, format(value)),
  cast: true,
});

const enumArray = asText((value) => value as string);

const arrayTypes: Partial<Record<ColumnType, ArrayType>> = {
  int8: { name: 'int8[]', elementOid: 20, write: valueWriters.int8 },
  int4: { name: 'int4[]', elementOid: 23, write: valueWriters.int4 },
  int2: { name: 'int2[]', elementOid: 21, write: valueWriters.int2 },
  bool: { name: 'bool[]', elementOid: 16, write: valueWriters.bool },
  bytea: { name: 'bytea[]', elementOid: 17, write: valueWriters.bytea },
  text: { name: 'text[]', elementOid: 25, write: valueWriters.text },
  jsonb: { name: 'jsonb[]', elementOid: 3802, write: valueWriters.jsonb },
  int8range: { name: 'int8range[]', elementOid: 3926, write: valueWriters.int8range },
  'int8[]': asText((value) => `{${(value as bigint[]).join(',')}}`),
  'int4[]': asText((value) => `{${(value as number[]).join(',')}}`),
  'int2[]': asText((value) => `{${(value as number[]).join(',')}}`),
};
