// Bytes and quantities as `0x…` text. Nothing at all is `0x`, never null; whoever prints null says so.
import { asBuffer } from './json-text.ts';

export function formatHex(bytes: Uint8Array | null): string {
  return bytes === null ? '0x' : `0x${asBuffer(bytes).toString('hex')}`;
}

/** A quantity from its big-endian bytes: one leading zero digit is dropped, as in `0x0128` → `0x128`. */
export function formatHexQuantity(bytes: Uint8Array | null): string {
  const hex = formatHex(bytes);
  return hex.length > 3 && hex[2] === '0' ? `0x${hex.slice(3)}` : hex;
}

/** Big-endian. */
export function toUnsignedInteger(bytes: Uint8Array): bigint {
  if (bytes.length === 0) return 0n;
  const buffer = asBuffer(bytes);
  // Prices and values mostly fit here, where reading them is several times as fast as through text.
  if (buffer.length === 8) return buffer.readBigUInt64BE();
  if (buffer.length <= 6) return BigInt(buffer.readUIntBE(0, buffer.length));
  return BigInt(`0x${buffer.toString('hex')}`);
}
