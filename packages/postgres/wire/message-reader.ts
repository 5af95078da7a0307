// Splits PostgreSQL's bytes into messages. Only a message that arrives in pieces is copied; all others are read where
// they arrived.
// Invariant: messages are taken whole, in order, each once, however the bytes arrive.

/** `view` is over the same bytes; the message's body is from `start` to `end`. The bytes are not changed afterwards. */
export type TakeMessage = (type: number, bytes: Buffer, view: DataView, start: number, end: number) => void;

/** Type and length. */
const headBytes = 5;

export function createMessageReader(take: TakeMessage): (chunk: Buffer) => void {
  let pieces: Buffer[] = [];
  let held = 0;
  /** Length of the partial message, as far as known: first its head's, then its own. */
  let needed = headBytes;

  function hold(piece: Buffer): void {
    if (piece.length > 0) pieces.push(piece);
    held += piece.length;
  }

  /** Completes the partial message from the chunk; returns the position after it. */
  function complete(chunk: Buffer): number {
    let position = 0;
    while (held < needed) {
      const end = Math.min(chunk.length, position + needed - held);
      if (end === position) return position;
      hold(chunk.subarray(position, end));
      position = end;
      if (held === headBytes && needed === headBytes) {
        const head = Buffer.concat(pieces, held);
        pieces = [head];
        needed = 1 + head.readInt32BE(1);
      }
    }
    const message = Buffer.concat(pieces, held);
    pieces = [];
    held = 0;
    needed = headBytes;
    takeAll(message, 0);
    return position;
  }

  /** Takes the whole messages; returns the position of the rest. */
  function takeAll(bytes: Buffer, from: number): number {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    let position = from;
    while (position + headBytes <= bytes.length) {
      const end = position + 1 + view.getInt32(position + 1);
      if (end > bytes.length) {
        needed = end - position;
        break;
      }
      take(bytes[position]!, bytes, view, position + headBytes, end);
      position = end;
    }
    return position;
  }

  return (chunk) => {
    const from = held > 0 ? complete(chunk) : 0;
    if (held > 0 || from === chunk.length) return;
    hold(chunk.subarray(takeAll(chunk, from)));
  };
}
