// Which account the path of accounts/{idOrAliasOrEvmAddress} means. Numbers are taken at their word; addresses and
// aliases are looked up, and must lead to exactly one living entity.

import { decodeBase32 } from '../../kit/base32.ts';
import type { AccountReference } from '../../ledger/accounts/account.ts';
import { type RequestError, refuse } from '../frame/request-error.ts';
import { parseEntityReference } from '../parameters/entity-reference.ts';
import type { RouteContext } from '../route.ts';

/** Throws RequestError. */
export function readAccountPath(text: string, context: RouteContext): AccountReference {
  const { dialect, settings } = context;
  if (!dialect.forms.accountPath.test(text)) return readAlias(text, context);
  const reference = parseEntityReference(text, settings);
  if (reference.kind === 'id') return { kind: 'id', id: reference.id };
  if (reference.kind === 'outOfRange' || reference.foreign) throw invalidPath();
  return { kind: 'evmAddress', address: reference.address };
}

export async function findAccount(reference: AccountReference, ledger: RouteContext['ledger']): Promise<bigint> {
  return onlyOne(await ledger.findAccounts(reference), reference);
}

/** Throws RequestError when nothing lives there, Error when more than one does. */
export function onlyOne(ids: readonly bigint[], reference: AccountReference): bigint {
  if (ids.length === 0) throw refuse(reference.kind === 'alias' ? 'noMatchingAlias' : 'notFound');
  if (ids.length > 1) throw new Error(`Entities ${ids.join(' and ')} share ${nameOf(reference)}`);
  return ids[0]!;
}

function nameOf(reference: AccountReference): string {
  switch (reference.kind) {
    case 'id':
      return `the id ${reference.id}`;
    case 'evmAddress':
      return `the EVM address 0x${reference.address.toString('hex')}`;
    case 'alias':
      return `the alias 0x${reference.alias.toString('hex')}`;
  }
}

function readAlias(text: string, { dialect, settings }: RouteContext): AccountReference {
  if (!dialect.forms.aliasPath.test(text)) throw invalidPath();
  const parts = text.split('.');
  const realm = parts.length > 1 ? BigInt(parts.at(-2)!) : settings.realm;
  const shard = parts.length > 2 ? BigInt(parts[0]!) : settings.shard;
  const alias = decodeBase32(parts.at(-1)!);
  if (!alias || shard !== settings.shard || realm !== settings.realm) throw invalidPath();
  return { kind: 'alias', alias };
}

function invalidPath(): RequestError {
  return refuse('invalidParameter', { name: 'idOrAliasOrEvmAddress' });
}
