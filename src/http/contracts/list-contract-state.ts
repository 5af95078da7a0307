// GET contracts/{contractIdOrAddress}/state: a page of a contract's storage by slot, now or as it was.

import type { ContractSlot } from '../../ledger/contracts/contract-state.ts';
import { emptyPage } from '../../ledger/page.ts';
import { endpoint } from '../endpoint.ts';
import { range } from '../parameters/conditions.ts';
import { isLookedUp } from '../parameters/entity-reference.ts';
import { page } from '../parameters/page.ts';
import { refuseNotEqual } from '../parameters/refuse-not-equal.ts';
import { slotText, timestampText } from '../parameters/text-kinds.ts';
import { entityId, evmAddress, evmWord, timestamp } from '../values/kinds.ts';
import { members, nullable, value } from '../values/members.ts';
import { pageOf } from '../values/page-of.ts';
import { contractInPath, findContract } from './contract-path.ts';

const slotKind = members<ContractSlot>(
  {
    address: value(evmAddress, ({ contractEvmAddress, contractId }) => ({
      evmAddress: contractEvmAddress,
      id: contractId,
    })),
    contract_id: value(entityId, (item) => item.contractId),
    timestamp: value(timestamp, (item) => item.timestamp, 'Of the last change.'),
    slot: value(evmWord, (item) => item.slot),
    value: nullable(evmWord, (item) => item.value),
  },
  { name: 'ContractSlot' },
);

export const listContractState = endpoint({
  path: '/api/v1/contracts/{contractIdOrAddress}/state',
  id: 'listContractState',
  tag: 'Contracts',
  summary: 'The storage of a contract, now or at a time',
  in: { contractIdOrAddress: contractInPath },
  query: {
    ...page({ order: 'asc', by: 'slot' }),
    slot: range(slotText, 'Slot in hex. All bounds must hold; several exact slots are alternatives.', {
      accepts: ['eq', 'lt', 'lte', 'gt', 'gte'],
    }),
    timestamp: range(
      timestampText,
      'The newest change of each slot then, or until an exact time, in place of its value now. All must hold; not `ne`.',
    ),
  },
  check: (_values, query) => refuseNotEqual(query, 'timestamp', 'notEqualsCondition'),
  several: ({ path }) => isLookedUp(path.contractIdOrAddress),
  async ask({ path, query }, context) {
    const { slot, timestamp, order, limit } = query;
    const contractId = await findContract(path.contractIdOrAddress, context);
    if (contractId === null) return emptyPage;
    return context.ledger.contracts.listState({ contractId, slot, timestamp, order, limit });
  },
  next: ['slot'],
  answer: pageOf('state', slotKind, 'ContractState'),
  fresh: 1,
  example: {
    text: 'the storage of a contract',
    find: ({ contractId }) => contractId,
    missing: 'no contract has been created yet',
  },
});
