// Cuts what PostgreSQL sends into messages; one that comes in pieces is put together once it is whole.
// Invariant: messages are taken whole, in order, each once, however the bytes arrive.

/** `view` is over the same bytes; what the message says stands from `start` to `end`. The bytes stay as they are afterwards. */
export type TakeMessage = (type: number, bytes: Buffer, view: DataView, start: number, end: number) => void;

/** Type and length. */
const headBytes = 5;

export function createMessageReader(take: TakeMessage): (chunk: Buffer) => void {
  let pieces: Buffer[] = [];
  let held = 0;
  let needed = 0;
  return (chunk) => {
    let bytes = chunk;
    if (held > 0) {
      pieces.push(chunk);
      held += chunk.length;
      if (held < needed) return;
      bytes = Buffer.concat(pieces, held);
      pieces = [];
      held = 0;
    }
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    let position = 0;
    needed = headBytes;
    while (position + headBytes <= bytes.length) {
      const end = position + 1 + view.getInt32(position + 1);
      if (end > bytes.length) {
        needed = end - position;
        break;
      }
      take(bytes[position]!, bytes, view, position + headBytes, end);
      position = end;
    }
    if (position < bytes.length) {
      pieces = [bytes.subarray(position)];
      held = bytes.length - position;
    }
  };
}
