// A publication of a ledger id that the importing version could not read, in words for operators.
import type { UnreadPublication } from '../../../packages/store/read/select-ledger-trust.ts';

/** null = there is none. */
export function describeUnread(unread: UnreadPublication | null): string | null {
  return unread && `Block ${unread.block} publishes a ledger id that this version cannot read: ${unread.reason}.`;
}
