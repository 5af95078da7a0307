// What was left out of a block's items, and why: bad data, which is the ledger's, or a defect, which is ours.
import { isBadData } from '../../protocol/ledger-value-error.ts';
import type { BlockItem } from './block-item.ts';

/** A part of a transaction that was left out. */
export type ItemProblem = {
  consensusTimestamp: bigint;
  type: number;
  problem: string;
  /** The error of this program, where the data is good. */
  defect?: Error;
};

export type ItemProblems = {
  list: ItemProblem[];
  report(item: BlockItem, problem: string): void;
  /** An error was thrown while a part of the item was made: the part is left out. */
  leaveOut(item: BlockItem, thrown: unknown): void;
  guard<Result>(item: BlockItem, make: () => Result, otherwise: Result): Result;
};

export function createItemProblems(): ItemProblems {
  const list: ItemProblem[] = [];
  const add = ({ consensusTimestamp, type }: BlockItem, problem: Omit<ItemProblem, 'consensusTimestamp' | 'type'>) =>
    list.push({ consensusTimestamp, type, ...problem });

  const leaveOut = (item: BlockItem, thrown: unknown): void => {
    const error = thrown instanceof Error ? thrown : new Error(String(thrown));
    add(item, { problem: error.message, ...(isBadData(error) ? {} : { defect: error }) });
  };

  return {
    list,
    report: (item, problem) => add(item, { problem }),
    leaveOut,
    guard(item, make, otherwise) {
      try {
        return make();
      } catch (thrown) {
        leaveOut(item, thrown);
        return otherwise;
      }
    },
  };
}
