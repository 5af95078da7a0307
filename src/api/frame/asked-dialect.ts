// The dialect of a request, determined only here, before its route is found. `/spec/api/v1` and `/hiero/api/v1` are
// always answered in the dialect of that name, `/api/v1` in the configured one, or in that of its port. Routes see the
// path without the prefix; links and cached answers use the typed target.
import type { IncomingMessage } from 'node:http';

export type DialectName = 'spec' | 'hiero';

declare module 'node:http' {
  interface IncomingMessage {
    /** undefined = the configured one. */
    askedDialect?: DialectName;
  }
}

const prefixed = /^\/(spec|hiero)(\/api\/v1(?:[/?#].*)?)$/is;
/**
 * Of a client that takes `/api/v1/` out of a link and joins the rest to its base, as the Hiero JSON-RPC relay does:
 * `/hiero/api/v1/hieroblocks`. Else it would miss every page after the first, and not say so.
 */
const joined = /^\/api\/v1\/(?:spec|hiero)(?=[a-z])/i;
const [letterH, letterS, lowerCase] = [0x68, 0x73, 0x20];

/** For each request on a port with its own dialect, before `takeAskedDialect`. */
export function askInDialect(request: IncomingMessage, name: DialectName): void {
  request.askedDialect = name;
}

/** Stores the requested dialect, and returns the target for the router. `target`: in origin form. */
export function takeAskedDialect(request: IncomingMessage, target: string): string {
  if (request.askedDialect !== undefined) request.typedTarget = target;
  // Runs for every request: few begin with one of these.
  const letter = target.charCodeAt(1) | lowerCase;
  if (letter !== letterH && letter !== letterS) return target;
  const found = prefixed.exec(target);
  if (!found) return target;
  request.askedDialect = found[1]!.toLowerCase() as DialectName;
  const path = found[2]!.replace(joined, '/api/v1/');
  request.typedTarget = path === found[2] ? target : `/${found[1]}${path}`;
  return path;
}

/** The typed prefix before the router's path; empty if the port determines the dialect. */
export function typedPrefix({ typedTarget, url = '/' }: IncomingMessage): string {
  return typedTarget === undefined ? '' : typedTarget.slice(0, typedTarget.length - url.length);
}

/** Different for targets with different answers. */
export function answerKey({ askedDialect, typedTarget, url = '/' }: IncomingMessage): string {
  return askedDialect === undefined ? url : `${askedDialect} ${typedTarget}`;
}

/** Path and query of a target in origin form; the path without one trailing slash. */
export function splitTarget(url: string): { path: string; queryText: string } {
  const mark = url.indexOf('?');
  const path = mark < 0 ? url : url.slice(0, mark);
  return { path: path.endsWith('/') ? path.slice(0, -1) : path, queryText: mark < 0 ? '' : url.slice(mark + 1) };
}
