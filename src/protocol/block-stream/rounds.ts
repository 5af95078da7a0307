// Which consensus rounds a block covers, as its round headers say.
import { readVarint64, visitWireFields, wireVarint } from '../wire-fields.ts';
import { type BlockStreamItem, itemKinds } from './block-item.ts';

/** null for a block without round headers. */
export function readRounds(items: readonly BlockStreamItem[]): { first: bigint; last: bigint } | null {
  const headers = items.filter(({ kind }) => kind === itemKinds.roundHeader);
  const [first, last] = [headers[0], headers.at(-1)];
  return first && last ? { first: roundNumber(first.content), last: roundNumber(last.content) } : null;
}

function roundNumber(header: Buffer): bigint {
  let round = 0n;
  visitWireFields(header, (number, wireType, start) => {
    if (number === 1 && wireType === wireVarint) round = readVarint64(header, start);
  });
  return round;
}
