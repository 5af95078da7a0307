// What stored blocks do not show, in a sentence: which kinds, how often, and where the first one is.

import type { StoredDoubts } from '../../../packages/store/read/select-doubts.ts';
import { type DoubtKind, doubtKinds } from '../../../packages/streams/stream/doubt.ts';

/** Empty without any; begins with a semicolon. */
export function describeDoubts(doubts: readonly StoredDoubts[]): string {
  if (doubts.length === 0) return '';
  const parts = doubts.map(({ kind, count, blocks, firstBlock, lastBlock, place, text }) => {
    const what = doubtKinds[kind as DoubtKind] ?? kind;
    const from = place === null ? `block ${firstBlock}` : `block ${firstBlock}, item ${place}`;
    const where = blocks === 1n ? `in ${from}` : `in ${blocks} blocks from ${from}, to block ${lastBlock}`;
    return `${count} ${what} (${where}: ${text})`;
  });
  return `; not shown, or shown in part, since it is doubtful: ${parts.join(', ')}`;
}
