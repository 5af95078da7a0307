// Questions that a distributed database is asked in statements of their own, by the name of the query that asks one machine.
import type { Database } from '../../wire/database.ts';

/** `asked`: what the reader was asked, as its query carries it. Gives the rows of the query. */
export type DistributedForm = (db: Database, asked: never) => Promise<unknown[]>;

export const distributedForms: Readonly<Record<string, DistributedForm>> = {};
