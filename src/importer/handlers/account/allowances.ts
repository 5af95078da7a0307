// Allowances that an owner grants and revokes. If a transaction names the same owner, spender and token twice, the last
// entry counts.
import { toEntityId } from '../../../../packages/protocol/hapi/entity-id.ts';
import { type proto, toBigInt } from '../../../../packages/protocol/hapi/hapi.ts';
import type { BlockItem } from '../../block/block-item.ts';
import type { ItemContext } from '../../block/item-context.ts';
import type { TransactionHandler } from '../../block/transaction-handler.ts';

export const cryptoApproveAllowance: TransactionHandler<'cryptoApproveAllowance'> = {
  onSuccess: ({ cryptoAllowances, tokenAllowances, nftAllowances }, item, context) => {
    for (const allowance of cryptoAllowances ?? []) {
      const amount = toBigInt(allowance.amount);
      const common = parties(item, context, allowance);
      context.rows.version('crypto_allowance', { amount, amount_granted: amount, ...common });
    }
    for (const allowance of tokenAllowances ?? []) {
      const amount = toBigInt(allowance.amount);
      const common = parties(item, context, allowance);
      const tokenId = toEntityId(allowance.tokenId);
      context.rows.version('token_allowance', { amount, amount_granted: amount, ...common, token_id: tokenId });
    }
    for (const allowance of nftAllowances ?? []) addNftAllowance(item, context, allowance);
  },
};

/** Revokes the approval of single NFTs. */
export const cryptoDeleteAllowance: TransactionHandler<'cryptoDeleteAllowance'> = {
  onSuccess: ({ nftAllowances }, item, context) => {
    for (const { owner, serialNumbers, tokenId } of nftAllowances ?? []) {
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

function addNftAllowance(item: BlockItem, context: ItemContext, allowance: proto.INftAllowance): void {
  const common = parties(item, context, allowance);
  const tokenId = toEntityId(allowance.tokenId);
  if (allowance.approvedForAll) {
    const isForAll = allowance.approvedForAll.value === true;
    context.rows.version('nft_allowance', { approved_for_all: isForAll, ...common, token_id: tokenId });
  }
  for (const serialNumber of allowance.serialNumbers ?? []) {
    context.rows.version('nft', {
      account_id: common.owner,
      delegating_spender: context.lookup.account(allowance.delegatingSpender) || null,
      serial_number: toBigInt(serialNumber),
      spender: common.spender,
      timestamp_range: common.timestamp_range,
      token_id: tokenId,
    });
  }
}

/** The owner is the payer unless named. */
function parties(
  { consensusTimestamp, payerAccountId }: BlockItem,
  { lookup }: ItemContext,
  { owner, spender }: { owner?: proto.IAccountID | null; spender?: proto.IAccountID | null },
) {
  return {
    owner: lookup.account(owner) || payerAccountId,
    payer_account_id: payerAccountId,
    spender: lookup.account(spender),
    timestamp_range: { from: consensusTimestamp, to: null },
  };
}
