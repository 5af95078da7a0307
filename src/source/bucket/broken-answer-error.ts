/** An answer of a store that did not come, or not whole. It may the next time. */
export class BrokenAnswerError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'BrokenAnswerError';
  }
}
