// When something was written, as bounds: an exact time means the last version up to it.
import { toRange } from '../../../kit/range.ts';
import { momentWithinClock } from '../../../ledger/question/within-clock.ts';
import { compared, several } from '../query/conditions.ts';
import { type QueryParameter, queryParameter } from '../query/parameter.ts';
import { timestampText } from '../value/text-kinds.ts';

const accepted = ['eq', 'lt', 'lte', 'gt', 'gte'] as const;

/** Inclusive, ns; null = open. */
export type Bounds = { from: bigint | null; to: bigint | null };

export function writtenWithin(description: string): QueryParameter<Bounds> {
  return queryParameter({
    kind: timestampText.name,
    repeatable: true,
    most: { count: 2, name: 'timestamp' },
    description,
    schema: (context) => several(compared(timestampText.form(context), accepted), context),
    open: (context) => ({
      read({ operator, text }) {
        if (!(accepted as readonly string[]).includes(operator)) return undefined;
        const value = timestampText.read(text, context);
        return value === undefined ? undefined : { operator: operator === 'eq' ? ('lte' as const) : operator, value };
      },
      collect(conditions): Bounds {
        const { from, to } = toRange(conditions);
        return { from: from && momentWithinClock(from), to: to && momentWithinClock(to) };
      },
    }),
  });
}
