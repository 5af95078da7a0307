// The original bytes of a nested message, found by a separate reader of the wire format.
import protobuf from 'protobufjs';

/** @param path field numbers from the outside in; the last one of a number counts. */
export function rawField(message: Uint8Array, path: readonly number[]): Buffer | null {
  let inner: Uint8Array | null = message;
  for (const wanted of path) {
    if (!inner) return null;
    const reader = protobuf.Reader.create(inner);
    inner = null;
    while (reader.pos < reader.len) {
      const tag = reader.uint32();
      if (tag >>> 3 === wanted && (tag & 7) === 2) inner = reader.bytes();
      else reader.skipType(tag & 7);
    }
  }
  return inner && Buffer.from(inner);
}
