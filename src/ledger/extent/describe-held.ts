// What a database says of itself: which part of the ledger it holds, or why that is not known yet.

import type { Database } from '../../../packages/postgres/wire/database.ts';
import type { BootstrapRun } from '../../../packages/store/transfer/bootstrap-run.ts';
import { describeUnfinished } from './bootstrap-state.ts';
import { describeExtent } from './extent.ts';
import { findExtent } from './find-extent.ts';

/** `run`: of the database. Sentences; null for a mirror that holds everything, or no block yet. */
export async function describeHeld(db: Database, run: BootstrapRun | null): Promise<string | null> {
  const unfinished = describeUnfinished(run);
  if (unfinished !== null) return unfinished;
  const extent = await findExtent(db);
  return extent && describeExtent(extent);
}
