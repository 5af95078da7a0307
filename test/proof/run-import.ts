// Imports a folder of signed blocks into a test's database, with a check of proofs that the test may keep.

import type { Database } from '../../packages/postgres/wire/database.ts';
import { createFolderSource } from '../../packages/sources/folder-source.ts';
import { createBlockWriter } from '../../packages/store/write/block-writer.ts';
import type { ScratchDatabase } from '../../packages/test-support/postgres/scratch-database.ts';
import { type ImportStreamOptions, importStream } from '../../src/importer/import-stream.ts';
import type { ProofChecker } from '../../src/importer/proving/check-proofs.ts';

type ImportedFolder = {
  folder: string;
  database: Pick<ScratchDatabase, 'connectionString'>;
  db: Database;
  proofs: ProofChecker;
};

export async function runImport(
  { folder, database, db, proofs }: ImportedFolder,
  options: Partial<ImportStreamOptions> = {},
) {
  const writer = await createBlockWriter({ connectionString: database.connectionString });
  try {
    const source = createFolderSource({ path: folder, pollMs: 20, missingTimeoutMs: 300 });
    const { coverage, ...others } = options;
    const covering = { checker: proofs, ...coverage };
    return await importStream({ source, db, writer, addressBook: null, live: false, coverage: covering, ...others });
  } finally {
    await writer.close();
  }
}

/** The message of the error that ends the work; null: none does. */
export const refusalOf = (work: Promise<unknown>): Promise<string | null> =>
  work.then(
    () => null,
    (error: Error) => error.message,
  );
