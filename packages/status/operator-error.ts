/** `notWritten`: the disk is full, or cannot be written for another reason. */
export type OperatorProblem = 'notFound' | 'invalid' | 'notWritten';

/** A change that cannot be made: which, what was expected and found. */
export class OperatorError extends Error {
  readonly reason: OperatorProblem;

  constructor(reason: OperatorProblem, message: string) {
    super(message);
    this.name = 'OperatorError';
    this.reason = reason;
  }
}

export function invalid(message: string): OperatorError {
  return new OperatorError('invalid', message);
}
