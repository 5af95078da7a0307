// Calls, traces, prestates, JSON-RPC and what the import asks, of two databases with one ledger.

import { type Database, openDatabase } from '../../../packages/postgres/wire/database.ts';
import { asDistributedWhereItIs } from '../../../packages/store/read/distributed/as-distributed.ts';
import { directQuestions, readDirectWords } from '../direct-questions.ts';
import { askChain, type ChainOptions, readChainWords, toText } from './chain-questions.ts';

export type QuestionReport = { compared: number; different: string[]; seconds: { expected: number; actual: number } };

export async function compareQuestions(
  { expected, actual }: { expected: string; actual: string },
  options: ChainOptions,
): Promise<QuestionReport> {
  const [one, other] = [openDatabase({ connectionString: expected }), openDatabase({ connectionString: actual })];
  try {
    const [chain, direct] = [await readChainWords(one, options), directQuestions(await readDirectWords(one))];
    const askAll = async (db: Database) => {
      const started = performance.now();
      const answers = await askChain(db, chain);
      for (const [question, ask] of direct) answers.set(question, toText(await ask(db)));
      return { answers, seconds: (performance.now() - started) / 1000 };
    };
    const [told, found] = [await askAll(one), await askAll(await asDistributedWhereItIs(other))];
    const different = [...told.answers].flatMap(([question, answer]) => {
      const instead = found.answers.get(question);
      return instead === answer ? [] : [`${question}\n  ${answer}\n  ${instead}`];
    });
    const seconds = { expected: told.seconds, actual: found.seconds };
    return { compared: told.answers.size, different, seconds };
  } finally {
    await one.close();
    await other.close();
  }
}
