// What checks take of a request beside its body.
import type { FastifyRequest } from 'fastify';
import type { ClientOf } from '../frame/client-of.ts';

declare module 'fastify' {
  interface FastifyInstance {
    clientOf: ClientOf;
  }
}

/** Whose share of the queue a check takes. */
export function clientOf({ server, raw }: Pick<FastifyRequest, 'server' | 'raw'>): string {
  return server.clientOf(raw);
}

export function queryOf({ raw }: Pick<FastifyRequest, 'raw'>): URLSearchParams {
  return new URL(raw.url ?? '/', 'http://localhost').searchParams;
}
