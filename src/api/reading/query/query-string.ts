// The parsed query string, in first-seen order: names in lower case, repeats of every spelling together. Values stay as
// typed (decoded), so that a link to the next page can repeat them.
import qs from 'qs';
import { refuse } from '../../../../packages/web-server/request-error.ts';

export type QueryParameter = {
  name: string;
  /** null = something other than text, from `name[member]=`. */
  values: (string | null)[];
  /** Written as a list, even with one value. */
  repeated: boolean;
};

export type Query = QueryParameter[];

const maxParameters = 1000;
/** Parameters whose values the mirror node reads in lower case. */
const lowerCasedValues: ReadonlySet<string> = new Set(['order', 'result']);
const none: ReadonlySet<string> = new Set();

/** `text` follows the `?`. Throws RequestError if the text exceeds a limit. */
export function parseQueryString(text: string, maxRepeated: number): Query {
  return parse(text, maxRepeated, lowerCasedValues);
}

/** The same with the original case of every value. */
export function parseTypedQuery(text: string, maxRepeated: number): Query {
  return parse(text, maxRepeated, none);
}

function parse(text: string, maxRepeated: number, lowerCased: ReadonlySet<string>): Query {
  if (text === '') return [];
  const query = new Map<string, QueryParameter>();
  for (const [key, value] of Object.entries(parseText(text, maxRepeated))) {
    const name = key.toLowerCase();
    const values = toValues(value, lowerCased.has(name));
    const parameter = query.get(name);
    if (parameter) {
      parameter.values.push(...values);
      parameter.repeated = true;
    } else {
      query.set(name, { name, values, repeated: Array.isArray(value) });
    }
  }
  return [...query.values()];
}

function parseText(text: string, maxRepeated: number): Record<string, unknown> {
  try {
    return qs.parse(text, {
      depth: 1,
      strictDepth: true,
      arrayLimit: maxRepeated,
      parameterLimit: maxParameters,
      throwOnLimitExceeded: true,
    });
  } catch (error) {
    if (error instanceof RangeError) throw refuse('malformedQuery', { text: error.message });
    throw error;
  }
}

function toValues(value: unknown, lowerCased: boolean): (string | null)[] {
  if (Array.isArray(value)) return value.map((item) => toValue(item, lowerCased));
  return [toValue(value, lowerCased)];
}

function toValue(value: unknown, lowerCased: boolean): string | null {
  if (typeof value !== 'string') return null;
  return lowerCased ? value.toLowerCase() : value;
}
