// What checks take of a request beside its body.
import type { FastifyRequest } from 'fastify';
import { type Admission, admitAll } from '../../web-server/admission.ts';
import type { ClientOf } from '../../web-server/client-of.ts';

declare module 'fastify' {
  interface FastifyInstance {
    clientOf: ClientOf;
    /** Default: everything is admitted. */
    admission?: Admission;
  }
}

/**
 * A question to the database, in turn of the clients: checks have a line of their own. Throws as it does, or
 * RequestError.
 */
export function askInTurn<T>(request: Pick<FastifyRequest, 'server' | 'raw'>, work: () => Promise<T>): Promise<T> {
  const { admission = admitAll } = request.server;
  return admission.run(clientOf(request), work);
}

/** Whose share of the queue a check takes. */
export function clientOf({ server, raw }: Pick<FastifyRequest, 'server' | 'raw'>): string {
  return server.clientOf(raw);
}

export function queryOf({ raw }: Pick<FastifyRequest, 'raw'>): URLSearchParams {
  return new URL(raw.url ?? '/', 'http://localhost').searchParams;
}
