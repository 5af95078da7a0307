// ContractCreate: a contract entity and where its code came from. Contracts made inside a transaction come as child
// records with an empty body and take file or code from the transaction that caused them.
import { toEntityId } from '../../../protocol/hapi/entity-id.ts';
import { type proto, toBigInt } from '../../../protocol/hapi/hapi.ts';
import type { Row } from '../../../store/schema/tables.ts';
import { autoRenewAccount } from '../../columns/auto-renew-account.ts';
import { createdEntity } from '../../columns/entity-change.ts';
import { addHookChanges } from '../../evm/hook-changes.ts';
import { keyColumns } from '../../columns/key-columns.ts';
import { nonEmpty } from '../../columns/non-empty.ts';
import { createdStaking } from '../../columns/staking-columns.ts';
import { toStoredText } from '../../columns/stored-text.ts';
import type { BlockItem, HandlerContext, TransactionHandler } from '../../block/item-context.ts';
import { contractCode } from '../../evm/contract-code.ts';

export const contractCreate: TransactionHandler = {
  bodyField: 'contractCreateInstance',
  entityId: (item, context) => context.lookup.contract(item.record.receipt?.contractID),
  onSuccess(item, context) {
    const { contractCreateInstance: body } = item.body;
    const { receipt, contractCreateResult } = item.record;
    if (!body || !receipt?.contractID || item.entityId === 0n) return;
    const evmAddress = contractCreateResult?.evmAddress?.value ?? null;
    context.lookup.remember(item.entityId, { evmAddress });
    const columns = { ...bodyColumns(item, context, body, receipt.contractID), evm_address: nonEmpty(evmAddress) };
    context.rows.version('entity', createdEntity(item, item.entityId, 'CONTRACT', columns));
    context.rows.upsert('contract', { id: item.entityId, ...contractCode(item, context) });
    addHookChanges(item, context, body);
  },
};

/** Contracts that a transaction made besides its own, of the time when they had no records. */
export function addCreatedContracts(item: BlockItem, context: HandlerContext, contractIds: proto.IContractID[]): void {
  const body = item.body.contractCreateInstance;
  for (const contractId of contractIds) {
    const id = context.lookup.contract(contractId);
    const columns = body ? bodyColumns(item, context, body, contractId) : {};
    context.rows.version('entity', createdEntity(item, id, 'CONTRACT', columns));
    context.rows.upsert('contract', body ? { id, ...contractCode(item, context) } : { id });
  }
}

function bodyColumns(
  item: BlockItem,
  context: HandlerContext,
  body: proto.IContractCreateTransactionBody,
  contractId: proto.IContractID,
): Row<'entity'> {
  const { autoRenewAccountId, autoRenewPeriod, proxyAccountID } = body;
  return {
    auto_renew_account_id: autoRenewAccount(item, context, autoRenewAccountId) || null,
    auto_renew_period: autoRenewPeriod ? toBigInt(autoRenewPeriod.seconds) : null,
    balance: 0n,
    balance_timestamp: item.consensusTimestamp,
    // A contract without an admin key holds its own key and is immutable.
    ...keyColumns(body.adminKey ?? { contractID: contractId }),
    max_automatic_token_associations: body.maxAutomaticTokenAssociations ?? 0,
    memo: toStoredText(body.memo ?? ''),
    proxy_account_id: toEntityId(proxyAccountID) || null,
    ...createdStaking(item, context, body),
  };
}
