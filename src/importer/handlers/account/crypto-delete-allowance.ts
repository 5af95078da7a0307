// Takes the approval back from single NFTs.
import { toEntityId } from '../../../protocol/hapi/entity-id.ts';
import { toBigInt } from '../../../protocol/hapi/hapi.ts';
import type { TransactionHandler } from '../../block/item-context.ts';

export const cryptoDeleteAllowance: TransactionHandler = {
  bodyField: 'cryptoDeleteAllowance',
  entityId: () => 0n,
  onSuccess: (item, context) => {
    for (const { owner, serialNumbers, tokenId } of item.body.cryptoDeleteAllowance?.nftAllowances ?? []) {
      for (const serialNumber of serialNumbers ?? []) {
        context.rows.version('nft', {
          account_id: context.lookup.account(owner) || item.payerAccountId,
          serial_number: toBigInt(serialNumber),
          timestamp_range: { from: item.consensusTimestamp, to: null },
          token_id: toEntityId(tokenId),
        });
      }
    }
  },
};
