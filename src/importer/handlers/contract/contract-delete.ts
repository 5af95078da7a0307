// ContractDelete: the entity is marked, with who got what it held.
import { deletedEntity } from '../../columns/entity-change.ts';
import type { BlockItem, HandlerContext, TransactionHandler } from '../../block/item-context.ts';
import { targetContract } from './contract-target.ts';

export const contractDelete: TransactionHandler = {
  bodyField: 'contractDeleteInstance',
  entityId: (item, context) => targetContract(item, context, item.body.contractDeleteInstance?.contractID),
  onSuccess(item, context) {
    if (item.entityId === 0n) return;
    context.rows.version(
      'entity',
      deletedEntity(item, item.entityId, 'CONTRACT', {
        obtainer_id: obtainerId(item, context) || null,
        permanent_removal: item.body.contractDeleteInstance?.permanentRemoval === true,
      }),
    );
  },
};

function obtainerId({ body }: BlockItem, { lookup }: HandlerContext): bigint {
  const { transferAccountID, transferContractID } = body.contractDeleteInstance ?? {};
  return transferAccountID ? lookup.account(transferAccountID) : lookup.contract(transferContractID);
}
