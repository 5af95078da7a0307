// Queries as the mirror node's Java reads them: names as they are written, unknown ones ignored, operators in any case. Of
// a parameter with one value the first counts; values of the others may be separated by commas.

import type { JavaReading } from '../dialect/dialect.ts';
import type { Query } from '../frame/query-string.ts';
import { type Refusal, RequestError, refuse } from '../frame/request-error.ts';
import type { QueryForm } from './query-form.ts';
import { splitOperator } from './query-parameters.ts';

export function createJavaQuery(reading: JavaReading): QueryForm {
  return {
    parse(text) {
      const query = new Map<string, string[]>();
      for (const [name, value] of new URLSearchParams(text)) {
        const values = query.get(name);
        if (values) values.push(value);
        else query.set(name, [value]);
      }
      return [...query].map(([name, values]) => ({ name, values, repeated: values.length > 1 }));
    },
    toMeant: (typed, parameters) =>
      typed.flatMap(({ name, values }) => {
        if (!Object.hasOwn(parameters, name)) return [];
        const { repeatable } = parameters[name]!;
        if (!repeatable && reading === 'defaulted' && values[0] === '') return [];
        const meant = repeatable ? splitValues(values as string[]) : values;
        return meant.length > 0 ? [{ name, values: meant, repeated: meant.length > 1 }] : [];
      }),
    rule: (parameters) => (query, readers) => {
      const values: Record<string, unknown[]> = {};
      const invalid: Refusal[] = [];
      const excessive: Refusal[] = [];
      // In the order of the endpoint's parameters, whatever the query's.
      for (const [name, reader] of Object.entries(readers)) {
        values[name] = [];
        const given = valuesOf(query, name);
        const { most, repeatable } = parameters[name]!;
        if (most && given.length > most.count) {
          excessive.push({ code: 'tooManyConditions', data: { name, given: most.name, max: most.count } });
        }
        if (!repeatable && given.length > 1 && reading === 'object') throw refuse('repeatedValue', { name });
        for (const raw of repeatable ? given : given.slice(0, 1)) {
          const split = repeatable ? splitOperator(raw) : { operator: 'eq' as const, text: raw, raw };
          try {
            const value = split && raw.split(':').length <= 2 ? reader(split) : undefined;
            if (value === undefined) invalid.push({ code: 'invalidParameter', data: { name } });
            else values[name].push(value);
          } catch (error) {
            if (!(error instanceof RequestError)) throw error;
            excessive.push(...error.found);
          }
        }
      }
      // Values are converted before anything else is asked of them.
      if (reading === 'object') refuseAny([...invalid, ...excessive]);
      refuseAny(invalid.slice(0, 1));
      refuseAny(excessive);
      return values;
    },
  };
}

/** At commas; empty ones are none. */
function splitValues(values: readonly string[]): string[] {
  return values
    .flatMap((value) => value.split(','))
    .filter((value) => value !== '')
    .map((value) => value.replace(/^[a-z]+:/i, (operator) => operator.toLowerCase()));
}

function valuesOf(query: Query, name: string): string[] {
  return (query.find((given) => given.name === name)?.values ?? []) as string[];
}

function refuseAny(refusals: readonly Refusal[]): void {
  if (refusals.length > 0) throw new RequestError(refusals);
}
