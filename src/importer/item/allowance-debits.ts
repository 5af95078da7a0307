// What a successful transfer takes from the allowances that permitted it. The spender is the contract that made the
// transfer, if one did, else the payer.

import type { BlockItem } from '../block/block-item.ts';
import type { ItemContext } from '../block/item-context.ts';
import { approvedAmounts } from './hbar-transfers.ts';
import { bodyTokenAmounts } from './token-transfers.ts';

export function addHbarAllowanceDebits(item: BlockItem, context: ItemContext): void {
  const approved = approvedAmounts(item, context);
  if (!approved) return;
  const spender = spenderOf(item, context);
  for (const { accountId, amount } of approved) {
    context.rows.version('crypto_allowance', { amount, owner: accountId, spender });
  }
}

export function addTokenAllowanceDebits(item: BlockItem, context: ItemContext): void {
  const approved = bodyTokenAmounts(item, context).filter((one) => one.isApproval && one.amount < 0n);
  if (approved.length === 0) return;
  const spender = spenderOf(item, context);
  for (const { accountId, amount, tokenId } of approved) {
    context.rows.version('token_allowance', { amount, owner: accountId, spender, token_id: tokenId });
  }
}

function spenderOf(item: BlockItem, context: ItemContext): bigint {
  const result = item.record.contractCallResult ?? item.record.contractCreateResult;
  return context.lookup.account(result?.senderId) || item.payerAccountId;
}
