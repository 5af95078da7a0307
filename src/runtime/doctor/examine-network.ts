// Whether the address book that is given belongs to the database: the settings of two networks are easily mixed.

import type { Database } from '../../../packages/postgres/wire/database.ts';
import { selectSystemRealm } from '../../../packages/store/read/select-system-realm.ts';
import { assertBookOfDatabase, OtherAddressBookError } from '../../importer/load-import-state.ts';
import { UsageError } from '../settings/usage-error.ts';
import { readAddressBookFile } from '../sources/open-source.ts';
import { FailedCheck } from './failed-check.ts';

/** Throws FailedCheck where an import would refuse the book in this file. */
export async function examineNetwork(db: Database, path: string): Promise<void> {
  const book = readBook(path);
  const system = await selectSystemRealm(db);
  if (!system || !book) return;
  await assertBookOfDatabase(db, book, system).catch((error: Error) => {
    if (!(error instanceof OtherAddressBookError)) throw error;
    throw new FailedCheck(
      `the database is of another network, or of another moment, than the address book ${path}: it is neither the one that the database began with nor one that the stream has brought since`,
      'Leave --address-book out: the database knows who signs. Or name the database of that network with --data-dir or DATABASE_URL, or an empty one.',
    );
  });
}

/** null = it cannot be read, which is a finding of its own. */
function readBook(path: string): Uint8Array | null {
  try {
    return readAddressBookFile(path);
  } catch (error) {
    if (error instanceof UsageError) return null;
    throw error;
  }
}
