// Memory for large bodies is limited for all requests together: a request for which none is left is refused before a byte is
// read. The memory is returned when the exchange ends, however it ends; a body that is too slow is cut off.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { VerificationError } from '../../verification/terms/verification-error.ts';

export type BodyAllowanceOptions = {
  /** For all bodies together. */
  bytes: number;
  /** A body of unknown length counts as this. */
  bodyLimit: number;
  /** Maximum time until the whole body has arrived. */
  timeoutMs: number;
};

/** An `onRequest` hook of a route. */
export type BodyAllowance = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

export function createBodyAllowance({ bytes, bodyLimit, timeoutMs }: BodyAllowanceOptions): BodyAllowance {
  let left = bytes;
  return async function take({ headers, raw }: FastifyRequest, reply: FastifyReply): Promise<void> {
    const said = Number(headers['content-length'] ?? bodyLimit);
    // Larger ones are refused for their size by the route itself.
    if (!(said <= bodyLimit)) return;
    if (said > left) {
      throw new VerificationError('too_many_jobs', 'Too many large requests at once. Try again later.', {
        retryAfterSeconds: 2,
      });
    }
    left -= said;
    const tooSlow = setTimeout(() => raw.destroy(), timeoutMs);
    raw.once('end', () => clearTimeout(tooSlow));
    reply.raw.once('close', () => {
      clearTimeout(tooSlow);
      left += said;
    });
  };
}
