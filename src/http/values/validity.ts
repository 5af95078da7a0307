// When a version was valid.
import type { Kind } from './kind.ts';
import { timestamp } from './kinds.ts';
import { members, nullable, value } from './members.ts';

/** `to`: exclusive; null while it is the current one. */
type Validity = { from: bigint; to: bigint | null };

export const validity: Kind<Validity> = members<Validity>({
  from: value(timestamp, ({ from }) => from),
  to: nullable(timestamp, ({ to }) => to),
});
