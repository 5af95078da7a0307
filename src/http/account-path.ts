// Which account the path of accounts/{idOrAliasOrEvmAddress} means. Numbers are taken at their word; addresses and
// aliases are looked up, and must lead to exactly one living entity.
import { decodeBase32 } from './base32.ts';
import { parseEntityReference } from './entity-reference.ts';
import { type RequestError, refuse } from './request-error.ts';
import type { RouteContext } from './route.ts';

export async function findAccountOfPath(text: string, context: RouteContext): Promise<bigint> {
  const { dialect, settings } = context;
  if (!dialect.forms.accountPath.test(text)) return findByAlias(text, context);
  const reference = parseEntityReference(text, settings);
  if (reference.kind === 'id') return reference.id;
  if (reference.kind === 'outOfRange' || reference.foreign) throw invalidPath();
  return findByEvmAddress(reference.address, context.ledger);
}

/** Throws RequestError when nothing lives there, Error when more than one does. */
export async function findByEvmAddress(address: Buffer, ledger: RouteContext['ledger']): Promise<bigint> {
  const ids = await ledger.findAccounts({ kind: 'evmAddress', address });
  if (ids.length === 0) throw refuse('notFound');
  if (ids.length > 1)
    throw new Error(`Entities ${ids.join(' and ')} share the EVM address 0x${address.toString('hex')}`);
  return ids[0]!;
}

async function findByAlias(text: string, { ledger, dialect, settings }: RouteContext): Promise<bigint> {
  if (!dialect.forms.aliasPath.test(text)) throw invalidPath();
  const parts = text.split('.');
  const realm = parts.length > 1 ? BigInt(parts.at(-2)!) : settings.realm;
  const shard = parts.length > 2 ? BigInt(parts[0]!) : settings.shard;
  const alias = decodeBase32(parts.at(-1)!);
  if (!alias || shard !== settings.shard || realm !== settings.realm) throw invalidPath();
  const ids = await ledger.findAccounts({ kind: 'alias', alias });
  if (ids.length === 0) throw refuse('noMatchingAlias');
  if (ids.length > 1) throw new Error(`Entities ${ids.join(' and ')} share the alias ${parts.at(-1)}`);
  return ids[0]!;
}

function invalidPath(): RequestError {
  return refuse('invalidParameter', { name: 'idOrAliasOrEvmAddress' });
}
