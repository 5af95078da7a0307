// What checks take of a request beside its body.
import type { FastifyRequest } from 'fastify';
import { toClientNetwork } from '../frame/client-network.ts';

/** Whose share of the queue a check takes. */
export function clientOf({ ip }: Pick<FastifyRequest, 'ip'>): string {
  return toClientNetwork(ip);
}

export function queryOf({ raw }: Pick<FastifyRequest, 'raw'>): URLSearchParams {
  return new URL(raw.url ?? '/', 'http://localhost').searchParams;
}
