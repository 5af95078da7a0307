/** Something is not in order: what was found, and what to do about it. */
export class FailedCheck extends Error {
  readonly advice: string;

  constructor(found: string, advice: string) {
    super(found);
    this.name = 'FailedCheck';
    this.advice = advice;
  }
}
