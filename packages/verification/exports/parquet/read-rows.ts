// The wanted rows of a table, over all its files. The column that decides is read first, the others only of row groups
// that have a wanted row. A file that cannot be read, or a row with other types, is reported; the rest goes on.
import { relative } from 'node:path';
import type { ParquetReader } from './create-parquet-reader.ts';
import type { ColumnReader } from './read-value.ts';
import type { OpenedFile } from './thread-messages.ts';

export type RowQuery<Row> = {
  reader: ParquetReader;
  folder: string;
  table: string;
  files: readonly string[];
  /** Readers of the columns that are needed, by name. */
  columns: { [Name in keyof Row]: ColumnReader<Row[Name]> };
  /** The column that decides, and whether a row with this value is wanted. */
  key: keyof Row & string;
  isWanted: (value: Row[keyof Row & string]) => boolean;
  signal: AbortSignal;
  onProblem: (sentence: string) => void;
  onStep: (step: string) => void;
};

export async function* readRows<Row extends object>(query: RowQuery<Row>): AsyncGenerator<Row> {
  const { reader, folder, table, files, signal, onProblem, onStep } = query;
  for (const [index, path] of files.entries()) {
    signal.throwIfAborted();
    onStep(`reading ${table}, file ${index + 1} of ${files.length}`);
    const place = relative(folder, path);
    let file: OpenedFile | null = null;
    try {
      file = await reader.open(path);
      assertColumns(file, query);
      for (let group = 0; group < file.groups.length; group++) {
        signal.throwIfAborted();
        yield* readGroup(query, place, file, group);
      }
      await reader.closeFile();
    } catch (error) {
      signal.throwIfAborted();
      onProblem(`${place} cannot be read${file === null ? '' : ' to its end'}: ${(error as Error).message}.`);
    }
  }
}

function assertColumns<Row>({ columns }: OpenedFile, query: RowQuery<Row>): void {
  for (const [name, reader] of Object.entries(query.columns) as [string, ColumnReader<unknown>][]) {
    const type = columns.get(name);
    if (type === undefined && reader.isOptional) continue;
    if (type === undefined) throw new Error(`it has no column ${name}`);
    if (!reader.types.includes(type)) {
      throw new Error(`its column ${name} is of type ${type}, not ${reader.types.join(' or ')}`);
    }
  }
}

async function* readGroup<Row extends object>(
  query: RowQuery<Row>,
  place: string,
  file: OpenedFile,
  index: number,
): AsyncGenerator<Row> {
  const { reader, key, isWanted, onProblem } = query;
  const group = file.groups[index]!;
  const report = (row: number, { message }: Error): void =>
    onProblem(`${place}, row ${group.firstRow + row}: ${message}.`);
  const keyReader = query.columns[key];
  const keys = await reader.read(index, key, null);
  const wanted: number[] = [];
  for (let row = 0; row < group.rows; row++) {
    const value = tryReading(() => keyReader.read(keys[row], key));
    if (value instanceof Error) report(row, value);
    else if (isWanted(value.value)) wanted.push(row);
  }
  if (wanted.length === 0) return;
  const names = Object.keys(query.columns) as (keyof Row & string)[];
  const values: Record<string, ArrayLike<unknown>> = {};
  for (const name of names) {
    const isThere = group.columns.includes(name) || query.columns[name].isOptional !== true;
    values[name] = isThere ? await reader.read(index, name, wanted) : [];
  }
  for (const [position, row] of wanted.entries()) {
    const read = tryReading(
      () =>
        Object.fromEntries(names.map((name) => [name, query.columns[name].read(values[name]![position], name)])) as Row,
    );
    if (read instanceof Error) report(row, read);
    else yield read.value;
  }
}

function tryReading<T>(read: () => T): { value: T } | Error {
  try {
    return { value: read() };
  } catch (error) {
    return error as Error;
  }
}
