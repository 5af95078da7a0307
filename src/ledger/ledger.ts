// The queries of the ledger, by resource. Each is answered from PostgreSQL alone, in ledger values; texts for clients
// are made elsewhere.
import type { createQuestions } from './create-questions.ts';

type Questions = ReturnType<typeof createQuestions>;

export type Ledger = Questions & {
  /** All queries in `work` are answered as of the same block. */
  snapshot<T>(work: (ledger: Ledger) => Promise<T>): Promise<T>;
};
