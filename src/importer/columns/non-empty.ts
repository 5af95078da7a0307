/** Bytes that say something: a field of bytes that a message leaves out is decoded as an empty one. */
export function nonEmpty(bytes: Uint8Array | null | undefined): Uint8Array | null {
  return bytes && bytes.length > 0 ? bytes : null;
}
