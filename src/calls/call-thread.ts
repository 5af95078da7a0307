// Entry of a thread that runs contracts: one job at a time. What it misses it asks the main thread for, which has the database.
import { parentPort, workerData } from 'node:worker_threads';
import type { FactsAsked, FetchedFacts } from './facts/fetched-facts.ts';
import { createStateCache, type StateCacheOptions } from './thread/cached-state.ts';
import type { FromThread, ToThread } from './thread/messages.ts';
import { runJob } from './thread/run-job.ts';

const port = parentPort!;
const cache = createStateCache(workerData as StateCacheOptions);
let waiting: PromiseWithResolvers<FetchedFacts> | null = null;
const say = (message: FromThread): void => port.postMessage(message);

function fetch(asked: FactsAsked): Promise<FetchedFacts> {
  waiting = Promise.withResolvers();
  say({ asked });
  return waiting.promise;
}

port.on('message', (message: ToThread) => {
  if ('job' in message) {
    runJob(message.job, { cache, fetch }).then(
      (outcome) => say({ outcome }),
      (error: unknown) => say({ error }),
    );
  } else if ('facts' in message) waiting?.resolve(message.facts);
  else waiting?.reject(new Error('The state could not be read.'));
});
