// Fungible tokens moved by a transaction: token_transfer rows and the changed balances of token accounts. Dissociation
// from a deleted NFT class is recorded like a fungible transfer, but is one of NFTs.

import { compareBigints } from '../../../packages/kit/compare-bigints.ts';
import type { JsonValue } from '../../../packages/postgres/wire/values.ts';
import { toEntityId } from '../../../packages/protocol/hapi/entity-id.ts';
import { toBigInt } from '../../../packages/protocol/hapi/hapi.ts';
import { typeNumber } from '../../../packages/protocol/hapi/transaction-types.ts';
import type { BlockItem } from '../block/block-item.ts';
import type { ItemContext } from '../block/item-context.ts';
import { spenderOf } from './hbar-transfers.ts';

/** Returns elements of transaction.nft_transfer, which only dissociation from a deleted NFT class makes here. */
export function addTokenTransfers(item: BlockItem, context: ItemContext): JsonValue[] {
  const nftElements: JsonValue[] = [];
  for (const list of item.record.tokenTransferLists ?? []) {
    const transfers = list.transfers ?? [];
    if (transfers.length === 0) continue;
    const tokenId = toEntityId(list.token);
    const leavesDeletedToken = item.type === typeNumber.tokenDissociate && transfers.length === 1;
    for (const transfer of transfers) {
      const accountId = context.lookup.account(transfer.accountID);
      const amount = toBigInt(transfer.amount);
      context.rows.version('token_account', {
        account_id: accountId,
        balance: amount,
        balance_timestamp: item.consensusTimestamp,
        token_id: tokenId,
      });
      if (leavesDeletedToken) {
        context.rows.version('token', { token_id: tokenId, total_supply: amount });
        if (isNonFungible(context, accountId, tokenId)) {
          nftElements.push(...endNftsOfAccount(item, context, accountId, tokenId));
          continue;
        }
      }
      context.rows.insert('token_transfer', {
        account_id: accountId,
        amount,
        consensus_timestamp: item.consensusTimestamp,
        is_approval: amount < 0n && isApproved(item, context, { tokenId, accountId, amount }),
        payer_account_id: item.payerAccountId,
        token_id: tokenId,
      });
    }
  }
  return nftElements;
}

function isNonFungible({ rows, stored }: ItemContext, accountId: bigint, tokenId: bigint): boolean {
  const type = rows.latest('token', { token_id: tokenId })?.type;
  return type ? type === 'NON_FUNGIBLE_UNIQUE' : stored.holding(accountId, tokenId).nonFungible;
}

/** Ends every NFT that the account still owned, from stored ones and this block's changes. */
function endNftsOfAccount(
  item: BlockItem,
  { rows, stored }: ItemContext,
  accountId: bigint,
  tokenId: bigint,
): JsonValue[] {
  const elements: JsonValue[] = [];
  const gained = rows
    .upserted('nft')
    .filter((row) => row.token_id === tokenId && row.account_id === accountId)
    .map((row) => row.serial_number!);
  const serialNumbers = new Set([...stored.holding(accountId, tokenId).serialNumbers, ...gained]);
  for (const serialNumber of [...serialNumbers].sort(compareBigints)) {
    const latest = rows.latest('nft', { serial_number: serialNumber, token_id: tokenId });
    if (latest?.deleted === true || (latest?.account_id ?? accountId) !== accountId) continue;
    rows.version('nft', {
      deleted: true,
      serial_number: serialNumber,
      timestamp_range: { from: item.consensusTimestamp, to: null },
      token_id: tokenId,
    });
    elements.push({
      is_approval: false,
      receiver_account_id: null,
      sender_account_id: accountId,
      serial_number: serialNumber,
      token_id: tokenId,
    });
  }
  return elements;
}

/** As in the body for the same account and amount, else for the same account (fees can change the amount). */
function isApproved(
  item: BlockItem,
  context: ItemContext,
  { tokenId, accountId, amount }: Omit<TokenAmount, 'isApproval'>,
): boolean {
  const approved = bodyTokenAmounts(item, context).filter(
    (one) => one.tokenId === tokenId && one.accountId === accountId,
  );
  if (approved.length === 0) return false;
  const exact = approved.find((one) => one.amount === amount);
  return exact ? exact.isApproval : approved.some((one) => one.isApproval);
}

/** What a successful transfer takes from the allowances that permitted it. */
export function addTokenAllowanceDebits(item: BlockItem, context: ItemContext): void {
  const approved = bodyTokenAmounts(item, context).filter((one) => one.isApproval && one.amount < 0n);
  if (approved.length === 0) return;
  const spender = spenderOf(item, context);
  for (const { accountId, amount, tokenId } of approved) {
    context.rows.version('token_allowance', { amount, owner: accountId, spender, token_id: tokenId });
  }
}

type TokenAmount = { tokenId: bigint; accountId: bigint; amount: bigint; isApproval: boolean };

/** All fungible entries of the token lists of a transfer; empty if none of them is an approval, which is usual. */
function bodyTokenAmounts(item: BlockItem, context: ItemContext): TokenAmount[] {
  const lists = item.body.cryptoTransfer?.tokenTransfers;
  if (!lists?.some((list) => list.transfers?.some((transfer) => transfer.isApproval))) return [];
  return lists.flatMap(({ token, transfers }) => {
    const tokenId = toEntityId(token);
    return (transfers ?? []).map(({ accountID, amount, isApproval }) => ({
      tokenId,
      accountId: context.lookup.account(accountID),
      amount: toBigInt(amount),
      isApproval: isApproval === true,
    }));
  });
}
