// Lets in as many questions as can be answered soon, and refuses the others at once: when more comes than can be done, a
// queue would make everyone late, and those who gave up would be worked for first. How many that are follows from the
// rate at which answers were given lately, while there was enough to do (Little's law).
// A question is in here until its answer is made: slow clients, whether they send or receive, take no place.
import { Counter, Gauge, type Registry } from 'prom-client';
import { refuse } from './request-error.ts';

export type Admission = {
  /** To be called before a question is asked. Throws RequestError (`overloaded`): then it is not in here. */
  enter(): void;
  /** To be called once for each that was let in. `wasAsked`: false where it was refused after all, for want of time. */
  leave(wasAsked: boolean): void;
};

export type AdmissionOptions = {
  /** How long a question may be expected to take from its begin to its answer. */
  maxWaitMs: number;
  registry: Registry;
  /** ms, never set back. */
  clock?: () => number;
};

/** So many are always let in: a few long questions say nothing about what short ones would wait. */
export const alwaysAdmitted = 32;
/** The rate counts only where at least so many were in here all the time. */
const enoughToDo = 8;
const windowMs = 100;
/** Until there was enough to do: what a small machine answers. Otherwise the first crowd would be refused on an idle machine. */
const firstAnswersPerMs = 2;
/** One for all: to make an error, with the place that it comes from, is a tenth of what a refusal takes. */
const overloaded = refuse('overloaded');
/** Of each new figure. */
const weight = 0.3;

export function createAdmission(options: AdmissionOptions): Admission {
  const { maxWaitMs, registry, clock = () => performance.now() } = options;
  let inFlight = 0;
  let answersPerMs = firstAnswersPerMs;
  let window = { began: clock(), answered: 0, least: 0 };
  const refused = showFigures(registry, () => inFlight);

  return {
    enter() {
      if (inFlight >= alwaysAdmitted && inFlight >= answersPerMs * maxWaitMs) {
        refused.inc();
        throw overloaded;
      }
      inFlight += 1;
    },
    leave(wasAsked) {
      inFlight -= 1;
      if (wasAsked) window.answered += 1;
      else refused.inc();
      if (inFlight < window.least) window.least = inFlight;
      const now = clock();
      const elapsed = now - window.began;
      if (elapsed < windowMs) return;
      if (window.least >= enoughToDo) answersPerMs += weight * (window.answered / elapsed - answersPerMs);
      window = { began: now, answered: 0, least: inFlight };
    },
  };
}

function showFigures(registry: Registry, inFlight: () => number): Counter {
  new Gauge({
    name: 'http_questions_in_flight',
    help: 'Requests for which an answer is being made; those answered from the cache are not among them.',
    registers: [registry],
    collect() {
      this.set(inFlight());
    },
  });
  return new Counter({
    name: 'http_requests_shed_total',
    help: 'Requests that were refused because they would have waited too long.',
    registers: [registry],
  });
}
