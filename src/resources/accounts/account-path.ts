// The account in a path under accounts/{idOrAliasOrEvmAddress}. Numbers are not checked; addresses and aliases are
// looked up, and must lead to exactly one undeleted entity.

import { decodeBase32 } from '../../../packages/kit/base32.ts';
import type { SystemRealm } from '../../../packages/protocol/hapi/system-entity.ts';
import { refuse } from '../../../packages/web-server/request-error.ts';
import type { EndpointExample } from '../../api/endpoint/endpoint.ts';
import type { ReadingContext, RouteContext } from '../../api/reading/query/context.ts';
import type { Dialect } from '../../api/reading/query/dialect.ts';
import type { PathParameter } from '../../api/reading/query/parameter.ts';
import { isLookedUp, parseEntityReference } from '../../api/reading/value/entity-reference.ts';
import type { AccountReference } from '../../ledger/accounts/account.ts';

type Forms = { account: keyof Dialect['forms']; alias: keyof Dialect['forms'] };

/** An id, an EVM address or an alias. */
export const accountInPath = createAccountInPath({ account: 'account', alias: 'alias' });

function createAccountInPath(names: Forms): PathParameter<AccountReference> {
  return {
    kind: 'account',
    description: 'Id, alias (base32) or EVM address of the account.',
    example: '0.0.1001',
    form({ dialect }) {
      const { account, alias } = formsOf(names, dialect);
      return new RegExp(`${account.source}|${alias.source}`);
    },
    read: (text, context) => readAccount(text, names, context),
    refuse: () => refuse('invalidParameter', { name: 'idOrAliasOrEvmAddress' }),
  };
}

function formsOf(names: Forms, { forms }: Dialect) {
  return { account: forms[names.account], alias: forms[names.alias] };
}

/** undefined = invalid. */
function readAccount(text: string, names: Forms, { dialect, settings }: ReadingContext): AccountReference | undefined {
  const { account, alias } = formsOf(names, dialect);
  if (!account.test(text)) return alias.test(text) ? readAlias(text, settings.system) : undefined;
  const reference = parseEntityReference(text, settings.system);
  if (reference.kind === 'id') return { kind: 'id', id: reference.id };
  if (reference.kind === 'outOfRange' || reference.foreign) return undefined;
  return { kind: 'evmAddress', address: reference.address };
}

/**
 * The id of the account, looked up before the query is validated. `known`: an entity of that id has to exist, of
 * whatever type, deleted or not; the list finds null where there is none.
 */
function accountIdInPath({ known = false } = {}): PathParameter<bigint> {
  const names: Forms = { account: 'anyAccount', alias: 'anyAlias' };
  return {
    ...createAccountInPath(names),
    looksUp(text, context) {
      const reference = readAccount(text, names, context);
      return reference !== undefined && isLookedUp(reference);
    },
    read(text, context) {
      const reference = readAccount(text, names, context);
      // Without a promise for what is not looked up.
      return reference?.kind === 'id' ? reference.id : reference && findAccount(reference, context.ledger);
    },
    ...(known ? { isMissing } : {}),
  };

  /** What is looked up is known. */
  async function isMissing(text: string, context: RouteContext): Promise<boolean> {
    const reference = readAccount(text, names, context);
    return reference?.kind === 'id' && !(await context.ledger.accounts.isKnown(reference.id));
  }
}

/** What lists of one account share. */
export function listOfAccount(example: string, known?: { known: boolean }) {
  return {
    tag: 'Accounts',
    in: { idOrAliasOrEvmAddress: accountIdInPath(known) },
    example: exampleOfAccount(example),
  };
}

export function exampleOfAccount(text: string): EndpointExample {
  return { text, find: ({ accountId }) => accountId, missing: 'no account has been seen yet' };
}

export async function findAccount(reference: AccountReference, ledger: RouteContext['ledger']): Promise<bigint> {
  return onlyOne(await ledger.accounts.resolve(reference), reference);
}

/** Throws RequestError if nothing has that name, Error if more than one does. */
export function onlyOne(ids: readonly bigint[], reference: AccountReference): bigint {
  if (ids.length === 0) throw refuse(reference.kind === 'alias' ? 'noMatchingAlias' : 'notFound');
  if (ids.length > 1) throw new Error(`Entities ${ids.join(' and ')} share ${nameOf(reference)}`);
  return ids[0]!;
}

function nameOf(reference: AccountReference): string {
  if (reference.kind === 'id') return `the id ${reference.id}`;
  if (reference.kind === 'alias') return `the alias 0x${reference.alias.toString('hex')}`;
  return `the EVM address 0x${reference.address.toString('hex')}`;
}

function readAlias(text: string, system: SystemRealm): AccountReference | undefined {
  const parts = text.split('.');
  const realm = parts.length > 1 ? BigInt(parts.at(-2)!) : system.realm;
  const shard = parts.length > 2 ? BigInt(parts[0]!) : system.shard;
  const alias = decodeBase32(parts.at(-1)!);
  if (!alias || shard !== system.shard || realm !== system.realm) return undefined;
  return { kind: 'alias', alias };
}
