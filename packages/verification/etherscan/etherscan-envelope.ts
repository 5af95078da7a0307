// The envelope of Etherscan's answers. Clients compare its texts: hardhat-verify, Foundry's block-explorers, and Remix.
// They read a refusal from a body with status 200, and take another HTTP status for a broken server.
import type { VerificationError } from '../terms/verification-error.ts';

export type EtherscanAnswer = {
  status: number;
  retryAfterSeconds?: number | undefined;
  body: { status: '0' | '1'; message: string; result: unknown };
};

export const notVerified = 'Contract source code not verified';

export function succeeded(result: unknown): EtherscanAnswer {
  return { status: 200, body: { status: '1', message: 'OK', result } };
}

export function refused(result: unknown, message = 'NOTOK'): EtherscanAnswer {
  return { status: 200, body: { status: '0', message, result } };
}

export function refusedFor(error: VerificationError): EtherscanAnswer {
  const { retryAfterSeconds } = error;
  return { ...refused(textOf(error)), status: statusOf(error), retryAfterSeconds };
}

function textOf({ code, message, retryAfterSeconds }: VerificationError): string {
  if (code === 'already_verified') return 'Contract source code already verified';
  if (code === 'unsupported_chain') return `Missing or unsupported chainid parameter. ${message}`;
  if (code !== 'too_many_jobs') return message;
  return `Max rate limit reached, please try again in ${Math.ceil(retryAfterSeconds ?? 10)} seconds. ${message}`;
}

/** A compiler that is not here is the answer to a request for it, and no fault of the server. */
function statusOf({ code, status }: VerificationError): number {
  const isFault = status >= 500 && code !== 'compiler_not_available';
  return isFault || status === 413 || status === 415 ? status : 200;
}
