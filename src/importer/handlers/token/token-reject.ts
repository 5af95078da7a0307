// Tokens given back to their treasury; all that changes are balances.
import type { TransactionHandler } from '../../block/item-context.ts';

export const tokenReject: TransactionHandler = {
  bodyField: 'tokenReject',
  entityId: (item, { lookup }) => lookup.account(item.body.tokenReject?.owner) || item.payerAccountId,
};
