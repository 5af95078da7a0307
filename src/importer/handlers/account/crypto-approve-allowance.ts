// What an owner allows others to spend. Where a transaction names the same owner, spender and token twice, the last
// entry counts.
import { toEntityId } from '../../../protocol/hapi/entity-id.ts';
import type { proto } from '../../../protocol/hapi/hapi.ts';
import { toBigInt } from '../../../protocol/hapi/hapi.ts';
import type { BlockItem, HandlerContext, TransactionHandler } from '../../block/item-context.ts';

export const cryptoApproveAllowance: TransactionHandler = {
  bodyField: 'cryptoApproveAllowance',
  entityId: () => 0n,
  onSuccess: (item, context) => {
    const body = item.body.cryptoApproveAllowance;
    addCryptoAllowances(item, context, body?.cryptoAllowances ?? []);
    addTokenAllowances(item, context, body?.tokenAllowances ?? []);
    addNftAllowances(item, context, body?.nftAllowances ?? []);
  },
};

function addCryptoAllowances(item: BlockItem, context: HandlerContext, allowances: proto.ICryptoAllowance[]): void {
  for (const allowance of allowances) {
    const amount = toBigInt(allowance.amount);
    context.rows.version('crypto_allowance', {
      amount,
      amount_granted: amount,
      ...parties(item, context, allowance),
    });
  }
}

function addTokenAllowances(item: BlockItem, context: HandlerContext, allowances: proto.ITokenAllowance[]): void {
  for (const allowance of allowances) {
    const amount = toBigInt(allowance.amount);
    context.rows.version('token_allowance', {
      amount,
      amount_granted: amount,
      ...parties(item, context, allowance),
      token_id: toEntityId(allowance.tokenId),
    });
  }
}

function addNftAllowances(item: BlockItem, context: HandlerContext, allowances: proto.INftAllowance[]): void {
  for (const allowance of allowances) {
    const common = parties(item, context, allowance);
    const tokenId = toEntityId(allowance.tokenId);
    if (allowance.approvedForAll) {
      context.rows.version('nft_allowance', {
        approved_for_all: allowance.approvedForAll.value === true,
        ...common,
        token_id: tokenId,
      });
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
}

type Parties = {
  owner: bigint;
  payer_account_id: bigint;
  spender: bigint;
  timestamp_range: { from: bigint; to: null };
};

/** The owner is the payer unless named. */
function parties(
  item: BlockItem,
  { lookup }: HandlerContext,
  allowance: { owner?: proto.IAccountID | null; spender?: proto.IAccountID | null },
): Parties {
  return {
    owner: lookup.account(allowance.owner) || item.payerAccountId,
    payer_account_id: item.payerAccountId,
    spender: lookup.account(allowance.spender),
    timestamp_range: { from: item.consensusTimestamp, to: null },
  };
}
