// RFC 4648 base32 without padding, upper case: the text form of account aliases.
import { base32nopad } from '@scure/base';

export function encodeBase32(bytes: Uint8Array): string {
  return base32nopad.encode(bytes);
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/**
 * null if the text has other letters, is not a whole number of bytes, or has leftover bits that are not zero; those may
 * be ignored.
 */
export function decodeBase32(text: string, { ignoresLeftoverBits = false } = {}): Buffer | null {
  try {
    return Buffer.from(base32nopad.decode(ignoresLeftoverBits ? withoutLeftoverBits(text) : text));
  } catch {
    return null;
  }
}

function withoutLeftoverBits(text: string): string {
  const leftover = (text.length * 5) % 8;
  const last = alphabet.indexOf(text.slice(-1));
  return last < 0 ? text : text.slice(0, -1) + alphabet[(last >> leftover) << leftover];
}
