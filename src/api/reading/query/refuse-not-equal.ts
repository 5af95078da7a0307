// Refuses `ne` on a key whose values are all valid, for lists that cannot exclude single values.
import { refuse } from '../../../../packages/web-server/request-error.ts';
import { operatorsOf } from './query-parameters.ts';
import type { Query } from './query-string.ts';

/** Throws RequestError with this sentence. `query`: every value of `name` in it is valid. */
export function refuseNotEqual(query: Query, name: string, sentence: string): void {
  if (operatorsOf(query, name).includes('ne')) throw refuse('notEqual', { sentence });
}
