// Account aliases as text: RFC 4648 base32, upper case, without padding.

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

export function formatAlias(alias: Uint8Array): string {
  let text = '';
  let bits = 0;
  let value = 0;
  for (const byte of alias) {
    value = ((value << 8) | byte) & 0xfff;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += alphabet[(value >>> bits) & 31];
    }
  }
  return bits > 0 ? text + alphabet[(value << (5 - bits)) & 31] : text;
}

/** Throws RangeError on other characters, on lengths no bytes have, and when bits are left over that are not zero. */
export function parseAlias(text: string): Buffer {
  const bytes: number[] = [];
  let bits = 0;
  let value = 0;
  for (const character of text) {
    const digit = alphabet.indexOf(character);
    if (digit < 0) throw new RangeError(`Invalid base32 alias "${text}"`);
    value = ((value << 5) | digit) & 0xfff;
    bits += 5;
    if (bits >= 8) {
      bits -= 8;
      bytes.push((value >>> bits) & 0xff);
    }
  }
  const leftOver = value & ((1 << bits) - 1);
  if (bits >= 5 || leftOver !== 0) throw new RangeError(`Invalid base32 alias "${text}"`);
  return Buffer.from(bytes);
}
