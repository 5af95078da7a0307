// The moment whose state a call sees.
import { decodeEntityId } from '../../../packages/protocol/hapi/entity-id.ts';

/** Times in ns, hashes in hex. */
export type CallBlock = {
  number: bigint;
  consensusStart: bigint;
  consensusEnd: bigint;
  hash: string;
  previousHash: string;
};

export type Moment = {
  /** Everything up to this time (ns) has happened; null = now. */
  until: bigint | null;
  /** What NUMBER and TIMESTAMP show. */
  block: CallBlock;
  /** The state is the same wherever this is. */
  key: string;
};

/** `block` is the newest one. */
export function presentAt(block: CallBlock): Moment {
  return { until: null, block, key: `now ${block.consensusEnd}` };
}

export function pastAt(until: bigint, block: CallBlock): Moment {
  return { until, block, key: `${until}` };
}

/** New entities are numbered from here on after the last known one. */
const numBuffer = 1001n;

/** `lastId`: the largest id of an entity. */
export function numAfter(lastId: bigint): bigint {
  return decodeEntityId(lastId).num + numBuffer;
}
