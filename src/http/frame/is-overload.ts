import { LineFull } from '../../kit/shares/client-line.ts';
import { PlacesFull } from '../../kit/shares/client-places.ts';
import { QueryError } from '../../store/wire/database.ts';
import { queueIsFull } from '../../store/wire/waiting-line.ts';
import { RequestError } from './request-error.ts';

/** Whether a request was refused for what else is asked, by its client or by others: nothing failed. */
export function isOverload(error: unknown): boolean {
  if (error instanceof RequestError) return overloadCodes.has(error.found[0]!.code);
  if (error instanceof LineFull || error instanceof PlacesFull) return true;
  return error instanceof QueryError && error.code === queueIsFull;
}

/** Whether its client alone is the reason. */
export function isOverShare(error: unknown): boolean {
  if (error instanceof LineFull || error instanceof PlacesFull) return error.by === 'client';
  return error instanceof RequestError && overShareCodes.has(error.found[0]!.code);
}

const overloadCodes: ReadonlySet<string> = new Set(['overloaded', 'allHeld', 'overShare', 'shareHeld']);
const overShareCodes: ReadonlySet<string> = new Set(['overShare', 'shareHeld']);
