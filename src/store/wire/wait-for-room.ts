// For work that takes seconds anyway and has a bound of its own, such as contract checks: a query that is refused because too
// many others wait is asked again, until there is room.
import { pause } from '../../kit/pause.ts';
import { type Database, type NamedQuery, QueryError } from './database.ts';
import { queueIsFull } from './session-pool.ts';

const askAgainMs = 100;

/** The same database; its queries may take `timeoutMs` longer. Snapshots are as before. */
export function waitForRoom(db: Database, timeoutMs = 60_000): Database {
  return {
    ...db,
    async query<Row>(named: NamedQuery<Row>): Promise<Row[]> {
      const until = performance.now() + timeoutMs;
      for (;;) {
        try {
          return await db.query(named);
        } catch (error) {
          const isFull = error instanceof QueryError && error.code === queueIsFull;
          if (!isFull || performance.now() > until) throw error;
        }
        await pause(askAgainMs);
      }
    },
  };
}
