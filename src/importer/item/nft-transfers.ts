// NFTs moved by a transaction: the elements of transaction.nft_transfer, the new owner of each NFT, and how many NFTs
// each account holds.

import type { JsonValue } from '../../../packages/postgres/wire/values.ts';
import { toEntityId } from '../../../packages/protocol/hapi/entity-id.ts';
import { toBigInt } from '../../../packages/protocol/hapi/hapi.ts';
import type { BulkOperation } from '../../../packages/store/write/block-changes.ts';
import type { BlockItem } from '../block/block-item.ts';
import type { ItemContext } from '../block/item-context.ts';

/** Means every NFT of the old treasury when a token changes its treasury. */
const everySerialNumber = -1n;

export type NftTransfers = { elements: JsonValue[]; operations: BulkOperation[] };

export function addNftTransfers(item: BlockItem, context: ItemContext): NftTransfers {
  const elements: JsonValue[] = [];
  const operations: BulkOperation[] = [];
  const isApproved = findApprovals(item, context);
  for (const list of item.record.tokenTransferLists ?? []) {
    if (!list.nftTransfers || list.nftTransfers.length === 0) continue;
    const tokenId = toEntityId(list.token);
    for (const transfer of list.nftTransfers) {
      const receiverId = context.lookup.account(transfer.receiverAccountID);
      const senderId = context.lookup.account(transfer.senderAccountID);
      const serialNumber = toBigInt(transfer.serialNumber);
      elements.push({
        is_approval: isApproved({ tokenId, serialNumber, senderId, receiverId }),
        receiver_account_id: receiverId || null,
        sender_account_id: senderId || null,
        serial_number: serialNumber,
        token_id: tokenId,
      });
      if (serialNumber === everySerialNumber) {
        operations.push({
          operation: 'moveNfts',
          tokenId,
          fromAccountId: senderId,
          toAccountId: receiverId,
          timestamp: item.consensusTimestamp,
        });
        continue;
      }
      if (receiverId !== 0n) {
        context.rows.version('nft', {
          account_id: receiverId,
          serial_number: serialNumber,
          timestamp_range: { from: item.consensusTimestamp, to: null },
          token_id: tokenId,
        });
      }
      adjustHolding(item, context, tokenId, senderId, -1n);
      adjustHolding(item, context, tokenId, receiverId, 1n);
    }
  }
  return { elements, operations };
}

const isNone = (): boolean => false;

type NftTransfer = { tokenId: bigint; serialNumber: bigint; senderId: bigint; receiverId: bigint };

/**
 * The body of a transfer marks which NFTs it moves by an approval, from whom to whom; records do not. Airdrops are
 * none.
 */
function findApprovals({ body }: BlockItem, { lookup }: ItemContext): (transfer: NftTransfer) => boolean {
  const lists = body.cryptoTransfer?.tokenTransfers;
  if (!lists?.some(({ nftTransfers }) => nftTransfers?.some(({ isApproval }) => isApproval))) return isNone;
  const approvals = new Map<string, boolean>();
  for (const { token, nftTransfers } of lists) {
    const tokenId = toEntityId(token);
    for (const { senderAccountID, receiverAccountID, serialNumber, isApproval } of nftTransfers ?? []) {
      const [senderId, receiverId] = [lookup.account(senderAccountID), lookup.account(receiverAccountID)];
      const name = nameOf({ tokenId, serialNumber: toBigInt(serialNumber), senderId, receiverId });
      if (!approvals.has(name)) approvals.set(name, isApproval === true);
    }
  }
  return (transfer) => approvals.get(nameOf(transfer)) === true;
}

function nameOf({ tokenId, serialNumber, senderId, receiverId }: NftTransfer): string {
  return `${tokenId}:${serialNumber}:${senderId}:${receiverId}`;
}

function adjustHolding(item: BlockItem, context: ItemContext, tokenId: bigint, accountId: bigint, by: bigint): void {
  if (accountId === 0n) return;
  context.rows.version('token_account', {
    account_id: accountId,
    balance: by,
    balance_timestamp: item.consensusTimestamp,
    token_id: tokenId,
  });
}
