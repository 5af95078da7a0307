// true or false that stands alone: once, without an operator, not as a list. When it is refused is the endpoint's to say.
import { Type } from '@sinclair/typebox';
import { refuse } from '../frame/request-error.ts';
import { readFlag } from './flag.ts';
import { type QueryParameter, queryParameter } from './parameter.ts';

/** `read` throws RequestError where it does not stand alone. */
export type BareFlag = { read(): boolean };

export function bareFlag(description: string, options: { default: boolean }): QueryParameter<BareFlag> {
  return queryParameter({
    kind: 'flag',
    repeatable: false,
    description,
    schema: () => Type.Boolean(options),
    open: () => ({
      read: readFlag,
      collect: (values, given): BareFlag => ({
        read() {
          if (given === undefined) return options.default;
          if (given.repeated || given.values.length !== 1 || given.values[0]?.includes(':')) {
            throw refuse('invalidHbar', { value: given.values.join(',') });
          }
          return values[0]!;
        },
      }),
    }),
  });
}
