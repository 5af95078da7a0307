// Statements differ by the form of the database: over several machines, compact, or neither.
import type { Database } from '../../postgres/wire/database.ts';
import { asCompactWhereItIs } from './compact/as-compact.ts';
import { asDistributedWhereItIs } from './distributed/as-distributed.ts';

/** The outermost of the layers over a database. */
export async function inItsForm(db: Database): Promise<Database> {
  return asCompactWhereItIs(await asDistributedWhereItIs(db));
}
