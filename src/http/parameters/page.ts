// `limit` and `order` of a list.
import { Type } from '@sinclair/typebox';
import type { Dialect } from '../dialect/dialect.ts';
import { word } from '../values/kinds.ts';
import { type QueryParameter, queryParameter } from './parameter.ts';
import { integerText } from './text-kinds.ts';

export type Order = 'asc' | 'desc';

export type PageParameters = { limit: QueryParameter<number>; order: QueryParameter<Order> };

/** `by`: what the list is ordered by, for the document. Some lists have page sizes of their own. */
export function page(options: { order: Order; by: string; limitDefault?: number; limitMax?: number }): PageParameters {
  return { limit: limit(options), order: order(options.order, options.by) };
}

const pageSize = integerText({ min: 1n });

function limit(options: { limitDefault?: number; limitMax?: number }): QueryParameter<number> {
  return queryParameter({
    kind: 'limit',
    repeatable: false,
    description({ dialect, settings }) {
      const max = options.limitMax ?? settings.limitMax;
      return `Most items on a page${isCapped(dialect, max) ? `; more than ${max} means ${max}` : ''}.`;
    },
    schema({ dialect, settings }) {
      const max = options.limitMax ?? settings.limitMax;
      return Type.Integer({
        minimum: 1,
        default: options.limitDefault ?? settings.limitDefault,
        ...(isCapped(dialect, max) ? {} : { maximum: max }),
      });
    },
    open: ({ dialect, settings }) => ({
      read({ text }, limitMax) {
        const requested = pageSize.read(text, { dialect, settings });
        return requested === undefined ? undefined : dialect.pageSize(requested, options.limitMax ?? limitMax);
      },
      collect: (values) => values.at(-1) ?? options.limitDefault ?? settings.limitDefault,
    }),
  });
}

function isCapped(dialect: Dialect, max: number): boolean {
  return dialect.pageSize(BigInt(max) + 1n, max) !== undefined;
}

function order(defaultOrder: Order, by: string): QueryParameter<Order> {
  return queryParameter({
    kind: 'order',
    repeatable: false,
    description: `Direction, by ${by}.`,
    schema: () => ({ ...word(['asc', 'desc']).schema, default: defaultOrder }),
    open: () => ({
      read({ text }): Order | undefined {
        const value = text.toLowerCase();
        return value === 'asc' || value === 'desc' ? value : undefined;
      },
      collect: (values) => values.at(-1) ?? defaultOrder,
    }),
  });
}
