// A database that reports every query, also those within a snapshot.
import type { Database, NamedQuery } from '../../postgres/wire/database.ts';

export function recordQueries(db: Database, onQuery: (query: NamedQuery) => void): Database {
  return {
    ...db,
    query: (query) => {
      onQuery(query);
      return db.query(query);
    },
    snapshot: (work) => db.snapshot((own) => work(recordQueries(own, onQuery))),
  };
}
