// The meaning of a text that names an entity, after its form was accepted: `N`, `realm.N`, `shard.realm.N`, or 40 hex
// digits, which are either a long-zero address (of a number) or an opaque EVM address.
import { encodeEntityId, maxNum, maxRealm, maxShard } from '../../../../packages/protocol/hapi/entity-id.ts';
import type { SystemRealm } from '../../../../packages/protocol/hapi/system-entity.ts';

export type EntityReference =
  | { kind: 'id'; id: bigint }
  /**
   * `foreign`: with another shard or realm than the system's. `padded`: for messages, with the parts that were written.
   */
  | { kind: 'evmAddress'; address: Buffer; foreign: boolean; padded: string }
  /** No entity can have this id. `padded` is the text with all its parts, for messages. */
  | { kind: 'outOfRange'; padded: string };

/** Whether a query is needed to find the entity. */
export function isLookedUp({ kind }: { kind: 'id' | 'evmAddress' | 'alias' | 'outOfRange' }): boolean {
  return kind === 'evmAddress' || kind === 'alias';
}

/** `text` must already have one of the accepted forms. */
export function parseEntityReference(text: string, system: SystemRealm): EntityReference {
  const parts = (text.startsWith('0x') ? text.slice(2) : text).split('.');
  const end = parts.at(-1)!;
  const last = end.startsWith('0x') ? end.slice(2) : end;
  const realm = parts.length > 1 ? readPart(parts.at(-2)!) : system.realm;
  const shard = parts.length > 2 ? readPart(parts[0]!) : system.shard;
  const pad = (): string =>
    `${parts.length > 2 ? parts[0] : system.shard}.${parts.length > 1 ? parts.at(-2) : system.realm}.${last}`;
  if (last.length === 40 && /^[0-9A-Fa-f]{40}$/.test(last)) {
    const foreign = shard !== system.shard || realm !== system.realm;
    const num = toLongZeroNum(last);
    if (num === null) {
      const typed = [...parts.slice(0, -1), last].join('.');
      return { kind: 'evmAddress', address: Buffer.from(last, 'hex'), foreign, padded: typed };
    }
    return foreign ? { kind: 'outOfRange', padded: pad() } : { kind: 'id', id: encodeEntityId(shard, realm, num) };
  }
  const num = BigInt(last);
  // Also `-0`.
  if (shard > maxShard || realm > maxRealm || last.startsWith('-') || num > maxNum)
    return { kind: 'outOfRange', padded: pad() };
  return { kind: 'id', id: encodeEntityId(shard, realm, num) };
}

/** Nearly every one is 0; making a bigint from text takes 600 instructions. */
function readPart(text: string): bigint {
  return text === '0' ? 0n : BigInt(text);
}

/** The entity number in a long-zero address; null for an opaque one. */
function toLongZeroNum(hex: string): bigint | null {
  if (!hex.startsWith('000000000000000000000000')) return null;
  const num = BigInt(`0x${hex}`);
  return num <= maxNum ? num : null;
}
