// StateChange: a new, changed or removed entry of a map of the network, or a single value.
import { bytesField, intField, messageField, type WireField } from '../../protocol/wire-writer.ts';
import { type StateForm, writeValue } from './partial-state.ts';

type MapKind = {
  /** Number of the state. */
  state: number;
  /** Number of the key in the oneof of MapChangeKey. */
  key: number;
  /** Number of the value in the oneof of MapChangeValue. */
  value: number;
};

const mapKinds = {
  account: { state: 2, key: 1, value: 1 },
  alias: { state: 3, key: 6, value: 2 },
  slot: { state: 4, key: 10, value: 9 },
  bytecode: { state: 5, key: 13, value: 3 },
  file: { state: 6, key: 4, value: 4 },
  token: { state: 7, key: 11, value: 11 },
  nft: { state: 8, key: 5, value: 5 },
  relation: { state: 9, key: 25, value: 12 },
  schedule: { state: 14, key: 9, value: 7 },
  node: { state: 20, key: 3, value: 14 },
  topic: { state: 21, key: 12, value: 13 },
  airdrop: { state: 25, key: 14, value: 15 },
  hook: { state: 51, key: 23, value: 29 },
  hookSlot: { state: 52, key: 24, value: 9 },
  nodeOfAccount: { state: 53, key: 1, value: 30 },
  registeredNode: { state: 56, key: 3, value: 32 },
} as const satisfies Record<string, MapKind>;

export type MapKindName = keyof typeof mapKinds;

/** A new or changed entry of a map, or a removed one (value null). */
export type StateEntry = {
  kind: MapKindName;
  key: Uint8Array;
  value: Uint8Array | null;
  /** null: it is new. */
  before: Uint8Array | null;
  /** Only its position in a list changed. */
  isIdentical: boolean;
};

export function updateEntry(
  kind: MapKindName,
  key: Uint8Array,
  value: Uint8Array,
  before: Uint8Array | null,
  isIdentical: boolean = false,
): StateEntry {
  return { kind, key, value, before, isIdentical };
}

export function deleteEntry(kind: MapKindName, key: Uint8Array): StateEntry {
  return { kind, key, value: null, before: null, isIdentical: false };
}

export function writeEntry({ kind, key, value, before, isIdentical }: StateEntry, form: StateForm): WireField {
  const numbers = mapKinds[kind];
  const keyField = messageField(1, [bytesField(numbers.key, key)]);
  if (value === null) return messageField(2, [intField(1, numbers.state), messageField(6, [keyField])]);
  const entry = [keyField, ...writeValue(numbers.value, value, before, form), intField(3, isIdentical ? 1 : 0)];
  return messageField(2, [intField(1, numbers.state), messageField(5, entry)]);
}

/** `value`: number in the oneof of SingletonUpdateChange. */
export function updateSingleton(state: number, value: number, message: Uint8Array, isPartial = false): WireField {
  const update = [bytesField(value, message), intField(24, isPartial ? 1 : 0)];
  return messageField(2, [intField(1, state), messageField(4, update)]);
}
