import { selectToldExtent } from '../../store/read/select-mirror-extent.ts';
import type { Database } from '../../store/wire/database.ts';

/** Whether the database lacks the ledger's beginning; false for databases that others fill. */
export async function beganLater(db: Database): Promise<boolean> {
  return (await selectToldExtent(db))?.knowsBeginning === false;
}
