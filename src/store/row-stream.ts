// Takes the rows out of what PostgreSQL sends, before `pg` sees them; every other message goes on to `pg` as it came. `pg`
// makes a text of each value, bytes included, and an event of each row: half of the server's time on a page of results.
// Invariant: `pg` is given whole messages, in order, and never a row while a receiver takes them.
import type { Readable } from 'node:stream';

export type RowReceiver = {
  /** One DataRow; `start` is where its values begin. The bytes stay as they are after the call. */
  addRow(bytes: Buffer, view: DataView, start: number): void;
};

export type RowStream = {
  /** Whose rows come next; null = `pg`'s own. Ends with the server's ReadyForQuery. */
  receive(receiver: RowReceiver | null): void;
};

// Message types of the protocol (PostgreSQL manual, "Message Formats").
const dataRow = 0x44;
const readyForQuery = 0x5a;
/** Type and length. */
const headLength = 5;

/** @param stream of a connection that has just become ready, read by `pg` alone so far */
export function createRowStream(stream: Readable): RowStream {
  const forwardTo = stream.listeners('data') as ((bytes: Buffer) => void)[];
  const forward = (bytes: Buffer): void => {
    for (const listener of forwardTo) listener.call(stream, bytes);
  };
  let receiver: RowReceiver | null = null;
  /** Beginning of a message whose end has not come yet. */
  let unfinished: Buffer | null = null;

  const read = (chunk: Buffer): void => {
    const bytes: Buffer = unfinished ? Buffer.concat([unfinished, chunk]) : chunk;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    let position = 0;
    /** From here on messages are `pg`'s and not handed on yet. */
    let kept = 0;
    const handOn = (end: number): void => {
      if (end > kept) forward(bytes.subarray(kept, end));
      kept = end;
    };
    while (position + headLength <= bytes.length) {
      const type = bytes[position]!;
      const end = position + 1 + view.getInt32(position + 1);
      if (end > bytes.length) break;
      if (type === dataRow && receiver !== null) {
        handOn(position);
        receiver.addRow(bytes, view, position + headLength);
        kept = end;
      } else if (type === readyForQuery) {
        // `pg` may send its next query, with another receiver, while it reads this.
        receiver = null;
        handOn(end);
      }
      position = end;
    }
    handOn(position);
    unfinished = position < bytes.length ? bytes.subarray(position) : null;
  };

  stream.removeAllListeners('data');
  stream.on('data', read);
  return {
    receive: (next) => {
      receiver = next;
    },
  };
}
