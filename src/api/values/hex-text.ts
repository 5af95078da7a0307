// Bytes and quantities as `0x…` text. Absent bytes are `0x`, never null; a caller that writes null does so itself.
import { asBuffer } from './json-text.ts';

export function formatHex(bytes: Uint8Array | null): string {
  return bytes === null ? '0x' : `0x${asBuffer(bytes).toString('hex')}`;
}

/** A quantity from its big-endian bytes: one leading zero digit is dropped, as in `0x0128` → `0x128`. */
export function formatHexQuantity(bytes: Uint8Array | null): string {
  if (bytes === null || bytes.length === 0) return '0x';
  // Most have a few bytes, for which a table takes a fifth of the time of converting the whole.
  const first = bytes[0]!;
  if (bytes.length > 8) {
    const hex = formatHex(bytes);
    return first < 16 ? `0x${hex.slice(3)}` : hex;
  }
  let text = first < 16 ? `0x${hexDigits[first]}` : `0x${hexPairs[first]}`;
  for (let index = 1; index < bytes.length; index++) text += hexPairs[bytes[index]!];
  return text;
}

const hexDigits = '0123456789abcdef';
const hexPairs = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** Big-endian. */
export function toUnsignedInteger(bytes: Uint8Array): bigint {
  if (bytes.length === 0) return 0n;
  const buffer = asBuffer(bytes);
  // Prices and values mostly fit here, where reading them is several times as fast as through text.
  if (buffer.length === 8) return buffer.readBigUInt64BE();
  if (buffer.length <= 6) return BigInt(buffer.readUIntBE(0, buffer.length));
  return BigInt(`0x${buffer.toString('hex')}`);
}
