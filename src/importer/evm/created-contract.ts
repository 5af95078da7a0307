// Contracts created by a transaction: the entity, and the origin of its code.
import { toEntityId } from '../../../packages/protocol/hapi/entity-id.ts';
import { type proto, toBigInt } from '../../../packages/protocol/hapi/hapi.ts';
import type { Row } from '../../../packages/schema/tables.ts';
import type { BlockItem } from '../block/block-item.ts';
import type { ItemContext } from '../block/item-context.ts';
import { addCreatedEntity } from '../columns/entity-change.ts';
import { autoRenewAccount, createdStaking, keyColumns } from '../columns/entity-columns.ts';
import { nonEmpty, toStoredText } from '../columns/stored-values.ts';
import { decodedEthereumTransaction, sentInitcode } from './ethereum-data.ts';

/** The contract in the item's receipt. */
export function addCreatedContract(
  item: BlockItem,
  context: ItemContext,
  body: proto.IContractCreateTransactionBody,
  contractId: proto.IContractID,
  evmAddress: Uint8Array | null,
): void {
  const columns = { ...bodyColumns(item, context, body, contractId), evm_address: evmAddress };
  addCreatedEntity(item, context, 'CONTRACT', columns);
  context.rows.upsert('contract', { id: item.entityId, ...contractCode(item, context) });
}

/** Further contracts created by a transaction, from before they had records. */
export function addCreatedContracts(item: BlockItem, context: ItemContext, contractIds: proto.IContractID[]): void {
  const body = item.body.contractCreateInstance;
  for (const contractId of contractIds) {
    const id = context.lookup.contract(contractId);
    addCreatedEntity(item, context, 'CONTRACT', body ? bodyColumns(item, context, body, contractId) : {}, id);
    context.rows.upsert('contract', body ? { id, ...contractCode(item, context) } : { id });
  }
}

function bodyColumns(
  item: BlockItem,
  context: ItemContext,
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

/** From a file, or bytes in the transaction itself, in its sidecar (also the deployed code), or in its parent. */
function contractCode(item: BlockItem, context: ItemContext): Row<'contract'> {
  const own = bodyCode(item.body.contractCreateInstance);
  const bytecode = sidecarBytecode(item, context);
  const inherited = parentCode(item.parent);
  return {
    file_id: own.fileId ?? inherited.fileId,
    initcode: own.initcode ?? nonEmpty(bytecode?.initcode) ?? sentInitcode(item, context) ?? inherited.initcode,
    runtime_bytecode: nonEmpty(bytecode?.runtimeBytecode),
  };
}

type Code = { fileId: bigint | null; initcode: Uint8Array | null };

const noCode: Code = { fileId: null, initcode: null };

function bodyCode(body: proto.IContractCreateTransactionBody | null | undefined): Code {
  return { fileId: toEntityId(body?.fileID) || null, initcode: nonEmpty(body?.initcode) };
}

function parentCode(parent: BlockItem | null): Code {
  if (parent?.body.contractCreateInstance) return bodyCode(parent.body.contractCreateInstance);
  const ethereum = parent?.body.ethereumTransaction;
  if (!parent || !ethereum) return noCode;
  const callDataId = toEntityId(ethereum.callData) || null;
  if (callDataId) return { fileId: callDataId, initcode: null };
  return { fileId: null, initcode: nonEmpty(decodedEthereumTransaction(parent)?.callData) };
}

/** The code that a sidecar of the transaction, or of its parent, has for this contract. */
function sidecarBytecode(item: BlockItem, context: ItemContext): proto.IContractBytecode | null {
  for (const { bytecode, migration } of [...item.sidecars, ...(item.parent?.sidecars ?? [])]) {
    if (bytecode && !migration && context.lookup.contract(bytecode.contractId) === item.entityId) return bytecode;
  }
  return null;
}
