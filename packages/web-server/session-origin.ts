// Which pages may use a visitor's session here. Browsers send cookies only with requests whose answer names the page's
// origin (CORS): that of this host, whatever its port, and those that the operator has listed. Everybody else gets
// answers that no cookie was sent for.
import type { FastifyRequest } from 'fastify';

const sessionPaths = /^\/(?:session(?:-data)?|input-files|restart-session|verify-validated)(?:[/?]|$)/i;

export type SessionOrigin = { origin: string; isSameSite: boolean };

/** null = the request is not about sessions, or comes from another page. `listed`: `https://host[:port]`. */
export function findSessionOrigin(request: FastifyRequest, listed: readonly string[]): SessionOrigin | null {
  const { origin } = request.headers;
  if (origin === undefined || !sessionPaths.test(request.raw.url ?? '')) return null;
  const host = hostOf(origin);
  if (host === null) return null;
  if (host === hostOf(`http://${request.host}`)) return { origin, isSameSite: true };
  return listed.includes(origin) ? { origin, isSameSite: false } : null;
}

export function formatSessionCors({ origin }: SessionOrigin): Record<string, string> {
  return { 'Access-Control-Allow-Origin': origin, 'Access-Control-Allow-Credentials': 'true' };
}

/** Without the port; all names of this machine are one. */
function hostOf(origin: string): string | null {
  if (!URL.canParse(origin)) return null;
  const { hostname } = new URL(origin);
  return /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname) ? 'localhost' : hostname;
}
