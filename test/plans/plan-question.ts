import type { Ledger } from '../../src/ledger/ledger.ts';

/** A question whose plans are judged, with its name. */
export type PlanQuestion = [name: string, ask: (ledger: Ledger) => Promise<unknown>];
