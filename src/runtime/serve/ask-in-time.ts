// What a metric asks of the database.
import { setTimeout as sleep } from 'node:timers/promises';

const waitMs = 500;

/** null without an answer: metrics wait for nothing, and a query that failed is in the log. */
export function askInTime<T>(answer: Promise<T>): Promise<T | null> {
  return Promise.race([answer.catch(() => null), sleep(waitMs, null, { ref: false })]);
}
