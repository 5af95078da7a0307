// What every transaction contributes, in the order in which later rows depend on earlier ones. A bad part is reported
// and left out; the transaction row and its transfers are always made.

import type { JsonValue } from '../../../packages/postgres/wire/values.ts';
import { toBigInt } from '../../../packages/protocol/hapi/hapi.ts';
import { responseCode } from '../../../packages/protocol/hapi/response-codes.ts';
import { toTimestamp } from '../../../packages/protocol/hapi/timestamp.ts';
import { type BodyField, typeNumber } from '../../../packages/protocol/hapi/transaction-types.ts';
import type { BlockItem } from '../block/block-item.ts';
import type { ItemContext } from '../block/item-context.ts';
import type { Rule } from '../block/transaction-handler.ts';
import { assignEvmIndex } from '../evm/block-evm.ts';
import { addContractResult } from '../evm/contract-result.ts';
import { findHandler } from '../handlers/handler-table.ts';
import { addHbarAllowanceDebits, addHbarTransfers } from './hbar-transfers.ts';
import { addNftTransfers } from './nft-transfers.ts';
import {
  addAssessedCustomFees,
  addAutomaticAssociations,
  addScheduleExecution,
  addScheduleSignatures,
  addStakingRewardTransfers,
} from './record-rows.ts';
import { addTokenAllowanceDebits, addTokenTransfers } from './token-transfers.ts';
import { type TransactionRowOptions, transactionHashRow, transactionRow } from './transaction-row.ts';

/** @param innerTransactions payer and valid start of each inner transaction, for the row of a batch */
export function importItem(
  item: BlockItem,
  innerTransactions: bigint[] | null,
  context: ItemContext,
  options: TransactionRowOptions,
): void {
  const handler = findHandler(item.type);
  const body = handler && item.body[handler.bodyField];
  item.entityId = body ? attemptRule(handler.entityId, body, item, context, 0n) : 0n;
  attempt(assignEvmIndex, item, context, undefined);

  if (body) {
    if (item.successful) attemptRule(handler.onSuccess, body, item, context, undefined);
    if (item.successful && item.entityId !== 0n) attemptRule(handler.onEntity, body, item, context, undefined);
    attemptRule(handler.always, body, item, context, undefined);
  }
  attempt(addHbarTransfers, item, context, undefined);
  attempt(addStakingRewardTransfers, item, context, undefined);
  attempt(addScheduleExecution, item, context, undefined);
  if (item.successful) {
    attempt(addScheduleSignatures, item, context, undefined);
    attempt(addHbarAllowanceDebits, item, context, undefined);
    attempt(addTokenAllowanceDebits, item, context, undefined);
  }
  let nftTransfers = noNftTransfers;
  let endedNfts = noElements;
  // The ledger may have moved tokens although the transaction failed.
  if (item.successful || item.status === responseCode.FAIL_INVALID) {
    attempt(addAutomaticAssociations, item, context, undefined);
    endedNfts = attempt(addTokenTransfers, item, context, noElements);
    nftTransfers = attempt(addNftTransfers, item, context, noNftTransfers);
    attempt(addAssessedCustomFees, item, context, undefined);
  }
  attempt(addContractResult, item, context, undefined);

  const itemizedTransfers =
    options.itemizedTransfers && item.successful ? attempt(toItemizedTransfers, item, context, null) : null;
  const nftElements =
    endedNfts.length + nftTransfers.elements.length > 0 ? [...endedNfts, ...nftTransfers.elements] : noElements;
  const parts = { nftTransfers: nftElements, itemizedTransfers, innerTransactions };
  context.rows.insert('transaction', transactionRow(item, parts, options));
  const hashRow = transactionHashRow(item);
  if (hashRow) context.rows.insert('transaction_hash', hashRow);

  for (const operation of nftTransfers.operations) context.rows.operation(operation);
}

/** As `context.guard`, without a closure for each part: they were a twentieth of all allocations of an import. */
function attempt<Result>(
  rule: (item: BlockItem, context: ItemContext) => Result,
  item: BlockItem,
  context: ItemContext,
  otherwise: Result,
): Result {
  try {
    return rule(item, context);
  } catch (thrown) {
    context.leaveOut(item, thrown);
    return otherwise;
  }
}

/** The same for the contribution of the item's type, if any. */
function attemptRule<Result>(
  rule: Rule<BodyField, Result> | undefined,
  body: Parameters<Rule<BodyField, Result>>[0],
  item: BlockItem,
  context: ItemContext,
  otherwise: Result,
): Result {
  if (!rule) return otherwise;
  try {
    return rule(body, item, context);
  } catch (thrown) {
    context.leaveOut(item, thrown);
    return otherwise;
  }
}

const noElements: JsonValue[] = [];
const noNftTransfers: ReturnType<typeof addNftTransfers> = { elements: [], operations: [] };

/** The body's own list of transfers, before fees. */
function toItemizedTransfers(item: BlockItem, context: ItemContext): JsonValue[] | null {
  const transfers = item.body.cryptoTransfer?.transfers?.accountAmounts;
  if (!transfers || transfers.length === 0) return null;
  return transfers.map(({ accountID, amount, isApproval }) => ({
    amount: toBigInt(amount),
    entity_id: context.lookup.account(accountID) || null,
    is_approval: isApproval === true,
  }));
}

/** Payer and valid start of each batch's inner transactions, by the batch's consensus timestamp. */
export function collectInnerTransactions(items: BlockItem[]): Map<bigint, bigint[]> {
  const inner = new Map<bigint, bigint[]>();
  for (const { parent, body, payerAccountId } of items) {
    const id = body.transactionID;
    if (parent?.type !== typeNumber.atomicBatch || (id?.nonce ?? 0) !== 0 || !id?.transactionValidStart) continue;
    const list = inner.get(parent.consensusTimestamp) ?? [];
    list.push(payerAccountId, toTimestamp(id.transactionValidStart));
    inner.set(parent.consensusTimestamp, list);
  }
  return inner;
}
