// A result that is ready to be sent any number of times, each time with another id before it: its bytes, and their
// compressed form, which is made once.
import { isAscii } from 'node:buffer';
import { type DeflatedPart, deflatePart } from '../../../packages/kit/gzip-around.ts';
import { maxBytesInPlace, minCompressedBytes } from '../../../packages/web-server/content-encoding.ts';
import type { Cacheable } from '../../api/frame/answer-cache.ts';

export type FinishedResult = Cacheable & {
  /**
   * JSON. Short ASCII is a string, which Node writes together with the head; all else is its UTF-8. A string of 760 KB
   * took 520 µs to be sent, its bytes 90.
   */
  readonly bytes: string | Buffer;
  /** null = it is too short in every answer. */
  readonly compressed: DeflatedResult | null;
};

type DeflatedResult = NonNullable<Cacheable['compressed']> & { part(): DeflatedPart | Promise<DeflatedPart> };

const maxStringLength = 16 * 1024;
/** What stands around a result at most: the other members, and an id of 66. */
const maxAround = 128;

export function createFinishedResult(text: string): FinishedResult {
  const utf8 = Buffer.from(text);
  const bytes = text.length <= maxStringLength && isAscii(utf8) ? text : utf8;
  return { bytes, compressed: bytes.length + maxAround < minCompressedBytes ? null : createDeflated(bytes) };
}

export function textOf({ bytes }: FinishedResult): string {
  return typeof bytes === 'string' ? bytes : bytes.toString();
}

function createDeflated(bytes: string | Buffer): DeflatedResult {
  let kept: DeflatedPart | Promise<DeflatedPart> | null = null;
  const keep = (part: DeflatedPart): DeflatedPart => {
    kept = part;
    result.sizeBytes = part.blocks.length;
    result.onKept?.();
    return part;
  };
  const result: DeflatedResult = {
    sizeBytes: 0,
    onKept: null,
    part() {
      if (kept !== null) return kept;
      const made = deflatePart(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes, maxBytesInPlace);
      if (!(made instanceof Promise)) return keep(made);
      kept = made.then(keep);
      made.catch(() => {
        kept = null;
      });
      return kept;
    },
  };
  return result;
}
