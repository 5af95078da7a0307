// How many requests a client may send in a window: with a known API key it is counted by the key, otherwise by its
// address. The rest is sent with each answer (draft-ietf-httpapi-ratelimit-headers-10), and a refusal says when to try
// again. Each process counts separately.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { growingTo } from '../kit/shares/growing-to.ts';
import { toClientNetwork } from './client-network.ts';
import { formatErrorBody, refuse } from './request-error.ts';
import { writeAnswer } from './write-answer.ts';

export type RateLimits = {
  windowMs: number;
  /** Requests in a window; null = any number. */
  perAddress: number | null;
  perKey: number | null;
  /** API key → name of its owner. */
  keys: ReadonlyMap<string, string>;
};

export type RateLimitOptions = RateLimits & {
  /** Answered whatever was requested before. */
  isExempt(request: FastifyRequest): boolean;
  /** Monotonic, ms. */
  clock?: () => number;
};

type Policy = { name: string; max: number | null };
type Window = { began: number; count: number };

/** Clients in memory; each takes some 200 bytes. The one that was silent longest is forgotten. */
const maxClients = 100_000;

/** To be called before routes are added. */
export function addRateLimit(app: FastifyInstance, options: RateLimitOptions): void {
  const { windowMs, perAddress, perKey, keys, isExempt, clock = () => performance.now() } = options;
  const windows = new LRUCache<string, Window>(growingTo(maxClients));
  const byKey: Policy = { name: 'key', max: perKey };
  const byAddress: Policy = { name: 'address', max: perAddress };

  app.addHook('onRequest', (request, reply, done) => {
    if (request.method === 'OPTIONS' || isExempt(request)) return done();
    const key = request.headers['x-api-key'];
    const owner = typeof key === 'string' ? keys.get(key) : undefined;
    const policy = owner === undefined ? byAddress : byKey;
    if (policy.max === null) return done();
    const client = owner === undefined ? toClientNetwork(request.ip) : `key ${owner}`;
    const now = clock();
    const { count, began } = countOne(client, now);
    const secondsLeft = Math.max(1, Math.ceil((began + windowMs - now) / 1000));
    reply.raw.setHeader('RateLimit-Policy', `"${policy.name}";q=${policy.max};w=${windowMs / 1000}`);
    reply.raw.setHeader('RateLimit', `"${policy.name}";r=${Math.max(0, policy.max - count)};t=${secondsLeft}`);
    if (count <= policy.max) return done();
    const { status, messages } = refuse('tooManyRequests', { max: policy.max, seconds: windowMs / 1000 });
    void writeAnswer(request, reply, {
      status,
      body: formatErrorBody(messages),
      retryAfterSeconds: secondsLeft,
    });
  });

  function countOne(client: string, now: number): Window {
    const window = windows.get(client);
    if (window && now - window.began < windowMs) {
      window.count += 1;
      return window;
    }
    const fresh = { began: now, count: 1 };
    windows.set(client, fresh);
    return fresh;
  }
}
