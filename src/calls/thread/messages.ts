// Between the main thread and one that runs contracts.
import type { FactsAsked, FetchedFacts } from '../facts/fetched-facts.ts';
import type { Job, Outcome } from './job.ts';

export type ToThread = { job: Job } | { facts: FetchedFacts } | { failed: true };
/** `ready`: it has started. */
export type FromThread = { ready: true } | { asked: FactsAsked } | { outcome: Outcome } | { error: unknown };
