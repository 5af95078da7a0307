// What an operator does with certain calls: logs them, refuses them, or lets some of them through in a second.
import type { StateBlockName } from '../../../packages/store/read/state/select-state-block.ts';
import type { CallInput } from '../thread/job.ts';
import { createBucket } from './throttle.ts';

export type FilteredCall = Pick<CallInput, 'from' | 'to' | 'value' | 'data' | 'gas'> & {
  estimate: boolean;
  block: StateBlockName | null;
};

export const filterFields = ['block', 'data', 'estimate', 'from', 'gas', 'to', 'value'] as const;
export type FilterField = (typeof filterFields)[number];

/** Whether the field is the text, or contains it. Lower case, hex without `0x`. */
export type CallCondition = { field: FilterField; isWhole: boolean; text: string };

export type CallFilter = {
  action: 'log' | 'reject' | 'throttle';
  /** Of log and reject: which part of the calls, in per cent. Of throttle: calls a second. */
  rate: number;
  /** Looks at this many calls, then at no more. */
  limit: number;
  /** One of them is enough; none: every call. */
  conditions: readonly CallCondition[];
};

export type CallFilters = {
  /** What refuses the call; null = nothing. */
  check(call: FilteredCall): 'filter' | 'requests' | null;
};

export type CallFiltersOptions = {
  onLogged?(call: FilteredCall): void;
  clock?: () => number;
  /** From 0 up to 1. */
  random?: () => number;
};

export function createCallFilters(
  filters: readonly CallFilter[],
  { onLogged, clock, random = Math.random }: CallFiltersOptions = {},
): CallFilters {
  const checks = filters.map((filter) => ({
    filter,
    left: filter.limit,
    bucket: filter.action === 'throttle' ? createBucket(filter.rate, clock) : null,
  }));
  return {
    check(call) {
      for (const check of checks) {
        const { filter, bucket } = check;
        if (filter.rate === 0 || check.left === 0) continue;
        check.left -= 1;
        if (bucket === null && random() * 100 >= filter.rate) continue;
        if (!isMeant(call, filter)) continue;
        if (filter.action === 'log') onLogged?.(call);
        else if (bucket === null) return 'filter';
        else if (!bucket.take(1)) return 'requests';
      }
      return null;
    },
  };
}

function isMeant(call: FilteredCall, { conditions }: CallFilter): boolean {
  return (
    conditions.length === 0 ||
    conditions.some(({ field, isWhole, text }) => {
      const value = textOf[field](call);
      return isWhole ? value === text : value.includes(text);
    })
  );
}

const toAddress = (address: bigint | null): string => (address === null ? '' : address.toString(16).padStart(40, '0'));

const textOf: Record<FilterField, (call: FilteredCall) => string> = {
  block: ({ block }) => toText(block),
  data: ({ data }) => Buffer.from(data.buffer, data.byteOffset, data.length).toString('hex'),
  estimate: ({ estimate }) => String(estimate),
  from: ({ from }) => toAddress(from),
  gas: ({ gas }) => String(gas),
  to: ({ to }) => toAddress(to),
  value: ({ value }) => String(value),
};

/** Digits of call data in the log. */
const maxData = 300;

/** For the log. */
export function describeCall(call: FilteredCall): Record<FilterField, string> {
  const members = filterFields.map((field) => [field, textOf[field](call).slice(0, maxData)]);
  return Object.fromEntries(members) as Record<FilterField, string>;
}

function toText(block: StateBlockName | null): string {
  if (block === null) return 'latest';
  if (block === 'earliest') return block;
  if ('number' in block) return String(block.number);
  return 'hashPrefix' in block ? block.hashPrefix : String(block.around);
}
