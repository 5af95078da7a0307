// true or false, in any case, `eq` only; of several the last counts.
import { Type } from '@sinclair/typebox';
import { type QueryParameter, queryParameter } from './parameter.ts';
import type { RawValue } from './query-parameters.ts';

/** null as the default: not given means something of its own. */
export function flag<D extends boolean | null>(
  description: string,
  options: { default: D },
): QueryParameter<boolean | D> {
  return queryParameter({
    kind: 'flag',
    repeatable: false,
    description,
    schema: () => Type.Boolean(options.default === null ? {} : options),
    open: () => ({ read: readFlag, collect: (values) => values.at(-1) ?? options.default }),
  });
}

export function readFlag({ operator, text }: RawValue): boolean | undefined {
  if (operator !== 'eq' || !/^(?:true|false)$/i.test(text)) return undefined;
  return text.toLowerCase() === 'true';
}
