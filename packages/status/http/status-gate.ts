// Which clients may change the status summary (with a token of the operator), and which may report to it from other
// machines. Closed unless a token is set; wrong tokens are limited by client, changes and reports by token.
import { createHmac } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { isSameSecret } from '../../kit/is-same-secret.ts';
import { growingTo } from '../../kit/shares/growing-to.ts';
import { toClientNetwork } from '../../web-server/client-network.ts';
import { formatErrorBody } from '../../web-server/request-error.ts';
import { writeAnswer } from '../../web-server/write-answer.ts';

export type StatusGateOptions = {
  /** Token → name of its owner. */
  tokens: ReadonlyMap<string, string>;
  /** Token → name, of programs that may report from other machines. */
  reporters?: ReadonlyMap<string, string>;
  /** Known only to this machine's own programs, which may name another author. */
  secret: string;
  /** ms */
  clock(): number;
};

export type StatusGate = {
  /** The author; null if the request was refused. */
  authorize(request: FastifyRequest, reply: FastifyReply): { by: string } | null;
  /** The same for a report, by the name of the token. */
  authorizeReporter(request: FastifyRequest, reply: FastifyReply): { by: string } | null;
  /** Whether a server of this program has passed it on, and judged it before. */
  isForwarded(request: FastifyRequest): boolean;
  /** Whether it comes from one of this machine's own programs. */
  isOwn(request: FastifyRequest): boolean;
};

const windowMs = 60_000;
const guessesAllowed = 10;
const changesAllowed = 120;
/** Per token: a hundred programs that report every two seconds. */
const reportsAllowed = 3000;
const clientsRemembered = 10_000;

/** Headers of programs on this machine: the secret, and the author of the change. */
export const secretHeader = 'x-status-secret';
export const authorHeader = 'x-status-by';
/**
 * Headers of the forwarding server: its key, and the client. A forwarded request never counts as one of this machine.
 */
export const forwardHeader = 'x-status-forward';
export const clientHeader = 'x-status-client';

/** Derived from the secret; it permits naming the address of a client and nothing else. */
export function forwardKeyOf(secret: string): string {
  return createHmac('sha256', secret).update('forwarded requests').digest('hex');
}

export function createStatusGate({ tokens, reporters = new Map(), secret, clock }: StatusGateOptions): StatusGate {
  const guesses = createLimit(guessesAllowed, clock);
  const forwardKey = forwardKeyOf(secret);
  const operatorDoor: Door = {
    tokens,
    limit: createLimit(changesAllowed, clock),
    whose: 'of the operator',
    closed: 'Changes over HTTP are off: the operator has set no token (status-token).',
  };
  const reporterDoor: Door = {
    tokens: reporters,
    limit: createLimit(reportsAllowed, clock),
    whose: 'of a reporter',
    closed: 'Reports are off: the operator has set no token (status-reporters).',
  };

  const isOwn = ({ headers }: FastifyRequest): boolean =>
    headers[forwardHeader] === undefined &&
    headers[clientHeader] === undefined &&
    isSameSecret(String(headers[secretHeader] ?? ''), secret);

  const isForwarded = ({ headers }: FastifyRequest): boolean =>
    headers[clientHeader] !== undefined && isSameSecret(String(headers[forwardHeader] ?? ''), forwardKey);

  const clientOf = (request: FastifyRequest): string => {
    const address = isForwarded(request) ? String(request.headers[clientHeader]) : request.ip;
    // With brackets and port an address has at most 53 characters; a proxy may pass on anything.
    return toClientNetwork(address.slice(0, 53));
  };

  function admit(request: FastifyRequest, reply: FastifyReply, door: Door): { by: string } | null {
    const { tokens, limit, whose, closed } = door;
    if (tokens.size === 0) return refuse(request, reply, 403, closed);
    const client = clientOf(request);
    const by = findToken(tokens, request.headers.authorization);
    if (by === null) {
      // Only wrong tokens are limited: an operator may share an address with an attacker.
      if (guesses.isReached(client)) return tooMany(request, reply);
      guesses.count(client);
      reply.raw.setHeader('WWW-Authenticate', 'Bearer');
      const message = `This needs the header Authorization: Bearer <token> with a token ${whose}.`;
      return refuse(request, reply, 401, message);
    }
    if (limit.isReached(by)) return tooMany(request, reply);
    limit.count(by);
    return { by };
  }

  return {
    isOwn,
    isForwarded,
    authorize(request, reply) {
      const author = request.headers[authorHeader];
      if (isOwn(request) && author !== undefined) return { by: decodeURIComponent(String(author)).slice(0, 100) };
      return admit(request, reply, operatorDoor);
    },
    authorizeReporter: (request, reply) => admit(request, reply, reporterDoor),
  };
}

type Door = {
  tokens: ReadonlyMap<string, string>;
  limit: ReturnType<typeof createLimit>;
  whose: string;
  closed: string;
};

function tooMany(request: FastifyRequest, reply: FastifyReply): null {
  reply.raw.setHeader('Retry-After', String(windowMs / 1000));
  return refuse(request, reply, 429, 'Too many requests. Try again in a minute.');
}

function refuse(request: FastifyRequest, reply: FastifyReply, status: number, message: string): null {
  void writeAnswer(request, reply, { status, body: formatErrorBody([message]), cacheControl: 'no-store' });
  return null;
}

/** Every token is compared, so that the duration reveals none. */
function findToken(tokens: ReadonlyMap<string, string>, header: string | undefined): string | null {
  const given = /^Bearer +(\S+) *$/i.exec(header ?? '')?.[1] ?? '';
  let found: string | null = null;
  for (const [token, by] of tokens) if (isSameSecret(given, token)) found = by;
  return found;
}

function createLimit(allowed: number, clock: () => number) {
  const counts = new LRUCache<string, { since: number; count: number }>(growingTo(clientsRemembered));
  const find = (key: string): { since: number; count: number } => {
    const entry = counts.get(key);
    return entry && clock() - entry.since < windowMs ? entry : { since: clock(), count: 0 };
  };
  return {
    isReached: (key: string): boolean => find(key).count >= allowed,
    count(key: string): void {
      const { since, count } = find(key);
      counts.set(key, { since, count: count + 1 });
    },
  };
}
