// One requested moment: `eq` and `lte` include versions that began at it, `lt` does not. The last of several counts.
import { compared } from '../query/conditions.ts';
import { type QueryParameter, queryParameter } from '../query/parameter.ts';
import { timestampText } from './text-kinds.ts';

const accepted = ['eq', 'lt', 'lte'] as const;

/** Inclusive, ns; null if absent. */
export function moment(description: string): QueryParameter<bigint | null> {
  return queryParameter({
    kind: timestampText.name,
    repeatable: true,
    description,
    schema: (context) => compared(timestampText.form(context), accepted),
    open: (context) => ({
      read({ operator, text }) {
        const value = (accepted as readonly string[]).includes(operator)
          ? timestampText.read(text, context)
          : undefined;
        return value === undefined || operator !== 'lt' ? value : value - 1n;
      },
      collect: (values) => values.at(-1) ?? null,
    }),
  });
}
