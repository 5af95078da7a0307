// Query parameters with operators on a text: each condition by itself.
import type { Operator } from '../../../../packages/kit/range.ts';
import type { TextCondition } from '../../../../packages/kit/text-condition.ts';
import { compared, everyOperator, several } from '../query/conditions.ts';
import { type QueryParameter, queryParameter, type TextKind } from '../query/parameter.ts';

export function textConditions(
  kind: TextKind<string>,
  description: string,
  { accepts = everyOperator }: { accepts?: readonly Operator[] } = {},
): QueryParameter<TextCondition[]> {
  return queryParameter({
    kind: kind.name,
    repeatable: true,
    description,
    schema: (context) => several(compared(kind.form(context), accepts), context),
    open: (context) => ({
      read({ operator, text }): TextCondition | undefined {
        const value = accepts.includes(operator) ? kind.read(text, context) : undefined;
        return value === undefined ? undefined : { operator, text: value };
      },
      collect: (conditions: TextCondition[]) => conditions,
    }),
  });
}
