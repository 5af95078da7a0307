// ContractCall: makes no rows of its own; what it did is in its result.
import type { TransactionHandler } from '../../block/item-context.ts';
import { targetContract } from './contract-target.ts';

export const contractCall: TransactionHandler = {
  bodyField: 'contractCall',
  entityId: (item, context) => targetContract(item, context, item.body.contractCall?.contractID),
};
