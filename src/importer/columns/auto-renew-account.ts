// The account that pays for the renewal of an entity, as a creation or an update names it.

import type { proto } from '../../protocol/hapi/hapi.ts';
import type { BlockItem } from '../block/block-item.ts';
import type { ItemContext } from '../block/item-context.ts';

/**
 * undefined where the body names none and, reported, where no account has the alias that it names: an update then leaves the
 * account as it was. 0n, of an account without a number, takes it away.
 */
export function autoRenewAccount(
  item: BlockItem,
  { lookup, report }: ItemContext,
  id: proto.IAccountID | null | undefined,
): bigint | undefined {
  if (!id) return undefined;
  const accountId = lookup.account(id);
  if (accountId !== 0n || !id.alias || id.alias.length === 0) return accountId;
  report(item, `the alias 0x${Buffer.from(id.alias).toString('hex')} of the auto-renew account is of no known account`);
  return undefined;
}
