// The questions that can be put to the ledger, by resource. Each is answered from PostgreSQL alone, in ledger values; what
// text a client reads is not decided here.
import type { createLedger } from './create-ledger.ts';

export type Ledger = ReturnType<typeof createLedger>;
