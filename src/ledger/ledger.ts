// The questions that can be put to the ledger, by resource. Each is answered from PostgreSQL alone, in ledger values; what
// text a client reads is not decided here.
import type { createQuestions } from './create-questions.ts';

type Questions = ReturnType<typeof createQuestions>;

export type Ledger = Questions & {
  /** All that `work` asks is answered as of the same block. */
  snapshot<T>(work: (ledger: Ledger) => Promise<T>): Promise<T>;
};
