// A mirror of a folder with stream files, asked without a port.
import { openServer } from '../../packages/test-support/http/open-server.ts';
import { createScratchDatabase } from '../../packages/test-support/postgres/scratch-database.ts';
import { type ImportStreamOptions, importStream } from '../../src/importer/import-stream.ts';
import { createFolderSource } from '../../src/source/folder-source.ts';
import { createReadAgain } from '../../src/source/read-again.ts';
import { type Database, openDatabase } from '../../src/store/wire/database.ts';
import { createBlockWriter } from '../../src/store/write/block-writer.ts';

export type OpenMirror = {
  db: Database;
  ask(path: string): Promise<{ status: number; body: unknown }>;
  close(): Promise<void>;
};

/** `withSource`: the files can be read again. */
export async function openMirror(
  path: string,
  { withSource = true, ...options }: Partial<ImportStreamOptions> & { withSource?: boolean } = {},
): Promise<OpenMirror> {
  const scratch = await createScratchDatabase();
  const db = openDatabase(scratch);
  const writer = await createBlockWriter(scratch);
  await importStream({ source: createFolderSource({ path }), db, writer, addressBook: null, live: false, ...options });
  await writer.close();
  const read = createReadAgain(createFolderSource({ path }));
  const { signal } = new AbortController();
  const app = openServer(db, 'spec', { readAgain: withSource ? (unit) => read(unit, signal) : null });
  return {
    db,
    async ask(of) {
      const { statusCode, body } = await app.inject(`/api/v1/${of}`);
      return { status: statusCode, body: JSON.parse(body) };
    },
    async close() {
      await app.close();
      await db.close();
      await scratch.close();
    },
  };
}
