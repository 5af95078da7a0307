// A test database with the writer of blocks, and a reader of its rows.

import { type Database, openDatabase } from '../../postgres/wire/database.ts';
import { type BlockWriter, createBlockWriter } from '../../store/write/block-writer.ts';
import { createScratchDatabase } from '../postgres/scratch-database.ts';

export type OpenedWriter = { connectionString: string; db: Database; writer: BlockWriter; close(): Promise<void> };

export async function openWriter(): Promise<OpenedWriter> {
  const { connectionString, close } = await createScratchDatabase();
  const writer = await createBlockWriter({ connectionString });
  const db = openDatabase({ connectionString });
  return {
    connectionString,
    db,
    writer,
    async close() {
      await writer.close();
      await db.close();
      await close();
    },
  };
}
