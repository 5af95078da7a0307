// Small buffers are usually slices of a large block that many share; one slice that is kept keeps the whole block in
// memory. The ledger keeps thousands of rows, so it copies their bytes.

/** The same plain value; bytes in it that are slices of a larger block are copied. */
export function withOwnBytes<T>(value: T): T {
  return copyOut(value) as T;
}

function copyOut(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Uint8Array) return hasOwnMemory(value) ? value : copyBytes(value);
  if (Array.isArray(value)) return value.map(copyOut);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, copyOut(member)]));
}

function hasOwnMemory(bytes: Uint8Array): boolean {
  return bytes.byteLength === bytes.buffer.byteLength;
}

function copyBytes(bytes: Uint8Array): Uint8Array {
  const copy = Buffer.allocUnsafeSlow(bytes.byteLength);
  copy.set(bytes);
  return copy;
}
