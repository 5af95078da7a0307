// A block whose transactions lie after the block before: consensus time only moves on. Where a proved block repeats
// times that the stream has passed, its transactions of these times are left out: rows of that moment are stored
// already.

import { formatTimestamp } from '../../../packages/protocol/hapi/timestamp.ts';
import { consensusRange } from '../../../packages/streams/decode-items.ts';
import type { Doubt } from '../../../packages/streams/stream/doubt.ts';
import type { StreamBlock, TransactionItem } from '../../../packages/streams/stream/stream-block.ts';

/** @param lastEnd last consensus timestamp of the block before; null: there is none */
export function afterLastBlock(block: StreamBlock, lastEnd: bigint | null): { block: StreamBlock; doubts: Doubt[] } {
  if (lastEnd === null || block.consensusStart > lastEnd) return { block, doubts: [] };
  const isLater = ({ consensusTimestamp }: TransactionItem): boolean => consensusTimestamp > lastEnd;
  const transactions = block.transactions.filter(isLater);
  const count = block.transactions.length - transactions.length;
  const { incomplete = null } = block;
  const later: StreamBlock = {
    ...block,
    transactions,
    // A block of its own moment, even if nothing of it is left.
    ...consensusRange(transactions, block.consensusEnd > lastEnd ? block.consensusEnd : lastEnd + 1n),
    incomplete: incomplete && {
      ...incomplete,
      async complete(answers) {
        const completed = await incomplete.complete(answers);
        return { ...completed, transactions: completed.transactions.filter(isLater) };
      },
    },
  };
  const first = block.transactions.find((item) => !isLater(item));
  const passed = `the stream repeats a consensus time: the block before ended at ${formatTimestamp(lastEnd)}`;
  const text = first ? `${passed}, and ${count} transactions of this one lie before that and are left out` : passed;
  return {
    block: later,
    doubts: [{ kind: 'repeatedTime', text, count: Math.max(count, 1), place: first?.index ?? null }],
  };
}
