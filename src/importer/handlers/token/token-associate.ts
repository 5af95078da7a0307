// An account begins or ends to hold tokens. Beginning again starts from nothing.
import { toEntityId } from '../../../protocol/hapi/entity-id.ts';
import type { TransactionHandler } from '../../block/item-context.ts';

export const tokenAssociate: TransactionHandler = {
  bodyField: 'tokenAssociate',
  entityId: (item, { lookup }) => lookup.account(item.body.tokenAssociate?.account),
  onSuccess: (item, { rows }) => {
    for (const token of item.body.tokenAssociate?.tokens ?? []) {
      rows.version('token_account', {
        account_id: item.entityId,
        associated: true,
        automatic_association: false,
        balance: 0n,
        balance_timestamp: item.consensusTimestamp,
        created_timestamp: item.consensusTimestamp,
        timestamp_range: { from: item.consensusTimestamp, to: null },
        token_id: toEntityId(token),
      });
    }
  },
};

export const tokenDissociate: TransactionHandler = {
  bodyField: 'tokenDissociate',
  entityId: (item, { lookup }) => lookup.account(item.body.tokenDissociate?.account),
  onSuccess: (item, { rows }) => {
    for (const token of item.body.tokenDissociate?.tokens ?? []) {
      rows.version('token_account', {
        account_id: item.entityId,
        associated: false,
        timestamp_range: { from: item.consensusTimestamp, to: null },
        token_id: toEntityId(token),
      });
    }
  },
};
