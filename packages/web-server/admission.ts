// Admission of requests: one that would wait too long is refused before anything is read, as the database's waiting
// line judges (store/wire/waiting-line.ts), and clients take turns. A request counts until its answer is made: slow
// clients, whether they send or receive, take no place.
import { Counter, type Registry } from 'prom-client';
import { addGauge } from '../kit/add-gauge.ts';
import { isOverload } from '../kit/shares/cause.ts';
import { hasPlace, runAs } from '../kit/shares/current-client.ts';
import { createClientTurns } from './client-turns.ts';
import { refuse } from './request-error.ts';

export type Admission = {
  /**
   * Does the work for this client (`currentClient`) when it is its turn, within a request that has no place yet. Throws
   * as the work does, or RequestError (`overloaded`, `overShare`): then nothing was asked.
   */
  run<T>(client: string, work: () => Promise<T>): Promise<T>;
};

/** One for all: making an error, with its stack, is a tenth of the cost of a refusal. */
const overloaded = refuse('overloaded');
const overShare = refuse('overShare');

export type ThreadState = {
  /** More than half of it is used: long work gives way. */
  isHalfUsed(): boolean;
  /** It has little time. */
  isBusy(): boolean;
  /** One request holds up the others: of each client only one is worked on at a time. */
  isBehind(): boolean;
  /** It has too much to do: the client with most in work gets nothing more. */
  isLate(): boolean;
};

type Options = {
  /** Whether a question of the current client would not wait too long at the database. */
  hasRoom(): boolean;
  /** How far this thread is behind; default: it is not. */
  thread?: ThreadState;
  registry: Registry;
};

const idle: ThreadState = { isHalfUsed: () => false, isBusy: () => false, isBehind: () => false, isLate: () => false };

export function createAdmission({ hasRoom, thread = idle, registry }: Options): Admission {
  const turns = createClientTurns({ ...thread, refuseLate: () => overShare });
  addGauge(registry, {
    name: 'http_questions_in_flight',
    help: 'Requests for which an answer is being made; those answered from the cache are not among them.',
    read: turns.inWork,
  });
  const refused = new Counter({
    name: 'http_requests_shed_total',
    help: 'Requests that were refused because they would have waited too long.',
    registers: [registry],
  });

  async function answer<T>(client: string, work: () => Promise<T>): Promise<T> {
    // One within another, or several at the same time, give the one place back once.
    let away = 0;
    const aside = async <Result>(elsewhere: () => Promise<Result>): Promise<Result> => {
      if (away === 0) turns.end(client);
      away += 1;
      try {
        return await elsewhere();
      } finally {
        away -= 1;
        if (away === 0) turns.resume(client);
      }
    };
    try {
      return await runAs(client, () => (hasRoom() ? work() : Promise.reject(overloaded)), aside);
    } finally {
      turns.end(client);
    }
  }

  return {
    async run(client, work) {
      if (hasPlace()) return work();
      try {
        if (thread.isLate() && turns.hasMost(client)) throw overloaded;
        const turn = turns.begin(client);
        if (turn !== null) await turn;
        return await answer(client, work);
      } catch (error) {
        if (isOverload(error)) refused.inc();
        throw error;
      }
    },
  };
}

/** Refuses nothing. */
export const admitAll: Admission = { run: (client, work) => runAs(client, work) };
