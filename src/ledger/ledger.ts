// The queries of the ledger, by resource. Each is answered from PostgreSQL alone, in ledger values; texts for clients
// are made elsewhere.
import type { Questions } from './create-questions.ts';

export type Ledger = InstanceType<typeof Questions> & {
  /** All queries in `work` are answered as of the same block. */
  snapshot<T>(work: (ledger: Ledger) => Promise<T>): Promise<T>;
};
