// The target of a request in the router's form. RFC 9112 §3.2 has four forms; in each a path is a path.
import type { IncomingMessage } from 'node:http';

declare module 'node:http' {
  interface IncomingMessage {
    /** In origin form, where the router gets another one; undefined = the router gets what was typed. */
    typedTarget?: string;
  }
}

/** The target as it was typed, in origin form. */
export function typedTargetOf({ typedTarget, url = '/' }: IncomingMessage): string {
  return typedTarget ?? url;
}

/**
 * `http://host/path?query`, as sent to proxies, without scheme and host; everything else unchanged. A fragment, which
 * no form may have, is dropped.
 */
export function toOriginForm(typed: string): string {
  const fragment = typed.indexOf('#');
  const target = fragment < 0 ? typed : typed.slice(0, fragment);
  if (target === '') return '/';
  if (target.startsWith('/')) return target;
  const scheme = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i.exec(target);
  if (!scheme) return target;
  const rest = target.slice(scheme[0].length);
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/**
 * Whether a fixed segment of the route was percent-encoded. The router decodes a path before it looks for its route;
 * the mirror node does not, so only parameters may be encoded.
 */
export function isEscapedOutsideParameters(target: string, route: string): boolean {
  const path = target.split('?', 1)[0]!;
  if (!path.includes('%')) return false;
  const segments = path.split('/');
  return route.split('/').some((segment, index) => {
    const isFixed = !segment.includes(':') && segment !== '*';
    return isFixed && segments[index]?.includes('%') === true;
  });
}
