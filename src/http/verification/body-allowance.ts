// Memory for large bodies is one purse for all requests: who finds it empty is asked to come again, before a byte is read.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { VerificationError } from '../../verification/verification-error.ts';

export type BodyAllowance = {
  /** Both are hooks of a route. */
  take(request: FastifyRequest, reply: FastifyReply): Promise<void>;
  giveBack(request: FastifyRequest): Promise<void>;
};

/** A body that does not say its length counts as `bodyLimit`. */
export function createBodyAllowance({ bytes, bodyLimit }: { bytes: number; bodyLimit: number }): BodyAllowance {
  const taken = new WeakMap<FastifyRequest, number>();
  let left = bytes;
  return {
    async take(request) {
      const said = Number(request.headers['content-length'] ?? bodyLimit);
      // Larger ones are refused for their size by the route itself.
      if (!(said <= bodyLimit)) return;
      if (said > left) {
        throw new VerificationError('too_many_jobs', 'Too many large requests at once. Try again later.', {
          retryAfterSeconds: 2,
        });
      }
      left -= said;
      taken.set(request, said);
    },
    async giveBack(request) {
      left += taken.get(request) ?? 0;
    },
  };
}
