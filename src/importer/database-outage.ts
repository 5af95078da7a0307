// Errors that show, anywhere in a chain of causes, that the database is temporarily away or out of space.

import { isOverload } from '../../packages/kit/shares/cause.ts';
import { isLostMachine } from '../../packages/postgres/wire/lost-machine.ts';

/** SQLSTATE classes: connection, resources, operator intervention, serialization and deadlock; and sockets. */
const outageCodes = /^(08|53|57|40|55P03|ECONN|EPIPE|ETIMEDOUT|ENOENT)/;

export function isDatabaseOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  // Of a query that found no connection in time: others of this import, or a slow machine, had them.
  if (isLostMachine(error) || isOverload(error)) return true;
  const { code } = error as Error & { code?: unknown };
  if (typeof code === 'string') return outageCodes.test(code);
  if (/connection terminated|connection error|timeout exceeded when trying to connect/i.test(error.message))
    return true;
  return isDatabaseOutage(error.cause);
}
