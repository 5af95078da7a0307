// Why a check could not be made at all. A closed table: the code is stable (Sourcify's word where it has one), the
// status is HTTP's, the sentence names what was met and what to do.

export type VerificationErrorCode = keyof typeof statuses;

export class VerificationError extends Error {
  override readonly name = 'VerificationError';
  readonly code: VerificationErrorCode;
  readonly retryAfterSeconds: number | undefined;
  readonly details: unknown;

  constructor(
    code: VerificationErrorCode,
    message: string,
    options?: { cause?: unknown; retryAfterSeconds?: number; details?: unknown },
  ) {
    super(message, { cause: options?.cause });
    this.code = code;
    this.retryAfterSeconds = options?.retryAfterSeconds;
    this.details = options?.details;
  }

  get status(): number {
    return statuses[this.code];
  }
}

const statuses = {
  invalid_sources: 400,
  invalid_compiler_version: 400,
  unsupported_language: 400,
  compiler_error: 400,
  contract_not_found_in_compiler_output: 400,
  no_compiler_output: 400,
  compiler_limit: 400,
  too_many_jobs: 429,
  cannot_fetch_bytecode: 502,
  compiler_not_available: 503,
  compiler_crashed: 500,
} as const;
