// One account by its id or EVM address, without an operator.
import { Type } from '@sinclair/typebox';
import { refuse } from '../../../../packages/web-server/request-error.ts';
import { type QueryParameter, queryParameter } from '../query/parameter.ts';
import type { Query } from '../query/query-string.ts';
import { type EntityReference, parseEntityReference } from './entity-reference.ts';

const name = 'account.id';

/** null = absent, undefined = the id of nothing. */
export function oneAccount(description: string): QueryParameter<bigint | null | undefined> {
  return queryParameter({
    kind: 'account',
    repeatable: false,
    description,
    schema: ({ dialect }) => Type.String({ pattern: dialect.forms.entity.source }),
    open: ({ dialect, settings }) => ({
      read({ raw, text: id }) {
        const mayCount = raw === id || dialect.judgesOneAccountLast;
        return mayCount && dialect.forms.entity.test(id) ? id : undefined;
      },
      collect(ids: string[], given) {
        if (given === undefined) return null;
        if (ids.length !== 1 && !dialect.judgesOneAccountLast) throw refuse('invalidParameter', { name });
        const references = ids.map((id) => parseEntityReference(id, settings.system));
        references.forEach(refuseImpossible);
        const [reference] = references;
        return reference?.kind === 'id' ? reference.id : undefined;
      },
    }),
  });
}

/**
 * Throws RequestError unless it is one account. For dialects that validate it last: each value is valid as a condition.
 */
export function refuseSeveralAccounts(query: Query): void {
  const given = query.find((parameter) => parameter.name === name);
  if (!given) return;
  if (given.repeated) throw refuse('idIsNoText', { id: given.values.join() });
  if (given.values[0]?.includes(':')) throw refuse('invalidParameter', { name });
}

/** Throws RequestError if no account can have this id or address. */
function refuseImpossible(reference: EntityReference): void {
  if (reference.kind === 'id' || (reference.kind === 'evmAddress' && !reference.foreign)) return;
  throw refuse('invalidEntityId', { id: reference.padded });
}
