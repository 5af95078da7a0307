/** An answer of a store that did not come, or not whole. It may the next time. */
export class BrokenAnswerError extends Error {
  /** Something else answers in the place of the store: a proxy that wants a sign-in, say. */
  readonly isForeign: boolean;

  constructor(message: string, { isForeign = false } = {}) {
    super(message);
    this.name = 'BrokenAnswerError';
    this.isForeign = isForeign;
  }
}
