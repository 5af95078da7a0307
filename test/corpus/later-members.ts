// What versions of the mirror node after that of the specifications (0.160) add to answers, and this mirror shows as
// well (docs/reference/dialects.md). Each is expected where it belongs and refused anywhere else.
import type { JsonValue } from '../../packages/postgres/wire/values.ts';

type LaterMember = {
  name: string;
  /** The version that has it first. */
  since: string;
  /** Where: of a request, without its query. */
  path: RegExp;
  /** The objects of an answer that have it. */
  of(body: JsonObject): readonly JsonValue[];
  isValid(value: JsonValue | undefined): boolean;
};

type JsonObject = { [name: string]: JsonValue };

const result = /^\/api\/v1\/contracts(?:\/[^/]+)?\/results(?:\/[^/]+)?$/;

const laterMembers: readonly LaterMember[] = [
  {
    name: 'child',
    since: '0.166',
    path: result,
    of: (body) => (Array.isArray(body.results) ? body.results : 'call_result' in body ? [body] : []),
    isValid: (value) => typeof value === 'boolean',
  },
];

/** Takes later members out of an answer, in place; a sentence for each that is missing or not what it must be. */
export function takeLaterMembers(url: string, body: JsonValue): string[] {
  if (!isObject(body)) return [];
  const path = url.split('?')[0]!;
  return laterMembers.flatMap(({ name, since, path: of, of: find, isValid }) =>
    of.test(path)
      ? find(body).flatMap((item) => {
          if (!isObject(item)) return [];
          const value = item[name];
          delete item[name];
          return isValid(value) ? [] : [`${name} (since ${since}): ${String(value)}`];
        })
      : [],
  );
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
