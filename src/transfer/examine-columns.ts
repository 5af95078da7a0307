// Before the first row: whether the columns of each table fit. One file of a table is looked at, its first bytes only.
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { FilePlace } from '../../packages/sources/places/file-place.ts';
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
      const header = await readHeader(place, file, signal);
      if (header) found.push({ table: file.table, ...matchColumns(file.described, header) });
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

/** null = the file is damaged; it is named when it is loaded. Throws StreamSourceError if the place fails. */
async function readHeader(place: FilePlace, { path }: ChosenFile, signal?: AbortSignal): Promise<string[] | null> {
  const source = Readable.from(place.read(path!, { signal }));
  const gunzip = createGunzip();
  let failure: Error | null = null;
  source.on('error', (error) => {
    failure = error;
    gunzip.destroy(error);
  });
  source.pipe(gunzip);
  try {
    return (await splitHeader(gunzip)).columns;
  } catch {
    if (failure) throw failure;
    return null;
  } finally {
    gunzip.on('error', () => {});
    source.destroy();
    gunzip.destroy();
  }
}
