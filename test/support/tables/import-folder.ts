// Imports from a folder: the reference for every other way to the same tables.

import { type Database, openDatabase } from '../../../packages/postgres/wire/database.ts';
import { createFolderSource } from '../../../packages/sources/folder-source.ts';
import { createBlockWriter } from '../../../packages/store/write/block-writer.ts';
import { type ImportStreamOptions, importStream } from '../../../src/importer/import-stream.ts';
import type { TablesDump } from './dump-tables.ts';

export async function importFolder(
  path: string,
  addressBook: Buffer,
  connectionString: string,
  options: Pick<ImportStreamOptions, 'keepsFiles'> = {},
): Promise<void> {
  const db = openDatabase({ connectionString });
  const writer = await createBlockWriter({ connectionString });
  try {
    await importStream({ source: createFolderSource({ path }), db, writer, addressBook, live: false, ...options });
  } finally {
    await writer.close();
    await db.close();
  }
}

export async function countBlocks(db: Database): Promise<number> {
  const [row] = await db.query<{ count: number }>({
    name: 'test-count-blocks',
    text: 'select count(*)::int4 as count from record_file',
  });
  return row!.count;
}

/** Names of the tables that differ. */
export function compareTables(expected: TablesDump, actual: TablesDump): string[] {
  return Object.keys({ ...expected, ...actual }).filter(
    (table) => expected[table]?.join('\n') !== actual[table]?.join('\n'),
  );
}
