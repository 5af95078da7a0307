// A page of a contract's storage: the values of slots now, or at a time.

import { type Condition, clampRange, isAnyRange, isEmptyRange, type Range } from '../../../packages/kit/range.ts';
import type { Database } from '../../../packages/postgres/wire/database.ts';
import {
  type ContractStateFilter,
  type SlotFilter,
  type SlotsByBytes,
  selectContractState,
  selectPastContractState,
} from '../../../packages/store/read/select-contract-state.ts';
import { words } from '../../../packages/store/read/statement/statement-parts.ts';
import { askPage } from '../question/page.ts';
import { upperBound } from '../question/version-filter.ts';

export type ContractStateQuery = Omit<ContractStateFilter, 'slot'> & {
  /** Of the slot as a number; exact values are alternatives. */
  slot: Range;
  /** Without any condition the current storage; an exact time means the newest change until then. */
  timestamp: Range;
  /**
   * Conditions on past slots, instead of `slot`: compared and ordered byte by byte, without leading zeros. null = as
   * numbers.
   */
  byBytes: readonly Condition[] | null;
};

export function createContractState({ db }: { db: Database }) {
  /** By slot. */
  return ({ slot, timestamp, byBytes, ...query }: ContractStateQuery) => {
    const { from } = timestamp;
    const to = upperBound(timestamp);
    const slots = toSlotFilter(slot);
    const pastSlots = byBytes ? toSlotsByBytes(byBytes) : slots;
    const isEmpty = from !== null && from > to;
    const present = isAnyRange(timestamp) && slots && { ...query, slot: slots };
    const past = !isAnyRange(timestamp) && pastSlots && { ...query, slot: pastSlots, changed: { from, to } };
    return askPage(
      isEmpty ? null : present || past || null,
      (filter) => ('changed' in filter ? selectPastContractState(db, filter) : selectContractState(db, filter)),
      (last) => BigInt(`0x${last.slot.toString('hex') || '0'}`),
    );
  };
}

/** null = no slot can meet the conditions. */
function toSlotFilter(range: Range): SlotFilter | null {
  const slots = clampRange(range, words);
  if (isEmptyRange(slots)) return null;
  const { from, to, equals } = slots;
  return {
    equals: equals.map(toSlot),
    from: from === null ? null : toSlot(from),
    to: to === null ? null : toSlot(to),
  };
}

const comparisons = { lt: '<', lte: '<=', gt: '>', gte: '>=' } as const;

function toSlotsByBytes(conditions: readonly Condition[]): SlotsByBytes {
  const equals: Buffer[] = [];
  const bounds: SlotsByBytes['bounds'][number][] = [];
  for (const { operator, value } of conditions) {
    if (operator === 'eq') equals.push(toSlot(value));
    else if (operator !== 'ne') bounds.push({ operator: comparisons[operator], slot: toSlot(value) });
  }
  return { equals, bounds };
}

function toSlot(value: bigint): Buffer {
  return Buffer.from(value.toString(16).padStart(64, '0'), 'hex');
}
