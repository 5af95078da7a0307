// Live hashes are about an account and leave nothing else behind.
import { toEntityId } from '../../../protocol/hapi/entity-id.ts';
import type { TransactionHandler } from '../../block/item-context.ts';

export const cryptoAddLiveHash: TransactionHandler = {
  bodyField: 'cryptoAddLiveHash',
  entityId: (item) => toEntityId(item.body.cryptoAddLiveHash?.liveHash?.accountId),
};

export const cryptoDeleteLiveHash: TransactionHandler = {
  bodyField: 'cryptoDeleteLiveHash',
  entityId: (item) => toEntityId(item.body.cryptoDeleteLiveHash?.accountOfLiveHash),
};
