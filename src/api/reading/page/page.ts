// `limit` and `order` of a list.
import { Type } from '@sinclair/typebox';
import { RequestError } from '../../../../packages/web-server/request-error.ts';
import { word } from '../../values/kinds.ts';
import type { Dialect } from '../query/dialect.ts';
import { type QueryParameter, queryParameter } from '../query/parameter.ts';
import type { QueryParameter as GivenParameter } from '../query/query-string.ts';

export type Order = 'asc' | 'desc';

export type PageParameters = { limit: QueryParameter<number>; order: QueryParameter<Order> };

type LimitOptions = {
  limitDefault?: number;
  /** Maximum; a size between this and the general maximum means this. */
  limitCap?: number;
};

type OrderOptions = {
  order: Order;
  /** What the list is ordered by, for the document. */
  by: string;
  /** Whether the order counts only without an operator and repetition, if the dialect says so. */
  alone?: boolean;
};

/** Some lists have other page sizes. */
export function page(options: OrderOptions & LimitOptions): PageParameters {
  return { limit: limit(options), order: order(options) };
}

function limit({ limitDefault, limitCap }: LimitOptions): QueryParameter<number> {
  const cap = limitCap ?? Number.POSITIVE_INFINITY;
  const list = { capped: limitCap !== undefined };
  return queryParameter({
    kind: 'limit',
    repeatable: false,
    description({ dialect, settings }) {
      const max = Math.min(cap, settings.limitMax);
      const meansMax = list.capped || !refusesLarger(dialect, max, list);
      return `Maximum number of items on a page${meansMax ? `; more than ${max} means ${max}` : ''}.`;
    },
    schema({ dialect, settings }) {
      return Type.Integer({
        minimum: 1,
        default: limitDefault ?? settings.limitDefault,
        ...(refusesLarger(dialect, settings.limitMax, list) ? { maximum: settings.limitMax } : {}),
      });
    },
    open: ({ dialect, settings }) => ({
      read({ text }, limitMax) {
        const size = dialect.pageSize(text, limitMax, list);
        return size === undefined ? undefined : Math.min(size, cap);
      },
      collect: (values) => values.at(-1) ?? limitDefault ?? settings.limitDefault,
    }),
  });
}

function refusesLarger(dialect: Dialect, max: number, list: { capped: boolean }): boolean {
  try {
    return dialect.pageSize(String(max + 1), max, list) === undefined;
  } catch (error) {
    if (error instanceof RequestError) return true;
    throw error;
  }
}

function order({ order: defaultOrder, by, alone = false }: OrderOptions): QueryParameter<Order> {
  return queryParameter({
    kind: 'order',
    repeatable: false,
    description: `Order of the items, by ${by}.`,
    schema: () => ({ ...word(['asc', 'desc']).schema, default: defaultOrder }),
    open: ({ dialect }) => ({
      read({ text }): Order | undefined {
        const value = text.toLowerCase();
        return value === 'asc' || value === 'desc' ? value : undefined;
      },
      collect(values, given) {
        const counts = !alone || !dialect.readsWordsAlone || standsAlone(given);
        return (counts ? values.at(-1) : undefined) ?? defaultOrder;
      },
    }),
  });
}

function standsAlone(given: GivenParameter | undefined): boolean {
  return given !== undefined && !given.repeated && given.values.every((raw) => raw?.includes(':') === false);
}
