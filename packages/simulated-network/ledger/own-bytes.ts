// Small buffers are usually slices of a large block that many share; one slice that is kept for long keeps the whole block
// in memory. What a ledger of thousands of rows keeps therefore stands in memory of its own.

/** The same plain value; bytes anywhere in it that lie in a larger block are copied out of it. */
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
