// The door of the questions: who would wait too long is refused before anything is read, as the database's waiting line judges
// (store/wire/waiting-line.ts). A question is in here until its answer is made: slow clients, whether they send or receive, take
// no place.
import { Counter, type Registry } from 'prom-client';
import { addGauge } from '../../kit/add-gauge.ts';
import { refuse } from './request-error.ts';

export type Admission = {
  /** To be called before a question is asked. Throws RequestError (`overloaded`): then it is not in here. */
  enter(): void;
  /** To be called once for each that was let in. `wasAsked`: false where it was refused after all, for want of time. */
  leave(wasAsked: boolean): void;
};

/** One for all: to make an error, with the place that it comes from, is a tenth of what a refusal takes. */
const overloaded = refuse('overloaded');

export function createAdmission({ hasRoom, registry }: { hasRoom(): boolean; registry: Registry }): Admission {
  let inFlight = 0;
  addGauge(registry, {
    name: 'http_questions_in_flight',
    help: 'Requests for which an answer is being made; those answered from the cache are not among them.',
    read: () => inFlight,
  });
  const refused = new Counter({
    name: 'http_requests_shed_total',
    help: 'Requests that were refused because they would have waited too long.',
    registers: [registry],
  });
  return {
    enter() {
      if (!hasRoom()) {
        refused.inc();
        throw overloaded;
      }
      inFlight += 1;
    },
    leave(wasAsked) {
      inFlight -= 1;
      if (!wasAsked) refused.inc();
    },
  };
}
