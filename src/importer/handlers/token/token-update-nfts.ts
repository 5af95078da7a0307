// New metadata of single NFTs; who may spend them stays.
import { toEntityId } from '../../../protocol/hapi/entity-id.ts';
import { toBigInt } from '../../../protocol/hapi/hapi.ts';
import type { TransactionHandler } from '../../block/item-context.ts';

/** Says "as it was" in the spender columns, where saying nothing clears. */
const unchangedSpender = -1n;

export const tokenUpdateNfts: TransactionHandler = {
  bodyField: 'tokenUpdateNfts',
  entityId: (item) => toEntityId(item.body.tokenUpdateNfts?.token),
  onSuccess: (item, { rows }) => {
    const body = item.body.tokenUpdateNfts;
    if (!body?.metadata) return;
    for (const serialNumber of body.serialNumbers ?? []) {
      rows.version('nft', {
        delegating_spender: unchangedSpender,
        metadata: body.metadata.value ?? new Uint8Array(0),
        serial_number: toBigInt(serialNumber),
        spender: unchangedSpender,
        timestamp_range: { from: item.consensusTimestamp, to: null },
        token_id: item.entityId,
      });
    }
  },
};
