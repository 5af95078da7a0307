// What the state changes of a moment are about: they have a consensus timestamp, so that they say more of a result than
// its place.
import { tryDecode } from '../../protocol/hapi/decode-message.ts';
import { toEntityIdOrNone } from '../../protocol/hapi/entity-id.ts';
import { proto } from '../../protocol/hapi/hapi.ts';
import type { StateChanges } from './read-state-changes.ts';

/**
 * Topics, tokens and files that state changes of a consensus timestamp name, and their kinds; null: it has no state
 * changes.
 */
export type NamedAt = (timestamp: bigint) => ReadonlySet<string> | null;

export type NamedKind = 'topicId' | 'tokenId' | 'fileId';

/** @param id packed */
export function nameOfChanged(kind: NamedKind, id: bigint): string {
  return `${kind} ${id}`;
}

/** Listed once, if it is asked for. */
export function createNamedAt(all: readonly StateChanges[]): NamedAt {
  let listed: Map<bigint, Set<string>> | null = null;
  return (timestamp) => {
    listed ??= new Map();
    if (listed.size === 0) for (const changes of all) addNames(listed, changes);
    return listed.get(timestamp) ?? null;
  };
}

function addNames(listed: Map<bigint, Set<string>>, { consensusTimestamp, changes }: StateChanges): void {
  const names = listed.get(consensusTimestamp) ?? new Set();
  listed.set(consensusTimestamp, names);
  for (const { kind, key } of changes) {
    if (kind !== 'topicId' && kind !== 'tokenId' && kind !== 'fileId') continue;
    // The number is the same field in all of the three.
    names.add(kind).add(nameOfChanged(kind, toEntityIdOrNone(tryDecode(proto.TopicID, key))));
  }
}
