import type { Ledger } from '../../src/ledger/ledger.ts';

/** A question whose statements are looked at, by name. */
export type PlanQuestion = [name: string, ask: (ledger: Ledger) => Promise<unknown>];
