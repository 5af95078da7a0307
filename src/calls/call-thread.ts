// Entry of a thread that runs contracts: one job at a time. What it misses it asks the main thread for, which has the
// database.
import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import type { FactsAsked, FetchedFacts } from './facts/fetched-facts.ts';
import type { FromThread, ToThread } from './pool/messages.ts';
import { runSimulation } from './simulate/run-simulation.ts';
import { createStateCache, type StateCacheOptions } from './thread/cached-state.ts';
import { runJob } from './thread/run-job.ts';

/**
 * Of 19: threads that answer others come first where processors are few, with three quarters of one that both want. At
 * 10 it is nine tenths, and on a host with four other programs for each processor a call gets a fortieth of it, less
 * than it needs to end in its time; at 5 it gets a thirteenth. The modules above are read before, with the priority of
 * the process.
 */
const niceness = 5;
giveWay();
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
    const { job } = message;
    const options = { cache, fetch };
    (job.kind === 'simulate' ? runSimulation(job, options) : runJob(job, options)).then(
      (outcome) => say({ outcome }),
      (error: unknown) => say({ error }),
    );
  } else if ('facts' in message) waiting?.resolve(message.facts);
  else waiting?.reject(new Error('The state could not be read.'));
});

say({ ready: true });

/** Linux gives each thread its priority; elsewhere there is no such path. */
function giveWay(): void {
  if (process.platform === 'linux') setPriority(Number(readlinkSync('/proc/thread-self').split('/').at(-1)), niceness);
}
