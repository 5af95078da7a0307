/** Chunks of at least `bytes`, but for the last one, which may be empty. */
export async function* joinChunks(chunks: AsyncIterable<Uint8Array>, bytes: number): AsyncGenerator<Buffer> {
  let pending: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    pending.push(chunk);
    size += chunk.length;
    if (size < bytes) continue;
    yield Buffer.concat(pending, size);
    pending = [];
    size = 0;
  }
  yield Buffer.concat(pending, size);
}
