// The dialect of a request, determined only here, before its route is found. `/spec/api/v1` and `/hiero/api/v1` are always
// answered in the dialect of that name, `/api/v1` in the configured one, or in that of its port. Routes see the path without
// the prefix; links and cached answers use the typed target.
import type { IncomingMessage } from 'node:http';

export type DialectName = 'spec' | 'hiero';

type AskedDialect = {
  name: DialectName;
  /** The target as it was typed, in origin form. */
  target: string;
};

declare module 'node:http' {
  interface IncomingMessage {
    /** undefined = the configured dialect, and the target is as typed. */
    asked?: AskedDialect;
  }
}

const prefixed = /^\/(spec|hiero)(\/api\/v1(?:[/?#].*)?)$/is;
const [letterH, letterS, lowerCase] = [0x68, 0x73, 0x20];

/** For each request on a port with its own dialect, before `takeAskedDialect`. */
export function askInDialect(request: IncomingMessage, name: DialectName): void {
  request.asked = { name, target: '' };
}

/** Stores the requested dialect, and returns the target for the router. `target`: in origin form. */
export function takeAskedDialect(request: IncomingMessage, target: string): string {
  if (request.asked !== undefined) request.asked.target = target;
  // Runs for every request: few begin with one of these.
  const letter = target.charCodeAt(1) | lowerCase;
  if (letter !== letterH && letter !== letterS) return target;
  const found = prefixed.exec(target);
  if (!found) return target;
  request.asked = { name: found[1]!.toLowerCase() as DialectName, target };
  return found[2]!;
}

/** The typed target, in origin form. */
export function typedTarget({ asked, url = '/' }: IncomingMessage): string {
  return asked === undefined ? url : asked.target;
}

/** The typed prefix before the router's path; empty if the port determines the dialect. */
export function typedPrefix({ asked, url = '/' }: IncomingMessage): string {
  return asked === undefined ? '' : asked.target.slice(0, asked.target.length - url.length);
}

/** Different for targets with different answers. */
export function answerKey({ asked, url = '/' }: IncomingMessage): string {
  return asked === undefined ? url : `${asked.name} ${asked.target}`;
}

/** Path and query of a target in origin form; the path without one trailing slash. */
export function splitTarget(url: string): { path: string; queryText: string } {
  const mark = url.indexOf('?');
  const path = mark < 0 ? url : url.slice(0, mark);
  return { path: path.endsWith('/') ? path.slice(0, -1) : path, queryText: mark < 0 ? '' : url.slice(mark + 1) };
}
