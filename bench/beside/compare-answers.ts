// Whether both services answer a question alike: the same status, and JSON that says the same.
import { isDeepStrictEqual } from 'node:util';
import { expectedDifferences } from './expected-differences.ts';

export type Comparison = {
  /** Paths that both answer with status 200. */
  answered: string[];
  /** Of the first path whose answers differ otherwise than expected. */
  difference: string | null;
  /** Why some differ as expected. */
  expected: Set<string>;
};

const inFlight = 4;

/** `rival`: null = ours alone is asked. */
export async function compareAnswers(
  { rival, mirror }: { rival: string | null; mirror: string },
  paths: readonly string[],
): Promise<Comparison> {
  const answered: string[] = [];
  const expected = new Set<string>();
  let difference: string | null = null;
  let next = 0;
  const compareRest = async (): Promise<void> => {
    for (let path = paths[next++]; path !== undefined && difference === null; path = paths[next++]) {
      const [ours, theirs] = await Promise.all([mirror, rival ?? []].flat().map((url) => ask(`${url}${path}`)));
      if (theirs !== undefined) difference ??= describeDifference(path, theirs, ours!, expected);
      if ((theirs ?? ours!).status === 200) answered.push(path);
    }
  };
  await Promise.all(Array.from({ length: inFlight }, compareRest));
  return { answered, difference, expected };
}

type Answer = { status: number; text: string };

async function ask(url: string): Promise<Answer> {
  const response = await fetch(url, { headers: { 'accept-encoding': 'identity' } });
  return { status: response.status, text: await response.text() };
}

function describeDifference(path: string, rival: Answer, mirror: Answer, expected: Set<string>): string | null {
  if (rival.status !== mirror.status) return `${path}: status ${rival.status}, ours ${mirror.status}`;
  if (rival.text === mirror.text || isDeepStrictEqual(parse(rival.text), parse(mirror.text))) return null;
  const concerned = expectedDifferences.filter(({ paths }) => paths.test(path));
  const level: Level = (name, value) => concerned.reduce((levelled, one) => one.level(name, levelled), value);
  const place = findDifference(parse(rival.text, level), parse(mirror.text, level), '');
  if (place === null) for (const { reason } of concerned) expected.add(reason);
  return place === null ? null : `${path}: ${place}`;
}

/** null = none. */
function findDifference(rival: unknown, mirror: unknown, place: string): string | null {
  if (isDeepStrictEqual(rival, mirror)) return null;
  if (!isObject(rival) || !isObject(mirror)) return `${place || 'answer'} is ${show(rival)}, ours ${show(mirror)}`;
  for (const name of new Set([...Object.keys(rival), ...Object.keys(mirror)])) {
    const found = findDifference(rival[name], mirror[name], place === '' ? name : `${place}.${name}`);
    if (found !== null) return found;
  }
  return `${place || 'answer'} differs in kind`;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function show(value: unknown): string {
  return (JSON.stringify(value) ?? 'missing').slice(0, 80);
}

type Level = (name: string, value: unknown) => unknown;

/** Numbers as they are written: what a double cannot hold is compared to the last digit. */
function parse(text: string, level: Level = (_name, value) => value): unknown {
  const read = (name: string, value: unknown, context?: { source: string }): unknown =>
    level(name, typeof value === 'number' ? { number: context!.source } : value);
  return JSON.parse(text, read);
}
