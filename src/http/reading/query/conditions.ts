// Query parameters with operators: several conditions on one key as a range, one exact value, or several of them.
import { type TSchema, Type } from '@sinclair/typebox';
import { type Operator, type Range, toRange } from '../../../kit/range.ts';
import type { ReadingContext } from './context.ts';
import { type KeyKind, type QueryParameter, queryParameter, type TextKind } from './parameter.ts';
import type { ValueCount } from './query-form.ts';

export const everyOperator = ['eq', 'ne', 'lt', 'lte', 'gt', 'gte'] as const;

/** All conditions as one range. `accepts`: the allowed operators. */
export function range(
  kind: KeyKind,
  description: string,
  { accepts = everyOperator, most }: { accepts?: readonly Operator[]; most?: ValueCount['most'] } = {},
): QueryParameter<Range> {
  return queryParameter({
    kind: kind.name,
    repeatable: true,
    most,
    description,
    schema: (context) => several(compared(kind.form(context), accepts), context),
    open: (context) => ({
      read({ operator, text }) {
        const value = accepts.includes(operator) ? kind.read(text, context) : undefined;
        return value === undefined ? undefined : { operator, value };
      },
      collect: toRange,
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
