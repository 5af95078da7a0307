import { QueryError } from '../../store/wire/database.ts';
import { queueIsFull } from '../../store/wire/waiting-line.ts';
import { RequestError } from './request-error.ts';

/** Whether a request was refused for what else is asked, by its client or by others: nothing failed. */
export function isOverload(error: unknown): boolean {
  if (error instanceof RequestError) return overloadCodes.has(error.found[0]!.code);
  return error instanceof QueryError && error.code === queueIsFull;
}

/** Whether its client alone is the reason. */
export function isOverShare(error: unknown): boolean {
  return error instanceof RequestError && error.found[0]!.code === 'overShare';
}

const overloadCodes: ReadonlySet<string> = new Set(['overloaded', 'overShare']);
