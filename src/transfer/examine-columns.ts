// Before the first row: whether the columns of each table fit. One file of a table is looked at, its first bytes only.
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { FilePlace } from '../source/places/file-place.ts';
import type { ChosenFile } from './choose-files.ts';
import { type MatchedColumns, matchColumns } from './match-columns.ts';
import { splitHeader } from './split-header.ts';
import { TransferError } from './transfer-error.ts';

export type TableColumns = MatchedColumns & { table: string };

const tablesAtOnce = 8;

/** Throws TransferError if a table cannot be filled. */
export async function examineColumns(
  place: FilePlace,
  files: readonly ChosenFile[],
  signal?: AbortSignal,
): Promise<TableColumns[]> {
  const newest = new Map<string, ChosenFile>();
  for (const file of files) {
    const known = newest.get(file.table);
    if (file.path !== null && (!known || (file.month ?? '') > (known.month ?? ''))) newest.set(file.table, file);
  }
  const waiting = [...newest.values()];
  const found: TableColumns[] = [];
  const work = async (): Promise<void> => {
    for (let file = waiting.shift(); file; file = waiting.shift()) {
      signal?.throwIfAborted();
      found.push({ table: file.table, ...matchColumns(file.described, await readHeader(place, file, signal)) });
    }
  };
  await Promise.all(Array.from({ length: tablesAtOnce }, work));
  const lacking = found.filter((one) => one.lacking.length > 0);
  if (lacking.length === 0) return found.sort((one, other) => (one.table < other.table ? -1 : 1));
  const named = lacking.map(({ table, lacking: columns }) => `${table}: ${columns.join(', ')}`).join('; ');
  throw new TransferError(
    `The export lacks columns that have no default (${named}). It is of another version of the schema than this program supports; nothing was loaded.`,
  );
}

async function readHeader(place: FilePlace, { path, name }: ChosenFile, signal?: AbortSignal): Promise<string[]> {
  const source = Readable.from(place.read(path!, { signal }));
  const gunzip = createGunzip();
  source.on('error', (error) => gunzip.destroy(error));
  source.pipe(gunzip);
  try {
    return (await splitHeader(gunzip)).columns;
  } catch (error) {
    throw new TransferError(`${name} cannot be read: ${(error as Error).message}`, { cause: error });
  } finally {
    gunzip.on('error', () => {});
    source.destroy();
    gunzip.destroy();
  }
}
