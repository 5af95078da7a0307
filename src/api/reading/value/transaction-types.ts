// `transactiontype`: names of transaction types in any case, as the dialect lists them.

import { refuse } from '../../../../packages/web-server/request-error.ts';
import { word } from '../../values/kinds.ts';
import { several } from '../query/conditions.ts';
import type { TransactionTypeFilter } from '../query/dialect.ts';
import { type QueryParameter, queryParameter } from '../query/parameter.ts';

/** null = every type. */
export const transactionTypes: QueryParameter<TransactionTypeFilter | null> = queryParameter({
  kind: 'type',
  repeatable: false,
  description: ({ dialect }) =>
    `Only transactions of this type.${dialect.repeatedTransactionTypes ? ' Several are alternatives.' : ''}`,
  schema(context) {
    const name = word([...context.dialect.transactionTypes.keys()].sort()).schema;
    return context.dialect.repeatedTransactionTypes ? several(name, context) : name;
  },
  open: ({ dialect }) => ({
    read: ({ text }) => dialect.transactionTypes.get(text.toUpperCase()),
    collect(filters) {
      if (filters.length === 0) return null;
      if (filters.length === 1) return filters[0]!;
      if (!dialect.repeatedTransactionTypes) throw refuse('invalidParameter', { name: 'transactiontype' });
      return { numbers: [...new Set(filters.flatMap(({ numbers }) => numbers))], except: false };
    },
  }),
});
