// The values of a query's parameters, by the two rules of the mirror node (docs/reference/rest-behaviour.md, Two
// validators). Each refusal is one message; the two differ in the order and number of messages.

import type { Operator } from '../../../../packages/kit/range.ts';
import { type Refusal, RequestError } from '../../../../packages/web-server/request-error.ts';
import type { Query, QueryParameter } from './query-string.ts';

/** One value of a parameter: `[operator:]text`. */
export type RawValue = { operator: Operator; text: string; raw: string };

/** undefined = invalid. */
export type ValueReader<V = unknown> = (value: RawValue) => V | undefined;

/** By name, in query order; empty if a parameter is absent. */
type ReadValues = Record<string, unknown[]>;

/** Throws RequestError. */
export type QueryRule = (
  query: Query,
  readers: Readonly<Record<string, ValueReader>>,
  maxRepeated: number,
) => ReadValues;

const operators: ReadonlySet<string> = new Set(['eq', 'ne', 'lt', 'lte', 'gt', 'gte']);

/**
 * Messages: parameters repeated too often, then invalid values, then unknown names, each in query order and once a
 * value. The text after the last colon is the value, the piece just before it the operator; earlier pieces are ignored.
 */
export const readFilters: QueryRule = (query, readers, maxRepeated) => {
  const values = emptyValues(readers);
  const excesses: Refusal[] = [];
  const invalid: Refusal[] = [];
  const unknown: Refusal[] = [];
  for (const parameter of query) {
    const { name } = parameter;
    const reader = Object.hasOwn(readers, name) ? readers[name] : undefined;
    const excess = findExcess(parameter, maxRepeated);
    if (excess) {
      excesses.push(excess);
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
  return refuseAny([...excesses, ...invalid, ...unknown]) ?? values;
};

/**
 * Messages in query order; one for an unknown name. A value with more than one colon is invalid. Of equal values the
 * last counts, but each is refused.
 */
export const readLegacyFilters: QueryRule = (query, readers, maxRepeated) => {
  const values = emptyValues(readers);
  const refusals: Refusal[] = [];
  for (const parameter of query) {
    const { name } = parameter;
    const reader = Object.hasOwn(readers, name) ? readers[name] : undefined;
    const excess = findExcess(parameter, maxRepeated);
    if (excess) refusals.push(excess);
    else if (!reader) refusals.push({ code: 'unknownParameter', data: { name } });
    else {
      const accepted = new Map<string | null, unknown>();
      for (const raw of parameter.values) {
        const split = raw === null || raw.split(':').length > 2 ? undefined : splitOperator(raw);
        const value = split && reader(split);
        if (value === undefined) {
          refusals.push({ code: 'invalidParameter', data: { name } });
        } else {
          // Moves it to the end, the position of the last one.
          accepted.delete(raw);
          accepted.set(raw, value);
        }
      }
      values[name]!.push(...accepted.values());
    }
  }
  return refuseAny(refusals) ?? values;
};

/** The operators of a parameter's (valid) values, in the order of the query. */
export function operatorsOf(query: Query, name: string): Operator[] {
  return query
    .filter((parameter) => parameter.name === name)
    .flatMap(({ values }) => values.map((raw) => splitOperator(raw ?? '')!.operator));
}

/** undefined = no such operator. */
export function splitOperator(raw: string): RawValue | undefined {
  const colon = raw.lastIndexOf(':');
  if (colon < 0) return { operator: 'eq', text: raw, raw };
  const operator = raw.slice(raw.lastIndexOf(':', colon - 1) + 1, colon);
  if (!operators.has(operator)) return undefined;
  return { operator: operator as Operator, text: raw.slice(colon + 1), raw };
}

function emptyValues(readers: Readonly<Record<string, ValueReader>>): ReadValues {
  const values: ReadValues = {};
  for (const name of Object.keys(readers)) values[name] = [];
  return values;
}

function findExcess({ name, values }: QueryParameter, max: number): Refusal | null {
  return values.length > max ? { code: 'tooManyValues', data: { name, count: values.length, max } } : null;
}

function refuseAny(refusals: Refusal[]): null {
  if (refusals.length > 0) throw new RequestError(refusals);
  return null;
}
