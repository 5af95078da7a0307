import type { Database } from '../../../packages/postgres/wire/database.ts';
import { selectStoredExtent } from '../../../packages/store/read/select-mirror-extent.ts';

/** Whether the database lacks the ledger's beginning; false for databases that others fill. */
export async function beganLater(db: Database): Promise<boolean> {
  return (await selectStoredExtent(db))?.knowsBeginning === false;
}
