// Why work ended that is no defect of this program. Errors of the lower floors carry it; each door has one table of its
// codes and sentences for it.

/**
 * `overShare`: its client has its share; `overloaded`: too much is asked by all; `timeout`: it took too long;
 * `unavailable`: a part that is needed does not answer.
 */
export type Cause = 'overShare' | 'overloaded' | 'timeout' | 'unavailable';

export abstract class CausedError extends Error {
  /** null = an answer, not a failure: a refusal of what was asked. */
  abstract readonly causedBy: Cause | null;
}

/** null = a defect, or a refusal of what was asked. */
export function causeOf(error: unknown): Cause | null {
  return error instanceof CausedError ? error.causedBy : null;
}

/** Whether it was refused for what else is asked, by its client or by others: nothing failed. */
export function isOverload(error: unknown): boolean {
  const cause = causeOf(error);
  return cause === 'overShare' || cause === 'overloaded';
}

/** Cause of a refusal by a line or by places, which say whose share was the reason. */
export function causeOfRefusal(by: string): Cause {
  return by === 'client' ? 'overShare' : 'overloaded';
}
