// Why a check could not be made at all: a stable code (Sourcify's if it has one) with its HTTP status, and a sentence
// that names the problem and what to do.
import { type Cause, CausedError, causeOf } from '../../kit/shares/cause.ts';

export type VerificationErrorCode = keyof typeof statuses;

export class VerificationError extends CausedError {
  override readonly name = 'VerificationError';
  readonly code: VerificationErrorCode;
  readonly retryAfterSeconds: number | undefined;
  readonly details: unknown;
  readonly status: number;
  /** That of what it was made of: where others ask for contracts, they are refused as the database refuses. */
  readonly causedBy: Cause | null;

  constructor(
    code: VerificationErrorCode,
    message: string,
    /** `status`: where Sourcify has another one for this code. */
    options?: { cause?: unknown; retryAfterSeconds?: number; details?: unknown; status?: number },
  ) {
    super(message, { cause: options?.cause });
    this.code = code;
    this.causedBy = causeOf(options?.cause);
    this.retryAfterSeconds = options?.retryAfterSeconds;
    this.details = options?.details;
    this.status = options?.status ?? statuses[code];
  }
}

const statuses = {
  invalid_json: 400,
  invalid_parameter: 400,
  unsupported_chain: 400,
  malformed_etherscan_response: 400,
  invalid_sources: 400,
  invalid_compilation_target: 400,
  missing_source: 400,
  missing_or_invalid_source: 400,
  invalid_compiler_version: 400,
  unsupported_language: 400,
  compiler_error: 400,
  contract_not_found_in_compiler_output: 400,
  no_compiler_output: 400,
  compiler_limit: 400,
  not_etherscan_verified: 404,
  job_not_found: 404,
  not_found: 404,
  route_not_found: 404,
  no_similar_match_found: 404,
  already_verified: 409,
  body_too_large: 413,
  unsupported_media_type: 415,
  etherscan_limit: 429,
  duplicate_verification_request: 429,
  too_many_jobs: 429,
  compiler_crashed: 500,
  internal_error: 500,
  cannot_fetch_bytecode: 502,
  etherscan_request_failed: 502,
  failed_to_get_bytecode: 502,
  compiler_not_available: 503,
  store_not_available: 503,
  etherscan_timeout: 504,
} as const;

/** `why`: with the punctuation before it. */
export function cannotFetch(chainId: string, address: string, why: string, cause?: unknown): VerificationError {
  const message = `Cannot fetch bytecode for chain #${chainId} and address ${address}${why}`;
  return new VerificationError('cannot_fetch_bytecode', message, { cause });
}
