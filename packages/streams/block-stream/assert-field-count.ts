// A field that takes a byte or two in a message takes hundreds in memory: a message of a few MiB of such fields would
// exhaust memory. Fields of large messages are counted before decoding.
import { StreamFileError } from '../../protocol/stream-file-error.ts';
import { visitWireFields, wireBytes } from '../../protocol/wire-fields.ts';

/** Smaller messages cannot have too many, bytes. */
const minSize = 512 * 1024;
/** The fields of a message and of nested ones, two levels deep, as deep as lists in a block's messages. */
const maxFields = 262_144;
const maxDepth = 3;

/** Throws StreamFileError. */
export function assertFieldCount(message: Buffer, name: string): void {
  if (message.length >= minSize) countFields(message, name, maxFields, maxDepth);
}

/** Returns how many more are allowed. */
function countFields(message: Buffer, name: string, allowed: number, depth: number): number {
  let left = allowed;
  visitWireFields(message, (_number, wireType, start, end) => {
    left -= 1;
    if (left < 0) throw new StreamFileError('tooLarge', name, `at most ${maxFields} fields`, 'more');
    if (wireType !== wireBytes || depth === 1) return;
    left = tryCount(message.subarray(start, end), name, left, depth - 1);
  });
  return left;
}

/** Text and bytes are not messages: a value that does not parse as one counts as one field. */
function tryCount(message: Buffer, name: string, allowed: number, depth: number): number {
  try {
    return countFields(message, name, allowed, depth);
  } catch (error) {
    if (error instanceof StreamFileError && error.problem !== 'tooLarge') return allowed;
    throw error;
  }
}
