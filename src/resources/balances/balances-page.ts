// Shared by the pages of balances: of accounts, and of a token's holders.
import { range } from '../../api/reading/query/conditions.ts';
import { timestampText } from '../../api/reading/value/text-kinds.ts';
import type { Kind } from '../../api/values/kind.ts';
import { timestamp } from '../../api/values/kinds.ts';
import { members, nullable } from '../../api/values/members.ts';
import { itemsOf, pageLinks } from '../../api/values/page-of.ts';

/** Without it the current balances are listed. */
export const snapshotTime = range(
  timestampText,
  'Selects the newest snapshot that meets all conditions; `eq` means at or before.',
);

export function balancesPage<T>(item: Kind<T>, name: string) {
  const time = nullable(timestamp, 'Of the snapshot, or of the latest change.');
  return members({ timestamp: time, balances: itemsOf(item), links: pageLinks }, { name });
}
