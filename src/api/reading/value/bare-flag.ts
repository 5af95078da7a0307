// true or false that stands alone: once, without an operator, not as a list. The endpoint decides when to refuse it.
import { Type } from '@sinclair/typebox';
import { refuse } from '../../../../packages/web-server/request-error.ts';
import { type QueryParameter, queryParameter } from '../query/parameter.ts';
import type { QueryParameter as GivenParameter } from '../query/query-string.ts';
import { readFlag } from './flag.ts';

/** `read` throws RequestError if it does not stand alone. */
export type BareFlag = { read(): boolean };

export function bareFlag(description: string, options: { default: boolean }): QueryParameter<BareFlag> {
  return queryParameter({
    kind: 'flag',
    repeatable: false,
    description,
    schema: () => Type.Boolean(options),
    open: () => ({
      read: (value) => readFlag(value),
      collect: (_values, given): BareFlag => ({ read: () => readBareFlag(given) ?? options.default }),
    }),
  });
}

/** The text of a value that is a list of members: `hbar[x]=`. */
const noText = '[object Object]';

/** undefined = absent. Throws RequestError if it does not stand alone. */
export function readBareFlag(given: GivenParameter | undefined): boolean | undefined {
  if (given === undefined) return undefined;
  const { values, repeated } = given;
  const text = repeated || values.length !== 1 ? null : values[0]!;
  const flag = text === null ? undefined : readFlag({ operator: 'eq', text, raw: text });
  if (flag === undefined) throw refuse('invalidHbar', { value: values.map((value) => value ?? noText).join() });
  return flag;
}
