// Admission of requests: one that would wait too long is refused before anything is read, as the database's waiting line
// judges (store/wire/waiting-line.ts). A request counts until its answer is made: slow clients, whether they send or receive,
// take no place.
import { Counter, type Registry } from 'prom-client';
import { addGauge } from '../../kit/add-gauge.ts';
import { refuse } from './request-error.ts';

export type Admission = {
  /** To be called before a request is processed. Throws RequestError (`overloaded`): then it does not count. */
  enter(): void;
  /** To be called once for each admitted request. `wasAsked`: false if it was refused after all, for lack of time. */
  leave(wasAsked: boolean): void;
};

/** One for all: making an error, with its stack, is a tenth of the cost of a refusal. */
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
