// A span of time with both ends.
import type { Period } from '../../../ledger/network/network.ts';
import type { Kind } from '../../values/kind.ts';
import { timestamp } from '../../values/kinds.ts';
import { members, value } from '../../values/members.ts';

export const period: Kind<Period> = members<Period>({
  from: value(timestamp, ({ from }) => from),
  to: value(timestamp, ({ to }) => to),
});
