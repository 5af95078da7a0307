// What pages of balances have in common: those of accounts, and of who holds a token.
import { range } from '../../reading/query/conditions.ts';
import { timestampText } from '../../reading/value/text-kinds.ts';
import type { Kind } from '../../values/kind.ts';
import { timestamp } from '../../values/kinds.ts';
import { members, nullable } from '../../values/members.ts';
import { itemsOf, pageLinks } from '../../values/page-of.ts';

/** Without it balances are those of now. */
export const snapshotTime = range(
  timestampText,
  'Chooses the newest snapshot that meets all; `eq` means at or before.',
);

export function balancesPage<T>(item: Kind<T>, name: string) {
  const time = nullable(timestamp, 'Of the snapshot, or of the latest change.');
  return members({ timestamp: time, balances: itemsOf(item), links: pageLinks }, { name });
}
