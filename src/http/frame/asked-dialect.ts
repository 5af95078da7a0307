// In which dialect a request is answered: decided here alone, before its route is found. `/spec/api/v1` and `/hiero/api/v1`
// are always answered in the dialect of that name, `/api/v1` in the chosen one, or in that of the port that it came to.
// Routes know a path without its prefix; links and kept answers go by what was typed.
import type { IncomingMessage } from 'node:http';

export type DialectName = 'spec' | 'hiero';

type AskedDialect = {
  name: DialectName;
  /** The target as it was typed, in origin form. */
  target: string;
};

declare module 'node:http' {
  interface IncomingMessage {
    /** undefined = the chosen dialect is meant, and the target is as it was typed. */
    asked?: AskedDialect;
  }
}

const prefixed = /^\/(spec|hiero)(\/api\/v1(?:[/?#].*)?)$/is;
const [letterH, letterS, lowerCase] = [0x68, 0x73, 0x20];

/** For each request of a port that has a dialect of its own, before `takeAskedDialect`. */
export function askInDialect(request: IncomingMessage, name: DialectName): void {
  request.asked = { name, target: '' };
}

/** Notes the dialect that is asked for, and returns the target as routes know it. `target`: in origin form. */
export function takeAskedDialect(request: IncomingMessage, target: string): string {
  if (request.asked !== undefined) request.asked.target = target;
  // Looked at for every request: few begin with one of these.
  const letter = target.charCodeAt(1) | lowerCase;
  if (letter !== letterH && letter !== letterS) return target;
  const found = prefixed.exec(target);
  if (!found) return target;
  request.asked = { name: found[1]!.toLowerCase() as DialectName, target };
  return found[2]!;
}

/** What was typed, in origin form. */
export function typedTarget({ asked, url = '/' }: IncomingMessage): string {
  return asked === undefined ? url : asked.target;
}

/** What was typed before the path that routes know; empty where a port says the dialect. */
export function typedPrefix({ asked, url = '/' }: IncomingMessage): string {
  return asked === undefined ? '' : asked.target.slice(0, asked.target.length - url.length);
}

/** Different for targets that are answered differently. */
export function answerKey({ asked, url = '/' }: IncomingMessage): string {
  return asked === undefined ? url : `${asked.name} ${asked.target}`;
}

/** Path and query of a target in origin form; the path without one trailing slash. */
export function splitTarget(url: string): { path: string; queryText: string } {
  const mark = url.indexOf('?');
  const path = mark < 0 ? url : url.slice(0, mark);
  return { path: path.endsWith('/') ? path.slice(0, -1) : path, queryText: mark < 0 ? '' : url.slice(mark + 1) };
}
