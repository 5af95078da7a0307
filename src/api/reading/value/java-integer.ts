// A whole number as Spring reads it: white space anywhere, a sign, hexadecimal after `0x` or `#`.

/** undefined = not a signed integer of this many bits. */
export function readJavaInteger(text: string, bits: 32 | 64): bigint | undefined {
  const match = /^([+-]?)(?:(\d{1,40})|(?:0x|#)([0-9a-f]{1,40}))$/i.exec(text.replaceAll(/\s/g, ''));
  if (!match) return undefined;
  const [, sign, decimal, hex] = match;
  // A plus is accepted before decimal digits only.
  if (hex !== undefined && sign === '+') return undefined;
  const size = BigInt(decimal ?? `0x${hex}`);
  const value = sign === '-' ? -size : size;
  return BigInt.asIntN(bits, value) === value ? value : undefined;
}
