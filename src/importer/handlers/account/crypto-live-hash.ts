// Live hashes are about an account and leave nothing else behind.
import { toEntityId } from '../../../protocol/hapi/entity-id.ts';
import type { TransactionHandler } from '../handler.ts';

export const cryptoAddLiveHash: TransactionHandler = {
  type: 10,
  name: 'CRYPTOADDLIVEHASH',
  entityId: (item) => toEntityId(item.body.cryptoAddLiveHash?.liveHash?.accountId),
};

export const cryptoDeleteLiveHash: TransactionHandler = {
  type: 13,
  name: 'CRYPTODELETELIVEHASH',
  entityId: (item) => toEntityId(item.body.cryptoDeleteLiveHash?.accountOfLiveHash),
};
