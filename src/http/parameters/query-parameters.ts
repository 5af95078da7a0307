// From the query to typed values, or to every complaint about it at once. Complaints come in a fixed order: too many
// values, then invalid values as they stand in the query, then unknown names as they stand in the query.
import type { Query } from '../frame/query-string.ts';
import { type Refusal, RequestError } from '../frame/request-error.ts';

export type Operator = 'eq' | 'ne' | 'lt' | 'lte' | 'gt' | 'gte';

/** One value of a parameter: `[operator:]text`. */
export type RawValue = { operator: Operator; text: string; raw: string };

/** undefined = invalid. */
export type ParameterReader<T> = (value: RawValue) => T | undefined;

type Readers = Record<string, ParameterReader<unknown>>;
export type ParameterValues<R extends Readers> = {
  [N in keyof R]: NonNullable<ReturnType<R[N]>>[];
};

const operators: ReadonlySet<string> = new Set(['eq', 'ne', 'lt', 'lte', 'gt', 'gte']);

/** Values of every accepted parameter, in query order; empty where it is not given. Throws RequestError. */
export function readParameters<R extends Readers>(query: Query, readers: R, maxRepeated: number): ParameterValues<R> {
  const values: Record<string, unknown[]> = {};
  for (const name of Object.keys(readers)) values[name] = [];
  const excesses: Refusal[] = [];
  const invalid: Refusal[] = [];
  const unknown: Refusal[] = [];
  for (const parameter of query) {
    const { name } = parameter;
    const reader = Object.hasOwn(readers, name) ? readers[name] : undefined;
    if (parameter.values.length > maxRepeated) {
      excesses.push({ code: 'tooManyValues', data: { name, count: parameter.values.length, max: maxRepeated } });
      continue;
    }
    for (const raw of parameter.values) {
      if (!reader) {
        unknown.push({ code: 'unknownParameter', data: { name } });
        continue;
      }
      const split = raw === null ? undefined : splitOperator(raw);
      const value = split && reader(split);
      if (value === undefined) invalid.push({ code: 'invalidParameter', data: { name } });
      else values[name]!.push(value);
    }
  }
  const complaints = [...excesses, ...invalid, ...unknown];
  if (complaints.length > 0) throw new RequestError(complaints);
  return values as ParameterValues<R>;
}

/**
 * The text after the last colon is the value, the piece just before it the operator; earlier pieces are ignored.
 * undefined = no such operator.
 */
export function splitOperator(raw: string): RawValue | undefined {
  const colon = raw.lastIndexOf(':');
  if (colon < 0) return { operator: 'eq', text: raw, raw };
  const operator = raw.slice(raw.lastIndexOf(':', colon - 1) + 1, colon);
  if (!operators.has(operator)) return undefined;
  return { operator: operator as Operator, text: raw.slice(colon + 1), raw };
}
