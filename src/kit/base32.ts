// RFC 4648 base32 without padding, upper case: the text form of account aliases.
import { base32nopad } from '@scure/base';

export function encodeBase32(bytes: Uint8Array): string {
  return base32nopad.encode(bytes);
}

/** null when the text has other letters, is no whole number of bytes, or leaves bits over that are not zero. */
export function decodeBase32(text: string): Buffer | null {
  try {
    return Buffer.from(base32nopad.decode(text));
  } catch {
    return null;
  }
}
