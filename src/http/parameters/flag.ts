// true or false, in any case, `eq` only; of several the last counts.
import { Type } from '@sinclair/typebox';
import { type QueryParameter, queryParameter } from './parameter.ts';
import type { RawValue } from './query-parameters.ts';

export function flag(description: string, options: { default: boolean }): QueryParameter<boolean> {
  return queryParameter({
    kind: 'flag',
    repeatable: false,
    description,
    schema: () => Type.Boolean(options),
    open: () => ({ read: readFlag, collect: (values) => values.at(-1) ?? options.default }),
  });
}

export function readFlag({ operator, text }: RawValue): boolean | undefined {
  if (operator !== 'eq' || !/^(?:true|false)$/i.test(text)) return undefined;
  return text.toLowerCase() === 'true';
}
