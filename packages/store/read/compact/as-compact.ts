// Databases in the compact form (packages/schema/compact-form.ts): before a border the transactions of an entity are
// found through lists of their times. The statements here read those lists beside the rows that were not moved; the
// results are the same as of the tables.

import type { Database } from '../../../postgres/wire/database.ts';
import { isCompactQuery } from '../../../schema/compact-form.ts';

/** The same database if it has another form. What reads it was begun afterwards: the form never goes. */
export async function asCompactWhereItIs(db: Database): Promise<Database> {
  if (db.isDistributed) return db;
  const [form] = await db.query<{ found: boolean }>({ name: 'is-compact', text: isCompactQuery });
  return form!.found ? asCompact(db) : db;
}

function asCompact(db: Database): Database {
  return { ...db, isCompact: true, snapshot: (work) => db.snapshot((own) => work(asCompact(own))) };
}
