// One bounded GET to an explorer: a time limit for the whole exchange, a size limit after decompression, no redirects.
// Errors do not name the address, because it may contain a key.
import { readBounded } from '../terms/read-bounded.ts';
import { VerificationError } from '../terms/verification-error.ts';
import { requestFailed } from './explorer-record.ts';

export type FetchLimits = { name: string; timeoutMs: number; recordBytes: number };

export type FetchedText = { status: number; text: string; retryAfterSeconds: number | undefined };

export async function fetchText(url: URL, { name, timeoutMs, recordBytes }: FetchLimits): Promise<FetchedText> {
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(url, {
      signal,
      redirect: 'error',
      headers: { accept: 'application/json', 'user-agent': 'ledger-mirror' },
    });
    const body = await readBounded(response, recordBytes);
    if (body === null) {
      throw requestFailed(`The answer of ${name} is larger than ${recordBytes} bytes.`);
    }
    return {
      status: response.status,
      text: body.toString(),
      retryAfterSeconds: parseRetryAfter(response.headers.get('retry-after')),
    };
  } catch (error) {
    if (error instanceof VerificationError) throw error;
    if (signal.aborted) {
      const message = `${name} did not answer within ${timeoutMs} ms. Try again later.`;
      throw new VerificationError('etherscan_timeout', message);
    }
    throw requestFailed(`Network error while connecting to ${name}${reasonOf(error)}.`);
  }
}

/** Codes such as ECONNREFUSED; messages could repeat the address. */
function reasonOf(error: unknown): string {
  const { cause } = error as { cause?: { code?: unknown; message?: unknown } };
  if (cause?.message === 'unexpected redirect') return ' (it redirects elsewhere)';
  return typeof cause?.code === 'string' ? ` (${cause.code})` : '';
}

function parseRetryAfter(header: string | null): number | undefined {
  return header !== null && /^\d{1,6}$/.test(header) ? Math.max(1, Number(header)) : undefined;
}
