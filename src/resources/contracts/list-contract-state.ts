// GET contracts/{contractIdOrAddress}/state: a page of a contract's storage by slot, now or at a time.

import { anyRange, type Condition, isAnyRange, type Range, toRange } from '../../../packages/kit/range.ts';
import { endpoint } from '../../api/endpoint/endpoint.ts';
import { page } from '../../api/reading/page/page.ts';
import { conditions, equalOrBound, range } from '../../api/reading/query/conditions.ts';
import type { ReadingContext } from '../../api/reading/query/context.ts';
import type { Query } from '../../api/reading/query/query-string.ts';
import { refuseNotEqual } from '../../api/reading/query/refuse-not-equal.ts';
import { slotText, timestampText } from '../../api/reading/value/text-kinds.ts';
import { entityId, evmWord, timestamp } from '../../api/values/kinds.ts';
import { members, nullable, part, value } from '../../api/values/members.ts';
import { pageOf } from '../../api/values/page-of.ts';
import { emptyPage } from '../../ledger/question/page.ts';
import { contractAddress } from './contract-address.ts';
import { findContract, listOfContract } from './contract-path.ts';

const slotKind = members(
  {
    address: part(contractAddress),
    contract_id: entityId,
    timestamp: value(timestamp, 'Of the last change.'),
    slot: evmWord,
    value: nullable(evmWord),
  },
  { name: 'ContractSlot' },
);

/** The range, and the conditions that it was made from. */
const slot = conditions(
  slotText,
  'Slot in hex. All bounds must hold; several exact slots are alternatives.',
  (given): Range & { conditions: readonly Condition[] } => ({ ...toRange(given), conditions: given }),
  { accepts: equalOrBound },
);

export const listContractState = endpoint({
  ...listOfContract('the storage of a contract'),
  path: '/api/v1/contracts/{contractIdOrAddress}/state',
  id: 'listContractState',
  summary: 'The storage of a contract, now or at a time',
  query: {
    ...page({ order: 'asc', by: 'slot' }),
    slot,
    timestamp: range(
      timestampText,
      'Selects the newest change of each slot in this range, or until an exact time, instead of its current value. All must hold; not `ne`.',
    ),
  },
  check(_values, query, { dialect }) {
    if (!dialect.looksUpContractFirst) refuseTimes(query);
  },
  async ask({ path, query, given }, context) {
    const contractId = await findContract(path.contractIdOrAddress, context);
    if (contractId === null) return emptyPage;
    refuseTimes(given);
    const byBytes = comparesBytes(query, context) ? query.slot.conditions : null;
    return context.ledger.contracts.listState({ ...query, contractId, byBytes });
  },
  next: ['slot'],
  // If slots are compared byte by byte, the next one may have a number beyond the bounds.
  nextWithin: (values, context) => (comparesBytes(values, context) ? exactOnly(values.slot) : values.slot),
  answer: pageOf('state', slotKind, 'ContractState'),
  fresh: 1,
});

/** Throws RequestError. */
function refuseTimes(query: Query): void {
  refuseNotEqual(query, 'timestamp', 'Not equals (ne) operator is not supported for timestamp');
}

function comparesBytes({ timestamp }: { timestamp: Range }, { dialect }: ReadingContext): boolean {
  return dialect.pastSlots === 'bytes' && !isAnyRange(timestamp);
}

function exactOnly({ equals }: Range): Range {
  return { ...anyRange, equals };
}
