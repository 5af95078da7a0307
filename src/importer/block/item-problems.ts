// What was left out of a block's items, and why: bad data of the ledger, or a defect of this program.
import { isBadData } from '../../../packages/protocol/ledger-value-error.ts';
import type { BlockItem } from './block-item.ts';

/** A part of a transaction that was left out. */
export type ItemProblem = {
  consensusTimestamp: bigint;
  type: number;
  problem: string;
  /** The error of this program, if the data is good. */
  defect?: Error;
};

export type ItemProblems = {
  list: ItemProblem[];
  report(item: BlockItem, problem: string): void;
  /** Leaves out a part of the item after an error was thrown while it was made. */
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
