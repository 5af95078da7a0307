// `account.id` of balances: ids in conditions, or one account by its EVM address or alias. It is validated last, and
// the detail says what is wrong with an address or alias.

import { Type } from '@sinclair/typebox';
import { decodeBase32 } from '../../../packages/kit/base32.ts';
import { type Condition, emptyRange, type Operator, type Range, toRange } from '../../../packages/kit/range.ts';
import { formatEntityId } from '../../../packages/protocol/hapi/entity-id.ts';
import type { SystemRealm } from '../../../packages/protocol/hapi/system-entity.ts';
import { refuse } from '../../../packages/web-server/request-error.ts';
import { addressForm, bareAliasForm, numberForm } from '../../api/dialect/entity-forms.ts';
import { several } from '../../api/reading/query/conditions.ts';
import type { RouteContext } from '../../api/reading/query/context.ts';
import { type QueryParameter, queryParameter } from '../../api/reading/query/parameter.ts';
import { parseEntityReference } from '../../api/reading/value/entity-reference.ts';
import type { AccountReference } from '../../ledger/accounts/account.ts';

type Given = { operator: Operator; text: string };

/** Conditions by number, and the account that must still be looked up. */
export type AccountNames = Range & { named: AccountReference | null };

export function accountNames(description: string): QueryParameter<AccountNames> {
  return {
    ...queryParameter({
      kind: 'account',
      repeatable: true,
      refusesItself: true,
      description,
      schema: (context) => several(Type.String({ pattern: documentedForm }), context),
      open: ({ settings, dialect }) => ({
        read: ({ operator, text, raw }): Given | undefined =>
          dialect.documentedOnly && raw.split(':').length > 2 ? undefined : { operator, text },
        collect: (given: Given[]) => toAccountNames(given, settings.system),
      }),
    }),
    formatKey: formatEntityId,
  };
}

const documentedForm =
  `^(?:(?:(?:eq|ne|lt|lte|gt|gte):)?${numberForm.source.slice(1, -1)}|` +
  `(?:eq:)?(?:${addressForm.source.slice(1, -1)}|${bareAliasForm.source.slice(1, -1)}))$`;

/** Throws RequestError. */
function toAccountNames(given: readonly Given[], system: SystemRealm): AccountNames {
  const conditions: Condition[] = [];
  let named: AccountReference | null = null;
  let names = 0;
  for (const { operator, text } of given) {
    if (!numberForm.test(text)) {
      const reference = readName(text, system);
      if (++names > 1) throw refuseDetail('Only one EVM address or alias is allowed.');
      if (operator !== 'eq') throw refuseDetail('EVM address or alias only supports equals operator');
      if (reference.kind === 'id') conditions.push({ operator, value: reference.id });
      else named = reference;
      continue;
    }
    const reference = parseEntityReference(text, system);
    if (reference.kind !== 'id') throw refuse('invalidEntityId', { id: reference.padded });
    conditions.push({ operator, value: reference.id });
  }
  return { ...toRange(conditions), named };
}

/** Throws RequestError. */
function readName(text: string, system: SystemRealm): AccountReference {
  if (addressForm.test(text)) {
    const reference = parseEntityReference(text, system);
    if (reference.kind === 'id') return reference;
    if (reference.kind === 'evmAddress') return { kind: 'evmAddress', address: reference.address };
  }
  const alias = bareAliasForm.test(text) ? decodeBase32(text) : null;
  if (!alias) throw refuse('invalidParameter', { name: 'account.id' });
  return { kind: 'alias', alias };
}

function refuseDetail(detail: string) {
  return refuse('invalidParameter', { name: 'account.id', detail });
}

/** With the named account, if there is one: alone, or as one of several. */
export async function findAccounts({ named, ...range }: AccountNames, ledger: RouteContext['ledger']): Promise<Range> {
  if (!named) return range;
  const ids = await ledger.accounts.resolve(named);
  const equals = [...new Set([...range.equals, ...ids])];
  return equals.length === 0 ? emptyRange : { ...range, equals };
}
