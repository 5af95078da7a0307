import { selectToldExtent } from '../../store/read/select-mirror-extent.ts';
import type { Database } from '../../store/wire/database.ts';

/** Whether the database does not know the ledger from its first block on; nothing is said of those that others fill. */
export async function beganLater(db: Database): Promise<boolean> {
  return (await selectToldExtent(db))?.knowsBeginning === false;
}
