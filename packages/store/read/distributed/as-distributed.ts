// In some databases the tables are spread over the machines of a Citus cluster. There a statement that joins other
// tables row by row fails, or asks every machine for each row. So what is one statement on one machine becomes two or
// more, each with the keys that it needs. The results are the same.

import type { Database } from '../../../postgres/wire/database.ts';
import { knowsCitusQuery, spreadsTablesQuery } from '../../../schema/migration/distribute.ts';

/** The same database if it is on one machine. */
export async function asDistributedWhereItIs(db: Database): Promise<Database> {
  const [known] = await db.query<{ found: boolean }>({ name: 'knows-citus', text: knowsCitusQuery });
  if (!known!.found) return db;
  const [spread] = await db.query<{ found: boolean }>({ name: 'spreads-tables', text: spreadsTablesQuery });
  return spread!.found ? asDistributed(db) : db;
}

/** The outermost of the layers over a database. */
export function asDistributed(db: Database): Database {
  return { ...db, isDistributed: true, snapshot: (work) => db.snapshot((own) => work(asDistributed(own))) };
}
