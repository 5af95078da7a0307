/**
 * The bytes in memory of their own, for what is kept. What zlib and the database hand over is a view of 16 KiB or more,
 * which mostly lie in a piece of 64 KiB that is shared with others: all of it stays as long as the view.
 */
export function copyAlone(bytes: Uint8Array): Buffer {
  if (bytes.length === bytes.buffer.byteLength && Buffer.isBuffer(bytes)) return bytes;
  const alone = Buffer.allocUnsafeSlow(bytes.length);
  alone.set(bytes);
  return alone;
}
