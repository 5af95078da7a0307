// A message inside a message as the stream has it, byte for byte. What decoders do not know is still in it, so that what
// the ledger keeps of other people's messages is what they wrote.
import { visitWireFields, wireBytes } from '../../protocol/wire-fields.ts';

/** @param path field numbers from the outside in; where one occurs twice the last counts. null when it is not there. */
export function rawMessage(bytes: Uint8Array, path: readonly number[]): Uint8Array | null {
  let message: Uint8Array | null = bytes;
  for (const wanted of path) {
    const outer: Uint8Array | null = message;
    if (!outer) return null;
    message = null;
    visitWireFields(outer, (number, wireType, start, end) => {
      if (number === wanted && wireType === wireBytes) message = outer.subarray(start, end);
    });
  }
  return message;
}
