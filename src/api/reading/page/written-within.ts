// A range of write times as bounds: an exact time means the last version up to it.
import { toRange } from '../../../../packages/kit/range.ts';
import { momentWithinClock } from '../../../ledger/question/within-clock.ts';
import { conditions, equalOrBound } from '../query/conditions.ts';
import type { QueryParameter } from '../query/parameter.ts';
import { timestampText } from '../value/text-kinds.ts';

/** Inclusive, ns; null = open. */
export type Bounds = { from: bigint | null; to: bigint | null };

export function writtenWithin(description: string): QueryParameter<Bounds> {
  return conditions(
    timestampText,
    description,
    (given): Bounds => {
      const bounds = given.map(({ operator, value }) =>
        operator === 'eq' ? { operator: 'lte' as const, value } : { operator, value },
      );
      const { from, to } = toRange(bounds);
      return { from: from && momentWithinClock(from), to: to && momentWithinClock(to) };
    },
    { accepts: equalOrBound, most: { count: 2, name: 'timestamp' } },
  );
}
