// GET contracts/{contractIdOrAddress}/state: a page of a contract's storage by slot, now or as it was.

import { anyRange, type Condition, isAnyRange, type Range } from '../../../kit/range.ts';
import { emptyPage } from '../../../ledger/question/page.ts';
import { endpoint } from '../../endpoint/endpoint.ts';
import { page } from '../../reading/page/page.ts';
import { range } from '../../reading/query/conditions.ts';
import type { ReadingContext } from '../../reading/query/context.ts';
import type { QueryParameter } from '../../reading/query/parameter.ts';
import type { Query } from '../../reading/query/query-string.ts';
import { refuseNotEqual } from '../../reading/query/refuse-not-equal.ts';
import { isLookedUp } from '../../reading/value/entity-reference.ts';
import { slotText, timestampText } from '../../reading/value/text-kinds.ts';
import { entityId, evmWord, timestamp } from '../../values/kinds.ts';
import { members, nullable, part, value } from '../../values/members.ts';
import { pageOf } from '../../values/page-of.ts';
import { contractAddress } from './contract-address.ts';
import { contractInPath, findContract } from './contract-path.ts';

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

const slots = range(slotText, 'Slot in hex. All bounds must hold; several exact slots are alternatives.', {
  accepts: ['eq', 'lt', 'lte', 'gt', 'gte'],
});
/** With its conditions. */
const slot: QueryParameter<Range & { conditions: readonly Condition[] }> = {
  ...slots,
  open(context) {
    const { read, collect } = slots.open(context);
    return {
      read,
      collect: (values, given) => ({ ...collect(values, given), conditions: values as readonly Condition[] }),
    };
  },
};

export const listContractState = endpoint({
  path: '/api/v1/contracts/{contractIdOrAddress}/state',
  id: 'listContractState',
  tag: 'Contracts',
  summary: 'The storage of a contract, now or at a time',
  in: { contractIdOrAddress: contractInPath },
  query: {
    ...page({ order: 'asc', by: 'slot' }),
    slot,
    timestamp: range(
      timestampText,
      'The newest change of each slot then, or until an exact time, in place of its value now. All must hold; not `ne`.',
    ),
  },
  check(_values, query, { dialect }) {
    if (!dialect.looksUpContractFirst) refuseTimes(query);
  },
  several: ({ path }) => isLookedUp(path.contractIdOrAddress),
  async ask({ path, query, given }, context) {
    const contractId = await findContract(path.contractIdOrAddress, context);
    if (contractId === null) return emptyPage;
    refuseTimes(given);
    const byBytes = comparesBytes(query, context) ? query.slot.conditions : null;
    return context.ledger.contracts.listState({ ...query, contractId, byBytes });
  },
  next: ['slot'],
  // Compared byte by byte, a slot may follow whose number lies beyond the bounds.
  nextWithin: (values, context) => (comparesBytes(values, context) ? exactOnly(values.slot) : values.slot),
  answer: pageOf('state', slotKind, 'ContractState'),
  fresh: 1,
  example: {
    text: 'the storage of a contract',
    find: ({ contractId }) => contractId,
    missing: 'no contract has been created yet',
  },
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
