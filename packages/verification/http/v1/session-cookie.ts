// The cookie that names a session. Scripts cannot read it, and other sites' pages cannot send it, unless the operator
// lists them; then it needs an encrypted connection.
import type { FastifyRequest } from 'fastify';
import type { SessionOrigin } from '../../../web-server/session-origin.ts';

/** Sourcify's. */
const name = 'sourcify_vid';

export function readSessionId({ headers }: FastifyRequest): string | null {
  const found = /(?:^|;\s*)sourcify_vid=([\w-]{43})(?:;|$)/.exec(headers.cookie ?? '');
  return found?.[1] ?? null;
}

export function formatSessionCookie(
  { protocol }: FastifyRequest,
  { id, seconds, origin }: { id: string; seconds: number; origin: SessionOrigin | null },
): string {
  const crossesSites = origin !== null && !origin.isSameSite;
  const secure = crossesSites || protocol === 'https' ? '; Secure' : '';
  return `${name}=${id}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=${crossesSites ? 'None' : 'Lax'}${secure}`;
}
