// Mint, burn and wipe: the new total supply (no version of the token: supply changes too often), and the NFTs that come
// to be or cease. Who owns a minted NFT follows from the record's transfers.
import { toEntityId } from '../../../protocol/hapi/entity-id.ts';
import { toBigInt } from '../../../protocol/hapi/hapi.ts';
import type { BlockItem, HandlerContext, TransactionHandler } from '../../block/item-context.ts';

export const tokenMint: TransactionHandler = {
  bodyField: 'tokenMint',
  entityId: (item) => toEntityId(item.body.tokenMint?.token),
  onSuccess: (item, context) => {
    setTotalSupply(item, context);
    const metadata = item.body.tokenMint?.metadata ?? [];
    for (const [index, serialNumber] of (item.record.receipt?.serialNumbers ?? []).entries()) {
      context.rows.version('nft', {
        created_timestamp: item.consensusTimestamp,
        deleted: false,
        metadata: metadata[index] ?? null,
        serial_number: toBigInt(serialNumber),
        timestamp_range: { from: item.consensusTimestamp, to: null },
        token_id: item.entityId,
      });
    }
  },
};

export const tokenBurn: TransactionHandler = {
  bodyField: 'tokenBurn',
  entityId: (item) => toEntityId(item.body.tokenBurn?.token),
  onSuccess: (item, context) => {
    setTotalSupply(item, context);
    endNfts(item, context, item.body.tokenBurn?.serialNumbers ?? []);
  },
};

export const tokenWipe: TransactionHandler = {
  bodyField: 'tokenWipe',
  entityId: (item) => toEntityId(item.body.tokenWipe?.token),
  onSuccess: (item, context) => {
    setTotalSupply(item, context);
    endNfts(item, context, item.body.tokenWipe?.serialNumbers ?? []);
  },
};

function setTotalSupply(item: BlockItem, { rows }: HandlerContext): void {
  rows.version('token', { token_id: item.entityId, total_supply: toBigInt(item.record.receipt?.newTotalSupply) });
}

function endNfts(item: BlockItem, { rows }: HandlerContext, serialNumbers: Parameters<typeof toBigInt>[0][]): void {
  for (const serialNumber of serialNumbers) {
    rows.version('nft', {
      deleted: true,
      serial_number: toBigInt(serialNumber),
      timestamp_range: { from: item.consensusTimestamp, to: null },
      token_id: item.entityId,
    });
  }
}
