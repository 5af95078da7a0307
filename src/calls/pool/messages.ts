// Between the main thread and one that runs contracts.
import type { FactsAsked, FetchedFacts } from '../facts/fetched-facts.ts';
import type { SimulationEnd, SimulationJob } from '../simulate/simulation.ts';
import type { Job, Outcome } from '../thread/job.ts';

export type AnyJob = Job | SimulationJob;
export type EndOf<Asked extends AnyJob> = Asked extends SimulationJob ? SimulationEnd : Outcome;

export type ToThread = { job: AnyJob } | { facts: FetchedFacts } | { failed: true };
/** `ready`: it has started. */
export type FromThread = { ready: true } | { asked: FactsAsked } | { outcome: EndOf<AnyJob> } | { error: unknown };
