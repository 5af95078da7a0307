// Mint, burn and wipe: the new total supply (no version of the token: supply changes too often), and the NFTs that
// begin and end. The owner of a minted NFT follows from the record's transfers.
import { toEntityId } from '../../../../packages/protocol/hapi/entity-id.ts';
import { type proto, toBigInt } from '../../../../packages/protocol/hapi/hapi.ts';
import type { BlockItem } from '../../block/block-item.ts';
import type { ItemContext } from '../../block/item-context.ts';
import type { TransactionHandler } from '../../block/transaction-handler.ts';
import { emptyBytes } from '../../columns/stored-values.ts';

export const tokenMint: TransactionHandler<'tokenMint'> = {
  entityId: ({ token }) => toEntityId(token),
  onSuccess: ({ metadata }, item, context) => {
    setTotalSupply(item, context);
    for (const [index, serialNumber] of (item.record.receipt?.serialNumbers ?? []).entries()) {
      context.rows.version('nft', {
        created_timestamp: item.consensusTimestamp,
        deleted: false,
        metadata: metadata?.[index] ?? null,
        serial_number: toBigInt(serialNumber),
        timestamp_range: { from: item.consensusTimestamp, to: null },
        token_id: item.entityId,
      });
    }
  },
};

type Ended = proto.ITokenBurnTransactionBody | proto.ITokenWipeAccountTransactionBody;

const end = {
  entityId: ({ token }: Ended) => toEntityId(token),
  onSuccess: ({ serialNumbers }: Ended, item: BlockItem, context: ItemContext) => {
    setTotalSupply(item, context);
    for (const serialNumber of serialNumbers ?? []) {
      context.rows.version('nft', {
        deleted: true,
        serial_number: toBigInt(serialNumber),
        timestamp_range: { from: item.consensusTimestamp, to: null },
        token_id: item.entityId,
      });
    }
  },
};

export const tokenBurn: TransactionHandler<'tokenBurn'> = end;
export const tokenWipe: TransactionHandler<'tokenWipe'> = end;

/** Means "unchanged" in the spender columns, which an unset value clears. */
const unchangedSpender = -1n;

/** New metadata of single NFTs; their spenders stay. */
export const tokenUpdateNfts: TransactionHandler<'tokenUpdateNfts'> = {
  entityId: ({ token }) => toEntityId(token),
  onSuccess: ({ metadata, serialNumbers }, item, { rows }) => {
    if (!metadata) return;
    for (const serialNumber of serialNumbers ?? []) {
      rows.version('nft', {
        delegating_spender: unchangedSpender,
        metadata: metadata.value ?? emptyBytes,
        serial_number: toBigInt(serialNumber),
        spender: unchangedSpender,
        timestamp_range: { from: item.consensusTimestamp, to: null },
        token_id: item.entityId,
      });
    }
  },
};

/** null in the receipt: a block stream does not say it, and what is stored stays. */
function setTotalSupply(item: BlockItem, { rows }: ItemContext): void {
  if (item.record.receipt?.newTotalSupply === null) return;
  rows.version('token', { token_id: item.entityId, total_supply: toBigInt(item.record.receipt?.newTotalSupply) });
}
