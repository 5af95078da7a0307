// What of a block is not shown, or shown in part: one list for log and metrics, and its rows.

import { formatTimestamp } from '../../../packages/protocol/hapi/timestamp.ts';
import { transactionTypeName } from '../../../packages/protocol/hapi/transaction-types.ts';
import type { TableChanges } from '../../../packages/store/write/block-changes.ts';
import type { Doubt, DoubtKind } from '../../../packages/streams/stream/doubt.ts';
import type { ItemProblem } from '../block/item-problems.ts';
import { toStoredText } from '../columns/stored-values.ts';
import type { BlockVerification } from '../open/block-verification.ts';

/** Without what a defect of this program left out: the data is good. */
export function listDoubts(
  { problems, doubts }: Pick<BlockVerification, 'problems' | 'doubts'>,
  ofItems: readonly ItemProblem[],
): Doubt[] {
  return [
    ...problems.map((text) => toDoubt('proof', text)),
    ...doubts,
    ...ofItems
      .filter(({ defect }) => defect === undefined)
      .map(({ consensusTimestamp, type, problem }) =>
        toDoubt(
          'transactionPart',
          `${transactionTypeName(type)} at ${formatTimestamp(consensusTimestamp)}: ${problem}`,
        ),
      ),
  ];
}

export function toDoubt(kind: DoubtKind, text: string): Doubt {
  return { kind, text, count: 1, place: null };
}

/** Of the text, in characters: it may hold what a ledger says. */
const maxTextLength = 500;

/** A row for each kind, with the first place and text. */
export function doubtRows(consensusEnd: bigint, doubts: readonly Doubt[]): TableChanges[] {
  if (doubts.length === 0) return [];
  const byKind = new Map<DoubtKind, Doubt>();
  for (const doubt of doubts) {
    const { kind, count } = doubt;
    const first = byKind.get(kind);
    byKind.set(kind, first ? { ...first, count: first.count + count } : doubt);
  }
  const rows = [...byKind.values()].map(({ kind, text, count, place }) => ({
    ...{ consensus_end: consensusEnd, kind, count: BigInt(count), place },
    text: toStoredText(text).slice(0, maxTextLength),
  }));
  return [{ import_doubt: rows }];
}
