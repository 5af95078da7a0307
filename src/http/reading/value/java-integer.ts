// A whole number as Spring reads it: white space anywhere, a sign, hexadecimal after `0x` or `#`.

/** undefined = no number. Of any size. */
export function readJavaInteger(text: string): bigint | undefined {
  const match = /^([+-]?)(?:(\d{1,40})|(?:0x|#)([0-9a-f]{1,40}))$/i.exec(text.replaceAll(/\s/g, ''));
  if (!match) return undefined;
  const [, sign, decimal, hex] = match;
  // A plus is accepted before decimal digits only.
  if (hex !== undefined && sign === '+') return undefined;
  const size = BigInt(decimal ?? `0x${hex}`);
  return sign === '-' ? -size : size;
}
