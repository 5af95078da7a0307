// true or false, in any case, `eq` only; the last of several counts.
import { Type } from '@sinclair/typebox';
import { type QueryParameter, queryParameter } from '../query/parameter.ts';
import type { RawValue } from '../query/query-parameters.ts';

/**
 * null as the default: absence has its own meaning. `alone`: an operator before it makes it false, if the dialect says
 * so.
 */
export function flag<D extends boolean | null>(
  description: string,
  { alone = false, ...options }: { default: D; alone?: boolean },
): QueryParameter<boolean | D> {
  return queryParameter({
    kind: 'flag',
    repeatable: false,
    description,
    schema: () => Type.Boolean(options.default === null ? {} : options),
    open: ({ dialect }) => ({
      read(value) {
        const meant = readFlag(value, dialect.flags);
        return meant && alone && dialect.readsWordsAlone ? value.raw === value.text : meant;
      },
      collect: (values) => values.at(-1) ?? options.default,
    }),
  });
}

export const plainFlags: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
]);

export function readFlag({ operator, text }: RawValue, flags = plainFlags): boolean | undefined {
  return operator === 'eq' ? flags.get(text.toLowerCase()) : undefined;
}
