// Transactions of a block that leaves out what did not change: completed from the blocks before it.
import type { Doubt } from '../../../packages/streams/stream/doubt.ts';
import type { StateAnswer, StateAnswers, StateQuestion } from '../../../packages/streams/stream/state-question.ts';
import { nameOfQuestion } from '../../../packages/streams/stream/state-question.ts';
import type { StreamBlock } from '../../../packages/streams/stream/stream-block.ts';

/** Answers as of the beginning of a block, by `nameOfQuestion`; a question may have none. `before`: ns. */
export type SelectStateBefore = (questions: readonly StateQuestion[], before: bigint) => Promise<StateAnswers>;

/**
 * The same block if nothing is missing.
 * @param earlierBlocksStored resolves when all earlier blocks can be read from the database
 */
export async function completeTransactions(
  block: StreamBlock,
  earlierBlocksStored: () => Promise<void>,
  selectStateBefore: SelectStateBefore,
): Promise<{ block: StreamBlock; doubts: readonly Doubt[] }> {
  const { incomplete, consensusStart } = block;
  if (!incomplete) return { block, doubts: [] };
  await earlierBlocksStored();
  const answers = new Map<string, StateAnswer>();
  // An answer may lead to another question, never to the same one.
  for (let { questions } = incomplete; ; ) {
    const found = await selectStateBefore(questions, consensusStart);
    for (const question of questions) {
      const name = nameOfQuestion(question);
      answers.set(name, found.get(name) ?? null);
    }
    const completed = await incomplete.complete(answers);
    questions = completed.questions;
    if (questions.length > 0) continue;
    const { transactions, doubts } = completed;
    return { block: { ...block, transactions, incomplete: null }, doubts };
  }
}
