// Query parameters with operators: several conditions on one key as a range, one exact value, or several of them.
import { type TSchema, Type } from '@sinclair/typebox';
import { type Condition, type Operator, type Range, toRange } from '../../../../packages/kit/range.ts';
import type { ReadingContext } from './context.ts';
import { type KeyKind, type QueryParameter, queryParameter, type TextKind } from './parameter.ts';
import type { ValueCount } from './query-form.ts';

export const everyOperator = ['eq', 'ne', 'lt', 'lte', 'gt', 'gte'] as const;

/** For keys whose single values cannot be excluded. */
export const equalOrBound = ['eq', 'lt', 'lte', 'gt', 'gte'] as const;

/** What several conditions on one key mean, for the document. */
export const allHold = 'Of several, all must hold.';

type ConditionOptions = Omit<ValueCount, 'repeatable'> & {
  /** The allowed operators. */
  accepts?: readonly Operator[];
  /** Those in the document, if others are refused later. */
  shows?: readonly Operator[];
};

/** All conditions as one range. */
export function range(kind: KeyKind, description: string, options?: ConditionOptions): QueryParameter<Range> {
  return conditions(kind, description, toRange, options);
}

/** All conditions, converted by `collect`. */
export function conditions<T>(
  kind: KeyKind,
  description: string,
  collect: (conditions: Condition[]) => T,
  { accepts = everyOperator, shows = accepts, ...count }: ConditionOptions = {},
): QueryParameter<T> {
  return queryParameter({
    kind: kind.name,
    repeatable: true,
    ...count,
    description,
    schema: (context) => several(compared(kind.form(context), shows), context),
    open: (context) => ({
      read({ operator, text }) {
        const value = accepts.includes(operator) ? kind.read(text, context) : undefined;
        return value === undefined ? undefined : { operator, value };
      },
      collect,
    }),
    formatKey: kind.format,
  });
}

/** One value, the last of several; null if absent. */
export function last<T>(kind: TextKind<T>, description: string): QueryParameter<T | null> {
  return queryParameter({
    kind: kind.name,
    repeatable: false,
    description,
    schema: (context) => compared(kind.form(context), ['eq']),
    open: (context) => ({
      read: ({ operator, text }) => (operator === 'eq' ? kind.read(text, context) : undefined),
      collect: (values) => values.at(-1) ?? null,
    }),
  });
}

/** Each value once, in first-seen order. `schema`: if it is more specific than the form. */
export function anyOf<T>(
  kind: TextKind<T>,
  description: string,
  { item }: { item?(context: ReadingContext): TSchema } = {},
): QueryParameter<T[]> {
  return queryParameter({
    kind: kind.name,
    repeatable: true,
    description,
    schema: (context) => several(item?.(context) ?? compared(kind.form(context), ['eq']), context),
    open: (context) => ({
      read: ({ operator, text }) => (operator === 'eq' ? kind.read(text, context) : undefined),
      collect: (values) => [...new Set(values)],
    }),
  });
}

export function several(item: TSchema, { settings }: ReadingContext): TSchema {
  return Type.Array(item, { maxItems: settings.maxRepeatedParameters });
}

/** The form, with or without one of the operators. Every form is enclosed in `^` and `$`. */
export function compared({ source }: RegExp, operators: readonly Operator[] = everyOperator): TSchema {
  const before = operators.length === 0 ? '' : `(?:(?:${operators.join('|')}):)?`;
  return Type.String({ pattern: `^${before}${source.slice(1)}` });
}
