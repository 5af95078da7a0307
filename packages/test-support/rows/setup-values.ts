// Converts values of a specification's setup to values of columns.
import type { JsonValue } from '../../postgres/wire/values.ts';

export type SystemIds = { shard: bigint; realm: bigint };

/** A number, `N`, `realm.N`, `shard.realm.N` or a long-zero address → packed id; null stays null. */
export function toId(value: JsonValue | undefined, system: SystemIds): bigint | null {
  if (value === null || value === undefined) return null;
  const text = String(value);
  const address = /^(?:0x)?(0{24}[0-9a-fA-F]{16})$/.exec(text);
  if (address) return packId(system.shard, system.realm, BigInt(`0x${address[1]}`));
  const parts = text.split('.').map(BigInt);
  const num = parts.at(-1)!;
  return packId(parts.at(-3) ?? system.shard, parts.at(-2) ?? system.realm, num);
}

/** Packs without checking ranges: specifications also write a packed id as `0.0.<packed id>`. */
export function packId(shard: bigint, realm: bigint, num: bigint): bigint {
  return BigInt.asIntN(64, (shard << 54n) | (realm << 38n) | num);
}

/** Hex text (0x or not), other text as base64, an array of bytes or of one hex text → bytes; null stays null. */
export function toBytes(value: JsonValue | undefined): Buffer | null {
  if (value === null || value === undefined) return null;
  if (Array.isArray(value)) {
    if (value.length === 1 && typeof value[0] === 'string') return fromHex(value[0]);
    return Buffer.from(value.map(Number));
  }
  const text = String(value);
  return /^(0x)?[0-9a-fA-F]*$/.test(text) ? fromHex(text) : Buffer.from(text, 'base64');
}

function fromHex(text: string): Buffer {
  const digits = text.replace(/^0x/, '');
  return Buffer.from(digits.length % 2 ? `0${digits}` : digits, 'hex');
}

/** Base32 without padding → bytes; null stays null. */
export function fromBase32(value: JsonValue | undefined): Buffer | null {
  if (value === null || value === undefined) return null;
  const bytes: number[] = [];
  let bits = 0;
  let held = 0;
  for (const digit of String(value).toUpperCase().replace(/=+$/, '')) {
    held = (held << 5) | 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(digit);
    bits += 5;
    if (bits >= 8) {
      bits -= 8;
      bytes.push((held >> bits) & 0xff);
      held &= (1 << bits) - 1;
    }
  }
  return Buffer.from(bytes);
}

/** JSON text with exact integers. */
export function toJsonText(value: JsonValue | undefined): string | null {
  if (value === null || value === undefined) return null;
  return JSON.stringify(value, (_name, member) =>
    typeof member === 'bigint'
      ? (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(String(member))
      : member,
  );
}
