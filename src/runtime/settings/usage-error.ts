// The command was called wrongly: printed as one sentence, exit code 2.

export class UsageError extends Error {
  override name = 'UsageError';
}
