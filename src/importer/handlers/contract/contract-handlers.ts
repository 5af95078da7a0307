import { toEntityId } from '../../../../packages/protocol/hapi/entity-id.ts';
import type { proto } from '../../../../packages/protocol/hapi/hapi.ts';
import type { BlockItem } from '../../block/block-item.ts';
import type { ItemContext } from '../../block/item-context.ts';
import type { FamilyHandlers } from '../../block/transaction-handler.ts';
import { addDeletedEntity, addUpdatedEntity } from '../../columns/entity-change.ts';
import { autoRenewAccount, keyColumns, updatedStaking } from '../../columns/entity-columns.ts';
import { changedText, nonEmpty, secondsOf, timestampOf, toStoredText } from '../../columns/stored-values.ts';
import { addCreatedContract } from '../../evm/created-contract.ts';
import { addHookChanges } from '../../evm/hooks.ts';
import { ethereumTransaction } from './ethereum-transaction.ts';

export const contractHandlers: FamilyHandlers<'contract'> = {
  // The effects of a call are in its result.
  contractCall: { entityId: targetContract },
  // Contracts created inside a transaction come as child records with an empty body.
  contractCreateInstance: {
    entityId: (_body, { record }, { lookup }) => lookup.contract(record.receipt?.contractID),
    onEntity: (body, item, context) => {
      const { receipt, contractCreateResult } = item.record;
      if (!receipt?.contractID) return;
      const evmAddress = contractCreateResult?.evmAddress?.value ?? null;
      context.lookup.remember(item.entityId, { evmAddress });
      addCreatedContract(item, context, body, receipt.contractID, nonEmpty(evmAddress));
      addHookChanges(item, context, body);
    },
  },
  // Code cannot change: a file id in the body has no meaning.
  contractUpdateInstance: {
    entityId: targetContract,
    onEntity: (body, item, context) => {
      const { maxAutomaticTokenAssociations: associations } = body;
      addUpdatedEntity(item, context, 'CONTRACT', {
        auto_renew_account_id: autoRenewAccount(item, context, body.autoRenewAccountId),
        auto_renew_period: secondsOf(body.autoRenewPeriod),
        expiration_timestamp: timestampOf(body.expirationTime),
        ...keyColumns(body.adminKey),
        max_automatic_token_associations: associations ? (associations.value ?? 0) : null,
        memo: newMemo(body),
        proxy_account_id: toEntityId(body.proxyAccountID) || null,
        ...updatedStaking(item, context, body),
      });
      addHookChanges(item, context, body);
    },
  },
  contractDeleteInstance: {
    entityId: targetContract,
    onEntity: ({ transferAccountID, transferContractID, permanentRemoval }, item, context) => {
      const { lookup } = context;
      const obtainerId = transferAccountID ? lookup.account(transferAccountID) : lookup.contract(transferContractID);
      addDeletedEntity(item, context, 'CONTRACT', {
        obtainer_id: obtainerId || null,
        permanent_removal: permanentRemoval === true,
      });
    },
  },
  ethereumTransaction,
};

/** The receipt names it by number; the body may only have an EVM address, which may be unknown. */
function targetContract(
  { contractID }: { contractID?: proto.IContractID | null },
  { record }: BlockItem,
  { lookup }: ItemContext,
): bigint {
  return lookup.contract(record.receipt?.contractID) || lookup.contract(contractID);
}

/** Before the wrapper, an empty memo could not be distinguished from none. */
function newMemo({ memo, memoWrapper }: proto.IContractUpdateTransactionBody): string | null {
  if (memoWrapper) return changedText(memoWrapper);
  return memo ? toStoredText(memo) : null;
}
