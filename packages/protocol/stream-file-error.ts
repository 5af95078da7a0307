// The error of a reader if bytes do not match their format: which part, at which byte, what was expected and found
// there. The caller adds name and node of the file.

/** tooLarge: beyond a limit of this program, which `expected` names. */
export type StreamFileProblem = 'truncated' | 'trailingBytes' | 'malformed' | 'unsupported' | 'tooLarge';

export class StreamFileError extends Error {
  readonly problem: StreamFileProblem;
  readonly part: string;
  readonly expected: string;
  readonly found: string;

  constructor(problem: StreamFileProblem, part: string, expected: string, found: string) {
    super(`${part}: expected ${expected}, found ${found}`);
    this.name = 'StreamFileError';
    this.problem = problem;
    this.part = part;
    this.expected = expected;
    this.found = found;
  }
}
