// Memory for large bodies is limited for all requests together: a request for which none is left is refused before a
// byte is read, unless another client has more of it than this one would have: that one's newest exchange is cut off.
// The memory is returned when the exchange ends, however it ends; a body that is too slow is cut off.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { createClientPlaces, type Place, PlacesFull } from '../../kit/shares/client-places.ts';
import { VerificationError } from '../terms/verification-error.ts';
import { clientOf } from './request-parts.ts';

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
  const places = createClientPlaces({ max: bytes });

  /** Throws a VerificationError. */
  function takePlace(client: string, size: number, withdraw: () => void): Place {
    try {
      return places.enter(client, { size, withdraw });
    } catch (error) {
      if (!(error instanceof PlacesFull)) throw error;
      throw new VerificationError('too_many_jobs', 'Too many large requests at once. Try again later.', {
        retryAfterSeconds: 2,
      });
    }
  }

  return async function take(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { headers, raw } = request;
    const said = Number(headers['content-length'] ?? bodyLimit);
    // Larger ones are refused for their size by the route itself.
    if (!(said <= bodyLimit)) return;
    const place = takePlace(clientOf(request), said, () => void raw.destroy());
    const tooSlow = setTimeout(() => raw.destroy(), timeoutMs);
    raw.once('end', () => clearTimeout(tooSlow));
    reply.raw.once('close', () => {
      clearTimeout(tooSlow);
      place.leave();
    });
  };
}
