// Tinybar moved by a transaction, including fees, also if it failed: one crypto_transfer row per entry, and the changed
// balances. Invariant: balances change by exactly the sum of the rows that are no erratum.

import { toBigInt } from '../../../packages/protocol/hapi/hapi.ts';
import type { BlockItem } from '../block/block-item.ts';
import type { ItemContext } from '../block/item-context.ts';
import { evmSender } from '../evm/block-evm.ts';

export function addHbarTransfers(item: BlockItem, context: ItemContext): void {
  const transfers = item.record.transferList?.accountAmounts;
  if (!transfers) return;
  const approved = approvedAmounts(item, context);
  const isErratum = findErrata(item, context);
  for (const { accountID, amount: amountField } of transfers) {
    const accountId = context.lookup.account(accountID);
    const amount = toBigInt(amountField);
    context.rows.insert('crypto_transfer', {
      amount,
      consensus_timestamp: item.consensusTimestamp,
      entity_id: accountId,
      errata: isErratum(accountId, amount) ? 'DELETE' : null,
      is_approval:
        amount < 0n &&
        approved !== null &&
        approved.some((one) => one.accountId === accountId && one.amount === amount),
      payer_account_id: item.payerAccountId,
    });
    if (accountId !== 0n && !isErratum(accountId, amount))
      context.rows.adjustBalance(accountId, amount, item.consensusTimestamp);
  }
}

const isNone = (): boolean => false;

/** 2019-12-31T23:59:59Z, ns. */
const lastSpuriousTransfer = 1_577_836_799_000_000_000n;

/**
 * Records of mainnet's first months list the transfers of a failed transaction as if they had happened; only the fees
 * did. The Hiero mirror node marks such rows and excludes them from balances.
 */
function findErrata(item: BlockItem, context: ItemContext): (accountId: bigint, amount: bigint) => boolean {
  const asked = item.body.cryptoTransfer?.transfers?.accountAmounts;
  if (!asked || item.successful || item.consensusTimestamp > lastSpuriousTransfer) return isNone;
  const names = new Set(asked.map((one) => `${context.lookup.account(one.accountID)}:${toBigInt(one.amount)}`));
  return (accountId, amount) => names.has(`${accountId}:${amount}`);
}

type ApprovedAmount = { accountId: bigint; amount: bigint };

/** What a successful transfer takes from the allowances that permitted it. */
export function addHbarAllowanceDebits(item: BlockItem, context: ItemContext): void {
  const approved = approvedAmounts(item, context);
  if (!approved) return;
  const spender = spenderOf(item, context);
  for (const { accountId, amount } of approved) {
    context.rows.version('crypto_allowance', { amount, owner: accountId, spender });
  }
}

/** The contract that made the transfer, if one did, else the payer. */
export function spenderOf(item: BlockItem, context: ItemContext): bigint {
  return evmSender(item, context) || item.payerAccountId;
}

/** Debits of the body's own transfer list that an allowance permits; null without any, which is usual. */
function approvedAmounts(item: BlockItem, context: ItemContext): ApprovedAmount[] | null {
  const amounts = item.body.cryptoTransfer?.transfers?.accountAmounts;
  if (!amounts) return null;
  let approved: ApprovedAmount[] | null = null;
  for (const { accountID, amount, isApproval } of amounts) {
    if (!isApproval) continue;
    const value = toBigInt(amount);
    if (value >= 0n) continue;
    approved ??= [];
    approved.push({ accountId: context.lookup.account(accountID), amount: value });
  }
  return approved;
}
