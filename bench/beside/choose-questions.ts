// Of the questions those that can be measured on a ledger: both services answer them, and alike; or ours, where it is
// alone.
import type { BesideReport, LedgerName } from './beside-report.ts';
import { compareAnswers } from './compare-answers.ts';
import { drawPaths } from './draw-paths.ts';
import type { Question } from './question.ts';

export type AskedQuestion = { question: Question; paths: string[] };

type Chosen = Pick<BesideReport, 'unmeasured' | 'expected'> & { asked: AskedQuestion[]; compared: number };

export async function chooseQuestions(
  questions: readonly Question[],
  { ledger, connectionString }: { ledger: LedgerName; connectionString: string },
  urls: { rival: string | null; mirror: string },
): Promise<Chosen> {
  const drawn = await drawPaths(connectionString, questions);
  const chosen: Chosen = { asked: [], compared: 0, unmeasured: [], expected: [] };
  for (const [index, question] of questions.entries()) {
    const paths = drawn[index]!;
    const request = question.name;
    const { answered, difference, expected } = await compareAnswers(urls, paths);
    chosen.compared += answered.length;
    if (expected.size > 0) chosen.expected.push({ ledger, request, reasons: [...expected] });
    if (difference === null && answered.length > 0) {
      chosen.asked.push({ question, paths: answered });
      continue;
    }
    const nothing = paths.length === 0 ? 'the ledger has nothing of the kind' : 'it is refused';
    chosen.unmeasured.push({ ledger, request, why: difference === null ? nothing : `answers differ: ${difference}` });
  }
  return chosen;
}
