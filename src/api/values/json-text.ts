// Ledger values as JSON text, written directly: no object per row, integers exact (docs/reference/rest-behaviour.md,
// Values).
import { Buffer } from 'node:buffer'; // The global is a getter: 125 instructions more a use.
import { formatEntityId, maxNum } from '../../../packages/protocol/hapi/entity-id.ts';

type Integer = bigint | number;

// Characters that the mirror node escapes although JSON does not require it.
const escaped =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to escape
  /["\\\u0000-\u001f\u007f-\u009f\u00ad\u0600-\u0604\u070f\u17b4\u17b5\u200c-\u200f\u2028-\u202f\u2060-\u206f\ufeff\ufff0-\uffff]/;
const escapedBeyondJson =
  /[\u007f-\u009f\u00ad\u0600-\u0604\u070f\u17b4\u17b5\u200c-\u200f\u2028-\u202f\u2060-\u206f\ufeff\ufff0-\uffff]/g;

export function toJsonString(text: string): string {
  if (!escaped.test(text)) return `"${text}"`;
  return JSON.stringify(text).replace(
    escapedBeyondJson,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** `seconds.nanoseconds` with nine digits after the dot. */
export function formatTimestamp(ns: bigint): string {
  const digits = ns.toString();
  if (digits.length <= 9) return `0.${digits.padStart(9, '0')}`;
  return `${digits.slice(0, -9)}.${digits.slice(-9)}`;
}

export function toJsonTimestamp(ns: bigint | null): string {
  return ns === null ? 'null' : `"${formatTimestamp(ns)}"`;
}

/** null for no entity. */
export function toJsonEntityId(id: bigint | null): string {
  return id === null || id === 0n ? 'null' : `"${formatEntityId(id)}"`;
}

export function toJsonInteger(value: Integer | null): string {
  return value === null ? 'null' : value.toString();
}

export function toJsonBoolean(value: boolean | null): string {
  return value === null ? 'null' : value ? 'true' : 'false';
}

export function toJsonBase64(bytes: Uint8Array | null): string {
  return bytes === null ? 'null' : `"${asBuffer(bytes).toString('base64')}"`;
}

/** The long-zero address of an entity number; null for no entity. */
export function toJsonLongZeroAddress(id: bigint | null): string {
  if (id === null || id === 0n) return 'null';
  return `"0x${(id & maxNum).toString(16).padStart(40, '0')}"`;
}

export function toJsonArray<T>(items: readonly T[], format: (item: T) => string): string {
  if (items.length === 0) return '[]';
  let text = `[${format(items[0]!)}`;
  for (let index = 1; index < items.length; index++) text += `,${format(items[index]!)}`;
  return `${text}]`;
}

/** A view of the same bytes. */
export function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
