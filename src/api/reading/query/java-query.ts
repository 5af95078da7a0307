// Queries as the mirror node's Java reads them: names case-sensitive, unknown ones ignored, operators in any case. Of a
// single-valued parameter the first value counts; values of others may be separated by commas.

import { type Refusal, RequestError, refuse } from '../../../../packages/web-server/request-error.ts';
import type { JavaReading } from './dialect.ts';
import type { QueryForm, ValueCount } from './query-form.ts';
import { splitOperator } from './query-parameters.ts';
import type { Query } from './query-string.ts';

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
        const parameter = parameters[name]!;
        const given = values as string[];
        // Counts as absent: the default applies.
        if (reading === 'object' ? isBlank(given[0]!) : !parameter.repeatable && given[0] === '') return [];
        const meant = parameter.repeatable ? listValues(given, reading, parameter) : given;
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
        const takesOne = !repeatable || most?.count === 1;
        if (takesOne && given.length > 1 && reading === 'object') throw refuse('repeatedValue', { name });
        if (most && given.length > most.count) {
          excessive.push({ code: 'tooManyConditions', data: { name, given: most.name, max: most.count } });
        }
        for (const raw of repeatable ? given : given.slice(0, 1)) {
          if (repeatable && isBlank(raw)) continue;
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
      // Values are converted before any other check.
      if (reading === 'object') refuseAny([...invalid, ...excessive]);
      refuseAny(invalid.slice(0, 1));
      refuseAny(excessive);
      return values;
    },
  };
}

/**
 * An argument given once is a comma-separated list; if repeated, or as a member of an object, each is one value. Blank
 * values are ignored, but count towards the maximum.
 */
function listValues(given: readonly string[], reading: JavaReading, { most, operatorsAsTyped }: ValueCount): string[] {
  const isList = reading === 'arguments' && given.length === 1;
  const values = isList ? given[0]!.split(',').map((value) => value.trim()) : given;
  const counted = most && values.length > most.count && !isBlank(given.join(''));
  const meant = counted ? values : values.filter((value) => !isBlank(value));
  return operatorsAsTyped ? [...meant] : meant.map((value) => value.replace(/^[a-z]+:/i, (word) => word.toLowerCase()));
}

function isBlank(text: string): boolean {
  return text.trim() === '';
}

function valuesOf(query: Query, name: string): string[] {
  return (query.find((given) => given.name === name)?.values ?? []) as string[];
}

function refuseAny(refusals: readonly Refusal[]): void {
  if (refusals.length > 0) throw new RequestError(refusals);
}
