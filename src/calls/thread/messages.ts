// Between the main thread and one that runs contracts.
import type { FactsAsked, FetchedFacts } from '../facts/fetched-facts.ts';
import type { Job, Outcome } from './job.ts';

export type ToThread = { job: Job } | { facts: FetchedFacts } | { failed: true };
export type FromThread = { asked: FactsAsked } | { outcome: Outcome } | { error: unknown };
