// The account under accounts/{id} as the mirror node's Java finds it, after the query was validated. Numbers are not
// checked; addresses and aliases are looked up with any shard and realm. A long-zero address is first looked up as an
// address.

import { decodeBase32 } from '../../../packages/kit/base32.ts';
import { fromLongZeroAddress, isLongZeroAddress } from '../../../packages/protocol/hapi/evm-address.ts';
import { inRealm } from '../../../packages/protocol/hapi/system-entity.ts';
import { refuse } from '../../../packages/web-server/request-error.ts';
import type { RouteContext } from '../../api/reading/query/context.ts';
import type { PathParameter } from '../../api/reading/query/parameter.ts';
import { isLookedUp, parseEntityReference } from '../../api/reading/value/entity-reference.ts';
import type { AccountReference } from '../../ledger/accounts/account.ts';

const livingAccountInPath: PathParameter<AccountReference> = {
  kind: 'account',
  description: 'Id, alias (base32) or EVM address of the account.',
  example: '0.0.1001',
  form: ({ dialect: { forms } }) => new RegExp(`${forms.account.source}|${forms.alias.source}`),
  read(text, { dialect, settings }) {
    const { forms } = dialect;
    if (!forms.account.test(text)) {
      const alias = forms.alias.test(text) ? decodeBase32(text.split('.').at(-1)!, dialect) : null;
      return alias ? { kind: 'alias', alias } : undefined;
    }
    const address = /(?:^|\.|0x)([0-9A-Fa-f]{40})$/.exec(text)?.[1];
    if (address) return { kind: 'evmAddress', address: Buffer.from(address, 'hex') };
    const reference = parseEntityReference(text, settings.system);
    return reference.kind === 'id' ? reference : undefined;
  },
  refuse: () => refuse('invalidParameter', { name: 'id' }),
};

/** Shared by the lists of one account; `name`: the path parameter of the account. */
export function listOfLivingAccount<Name extends string>(name: Name) {
  return {
    tag: 'Accounts',
    peer: { java: 'arguments' },
    in: { [name]: livingAccountInPath } as Record<Name, typeof livingAccountInPath>,
    several: ({ path }: { path: Record<Name, AccountReference> }) => isLookedUp(path[name]),
  } as const;
}

/** Throws RequestError if no undeleted entity has that name. */
export async function findLivingAccount(
  reference: AccountReference,
  { ledger, settings }: Pick<RouteContext, 'ledger' | 'settings'>,
): Promise<bigint> {
  const [id] = await ledger.accounts.resolve(reference);
  if (id !== undefined) return id;
  if (reference.kind === 'evmAddress' && isLongZeroAddress(reference.address)) {
    return inRealm(fromLongZeroAddress(reference.address), settings.system);
  }
  throw refuse('notFound', { sentence: 'No account found for the given ID' });
}
