// When a version was valid.
import { timestamp } from './kinds.ts';
import { members, nullable } from './members.ts';

/** `to`: exclusive; null while it is the current one. */
export const validity = members({ from: timestamp, to: nullable(timestamp) });
