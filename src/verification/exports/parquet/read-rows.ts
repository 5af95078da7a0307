// The wanted rows of a table, over all its files. The column that decides is read first, the others only of row groups that
// have a wanted row. A file that cannot be read, or a row with other types, is reported; the rest goes on.
import { relative } from 'node:path';
import { openParquetFile, type ParquetFile, type RowGroup } from './open-parquet-file.ts';
import type { ColumnReader } from './read-value.ts';

export type RowQuery<Row> = {
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
  const { folder, table, files, signal, onProblem, onStep } = query;
  for (const [index, path] of files.entries()) {
    signal.throwIfAborted();
    onStep(`reading ${table}, file ${index + 1} of ${files.length}`);
    const place = relative(folder, path);
    let file: ParquetFile | null = null;
    try {
      file = await openParquetFile(path);
      assertColumns(file, query);
      for (const group of file.rowGroups) {
        signal.throwIfAborted();
        yield* readGroup(query, place, group);
      }
    } catch (error) {
      signal.throwIfAborted();
      onProblem(`${place} cannot be read${file === null ? '' : ' to its end'}: ${(error as Error).message}.`);
    } finally {
      await file?.close();
    }
  }
}

function assertColumns<Row>({ columns }: ParquetFile, query: RowQuery<Row>): void {
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
  group: RowGroup,
): AsyncGenerator<Row> {
  const { key, isWanted, onProblem } = query;
  const keyReader = query.columns[key];
  const keys = await group.read(key);
  const wanted: number[] = [];
  for (let i = 0; i < group.rows; i++) {
    const value = tryReading(() => keyReader.read(keys[i], key));
    if (value instanceof Error) onProblem(`${place}, row ${group.firstRow + i}: ${value.message}.`);
    else if (isWanted(value.value)) wanted.push(i);
  }
  if (wanted.length === 0) return;
  const values: Record<string, ArrayLike<unknown>> = { [key]: keys };
  const names = Object.keys(query.columns) as (keyof Row & string)[];
  for (const name of names) {
    if (name !== key) values[name] = await readColumn(group, name, query.columns[name]);
  }
  for (const i of wanted) {
    const row = tryReading(
      () => Object.fromEntries(names.map((name) => [name, query.columns[name].read(values[name]![i], name)])) as Row,
    );
    if (row instanceof Error) onProblem(`${place}, row ${group.firstRow + i}: ${row.message}.`);
    else yield row.value;
  }
}

async function readColumn(
  group: RowGroup,
  name: string,
  { isOptional }: ColumnReader<unknown>,
): Promise<ArrayLike<unknown>> {
  if (isOptional && !group.has(name)) return [];
  return group.read(name);
}

function tryReading<T>(read: () => T): { value: T } | Error {
  try {
    return { value: read() };
  } catch (error) {
    return error as Error;
  }
}
