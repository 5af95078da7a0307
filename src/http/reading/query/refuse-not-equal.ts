// `ne` on a key whose values are all good, where a list cannot leave out single values.

import { type RefusalCode, refuse } from '../../frame/request-error.ts';
import { operatorsOf } from './query-parameters.ts';
import type { Query } from './query-string.ts';

/** Throws RequestError. `query`: every value of `name` in it is valid. */
export function refuseNotEqual(query: Query, name: string, code: RefusalCode): void {
  if (operatorsOf(query, name).includes('ne')) throw refuse(code, { name });
}
