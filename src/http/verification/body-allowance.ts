// Memory for large bodies is one purse for all requests: who finds it empty is asked to come again, before a byte is read.
// What is taken comes back when the exchange ends, however it ends, and a body that dawdles is cut off.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { VerificationError } from '../../verification/terms/verification-error.ts';

export type BodyAllowanceOptions = {
  /** For all bodies together. */
  bytes: number;
  /** A body that does not say its length counts as this. */
  bodyLimit: number;
  /** Until the whole body must be there. */
  timeoutMs: number;
};

/** An `onRequest` hook of a route. */
export function createBodyAllowance({ bytes, bodyLimit, timeoutMs }: BodyAllowanceOptions) {
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
    const dawdling = setTimeout(() => raw.destroy(), timeoutMs);
    raw.once('end', () => clearTimeout(dawdling));
    reply.raw.once('close', () => {
      clearTimeout(dawdling);
      left += said;
    });
  };
}
