// A Key message as the tables keep it: serialized, and for entities the single public key inside it, as hex.
import { proto } from '../../protocol/hapi/hapi.ts';
import { toPublicKeyHex } from '../../protocol/hapi/key.ts';

type Key = proto.IKey | null | undefined;

/** Serialized key; undefined = the transaction does not mention it. */
export function keyBytes(key: Key): Uint8Array | undefined {
  return key ? proto.Key.encode(key).finish() : undefined;
}

/** `public_key` is empty, which clears the column, where the key is not a single one. */
export function keyColumns(key: Key): KeyColumns {
  const bytes = keyBytes(key);
  return bytes ? serializedKeyColumns(bytes) : {};
}

export function serializedKeyColumns(key: Uint8Array): KeyColumns {
  return { key, public_key: toPublicKeyHex(key) ?? '' };
}

export type KeyColumns = { key?: Uint8Array; public_key?: string };
