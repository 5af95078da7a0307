// A mirror of a folder with stream files, asked without a port.
import { pino } from 'pino';
import { type ImportStreamOptions, importStream } from '../../../src/importer/import-stream.ts';
import { readSourceAgain } from '../../../src/runtime/serve/read-source-again.ts';
import type { Settings } from '../../../src/runtime/settings/load-settings.ts';
import { type Database, openDatabase } from '../../postgres/wire/database.ts';
import { createFolderSource } from '../../sources/folder-source.ts';
import { createBlockWriter } from '../../store/write/block-writer.ts';
import { openServer } from '../http/open-server.ts';
import { createScratchDatabase } from '../postgres/scratch-database.ts';

export type OpenMirror = {
  db: Database;
  app: ReturnType<typeof openServer>;
  /** @param path below `/api/v1/` */
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
  const settings = { get: () => 1, find: () => undefined } as unknown as Settings;
  const readAgain = withSource ? readSourceAgain(path, settings, pino({ level: 'silent' })) : null;
  const app = openServer(db, 'spec', { readAgain });
  return {
    db,
    app,
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
