// The fields of a message of bytes and varints alone, as verifiers of proof documents read messages.
import { StreamFileError } from './stream-file-error.ts';
import { createWireCursor, nextWireField, readVarint64, wireBytes, wireVarint } from './wire-fields.ts';

/** Each field as it comes. null: other wire types, or no whole message. */
export function listPlainFields(message: Buffer): [number: number, value: Buffer | bigint][] | null {
  const found: [number, Buffer | bigint][] = [];
  const field = createWireCursor(message);
  try {
    while (nextWireField(field)) {
      const { number, wireType, start, end } = field;
      if (wireType === wireBytes) found.push([number, message.subarray(start, end)]);
      else if (wireType === wireVarint) found.push([number, readVarint64(message, start)]);
      else return null;
    }
  } catch (error) {
    if (error instanceof StreamFileError) return null;
    throw error;
  }
  return found;
}

/** The message in a message, and so on; the last of each number. null: there is none. */
export function findWithin(message: Buffer, ...path: number[]): Buffer | null {
  let at: Buffer | bigint | undefined = message;
  for (const number of path) at = Buffer.isBuffer(at) ? new Map(listPlainFields(at)).get(number) : undefined;
  return Buffer.isBuffer(at) ? at : null;
}

/** The varint at the end of such a path. */
export function findVarintWithin(message: Buffer, ...path: number[]): bigint | null {
  const within = findWithin(message, ...path.slice(0, -1));
  const value = within && new Map(listPlainFields(within)).get(path.at(-1)!);
  return typeof value === 'bigint' ? value : null;
}
