// For work that takes seconds anyway, such as contract checks: a query refused for lack of room is repeated until there
// is some. Clients decide how many of these there are, and each costs most under load: a bounded number waits.
import { pause } from '../../kit/pause.ts';
import { type Database, type NamedQuery, QueryError } from './database.ts';
import { queueIsFull } from './waiting-line.ts';

export type WaitForRoomOptions = {
  /** Queries beyond this are refused as they would be without this. */
  maxWaiting: number;
  timeoutMs?: number;
};

const askAgainMs = 100;

/** The same database; its queries may take `timeoutMs` longer. Snapshots are unchanged. */
export function waitForRoom(db: Database, { maxWaiting, timeoutMs = 60_000 }: WaitForRoomOptions): Database {
  let waiting = 0;

  async function askAgain<Row>(named: NamedQuery<Row>): Promise<Row[]> {
    const until = performance.now() + timeoutMs;
    for (;;) {
      await pause(askAgainMs);
      try {
        return await db.query(named);
      } catch (error) {
        if (!isFull(error) || performance.now() > until) throw error;
      }
    }
  }

  return {
    ...db,
    async query<Row>(named: NamedQuery<Row>): Promise<Row[]> {
      try {
        return await db.query(named);
      } catch (error) {
        if (!isFull(error) || waiting >= maxWaiting) throw error;
      }
      waiting += 1;
      try {
        return await askAgain(named);
      } finally {
        waiting -= 1;
      }
    },
  };
}

function isFull(error: unknown): boolean {
  return error instanceof QueryError && error.code === queueIsFull;
}
