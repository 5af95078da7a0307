/** Stored blocks cannot be imported again; the message says which, why, and how to go on. */
export class ReimportError extends Error {
  override name = 'ReimportError';
}
