// The block of a call: a word, a number in either form, or a hash.

import type { StateBlockName } from '../../../../packages/store/read/state/select-state-block.ts';
import { refuse } from '../../../../packages/web-server/request-error.ts';

const present: ReadonlySet<string> = new Set(['', 'latest', 'pending', 'safe', 'finalized']);
const maxNumber = 2n ** 63n - 1n;
const hashDigits = 64;

/** null = now. Throws RequestError. */
export function readBlockName(text: string): StateBlockName | null {
  const word = text.toLowerCase();
  if (present.has(word)) return null;
  if (word === 'earliest') return 'earliest';
  if (/^\d{1,20}$/.test(word)) return toNumber(BigInt(word), 'Decimal', text);
  if (/^0x[0-9a-f]{1,16}$/.test(word)) return toNumber(BigInt(word), 'Hex', text);
  if (/^0x(?:[0-9a-f]{64}|[0-9a-f]{96})$/.test(word)) return { hashPrefix: word.slice(2, 2 + hashDigits) };
  throw refuse('invalidCall', { text: `Invalid block value: ${text}` });
}

function toNumber(number: bigint, kind: string, text: string): StateBlockName {
  if (number > maxNumber) {
    throw refuse('invalidCall', { text: `${kind} value out of range for block: ${text}` });
  }
  return { number };
}
