// One `serve` as several processes that share its port. This process answers no query: it hands connections out (`node:cluster`),
// starts a worker again when one dies, adds up what they count, and tells the status service how they are.
import cluster, { type Worker } from 'node:cluster';
import { type AddressInfo, createServer } from 'node:net';
import { Counter, Gauge, Registry } from 'prom-client';
import { createBackOff } from '../../kit/back-off.ts';
import { pause } from '../../kit/pause.ts';
import type { Logger } from '../log.ts';
import { memoryFlags } from '../memory-flags.ts';
import type { WorkerReaders } from './lead-readers.ts';
import { createMergedMetrics } from './merge-metrics.ts';
import { reclaimConnections } from './reclaim-connections.ts';
import type { FromWorker, StatusContact, ToWorker, WorkerStart } from './worker-messages.ts';

export type RunWorkersOptions = {
  start: WorkerStart;
  /** As in the settings; port 0 = a free one. */
  host: string;
  port: number;
  log: Logger;
  /** Where they read from replicas. */
  readers: WorkerReaders | null;
};

export type RunningWorkers = {
  place: { host: string; port: number; url: string };
  /** Of all of them together. */
  metrics(): Promise<Registry>;
  connections(): { most: number; busy: number };
  tellStatusContact(contact: StatusContact | null): void;
  /** Lets each finish its requests. */
  close(): Promise<void>;
};

const firstRestartMs = 100;
const longestRestartMs = 10_000;
/** One that lived so long is started again at once. */
const livesLongMs = 30_000;
const metricsWithinMs = 1_000;
const stopWithinMs = 20_000;

type Slot = { worker: Worker; isAnswering: boolean; connections: { most: number; busy: number } };

/** Resolves when all of them answer; throws where one of the first cannot begin. */
export async function runWorkers({
  start,
  host,
  port: wanted,
  log,
  readers,
}: RunWorkersOptions): Promise<RunningWorkers> {
  // All of them ask for the same port, also the one that is started again.
  const port = wanted === 0 ? await findFreePort(host) : wanted;
  const registry = new Registry();
  const merged = createMergedMetrics(registry);
  const slots = new Map<number, Slot>();
  const closing = new AbortController();
  const begun = Promise.withResolvers<RunningWorkers['place']>();
  const waits = new Map<number, { left: Set<number>; done(): void }>();
  let contact: StatusContact | null = null;
  let place: RunningWorkers['place'] | null = null;
  let questions = 0;
  showWorkers();
  const restarts = new Counter({
    name: 'ledger_mirror_worker_restarts_total',
    help: 'Workers that ended unasked and were started again',
    registers: [registry],
  });

  const reclaimed = new Counter({
    name: 'ledger_mirror_worker_reclaimed_connections_total',
    help: 'Connections of clients that a worker had not accepted when it ended, and that another one was given',
    registers: [registry],
  });

  // Names of networks and numbers of chains are more than JSON has.
  cluster.setupPrimary({ serialization: 'advanced', execArgv: [...process.execArgv, ...memoryFlags('serve')] });
  const running = Array.from({ length: start.workers }, (_, number) => keepRunning(number + 1));
  try {
    place = await begun.promise;
  } catch (error) {
    await close();
    throw error;
  }

  async function keepRunning(number: number): Promise<void> {
    const delays = createBackOff(firstRestartMs, longestRestartMs);
    while (!closing.signal.aborted) {
      const sinceMs = performance.now();
      const reason = await runOne(number);
      await merged.retire(number);
      if (closing.signal.aborted) return;
      if (place === null) {
        begun.reject(new Error(`A worker could not begin (${reason}); the lines above say why.`));
        return;
      }
      if (performance.now() - sinceMs > livesLongMs) delays.reset();
      const delayMs = delays.next();
      log.warn(`Worker ${number} has ended (${reason}) and is started again in ${delayMs / 1000} s`);
      restarts.inc();
      await pause(delayMs, closing.signal);
    }
  }

  /** Until it ends. Returns how. */
  async function runOne(number: number): Promise<string> {
    const worker = cluster.fork({ LEDGER_MIRROR_LAUNCHER: '' });
    const slot: Slot = { worker, isAnswering: false, connections: { most: 0, busy: 0 } };
    slots.set(number, slot);
    worker.on('message', (message: FromWorker) => void hear(number, slot, message));
    if (!process.env.NORECLAIM)
      reclaimConnections(worker, {
        hasOther: () => [...slots.values()].some((one) => one !== slot && one.isAnswering && one.worker.isConnected()),
        onReclaimed: (count) => reclaimed.inc(count),
      });
    const ended = Promise.withResolvers<string>();
    // Of one that was killed, each message that could not be sent is another error.
    worker.on('error', (error) => log.warn({ err: error, worker: number }, 'a worker cannot be reached'));
    worker.once('exit', (code, signal) => ended.resolve(signal ?? `exit code ${code}`));
    const reason = await ended.promise;
    slots.delete(number);
    readers?.leave(number);
    for (const wait of waits.values()) settle(wait, number);
    return reason;
  }

  async function hear(number: number, slot: Slot, message: FromWorker): Promise<void> {
    const { worker } = slot;
    if (message.kind === 'ready') {
      tell(worker, { kind: 'status', contact });
      tell(worker, { kind: 'begin', start, port });
      readers?.join(number, (told) => tell(worker, { kind: 'read', told }));
    } else if (message.kind === 'answering') {
      slot.isAnswering = true;
      const { kind: _, ...told } = message;
      if ([...slots.values()].filter(({ isAnswering }) => isAnswering).length === start.workers) begun.resolve(told);
      place ??= told;
    } else if (message.kind === 'metrics') {
      merged.note(number, message.metrics);
      slot.connections = message.connections;
      const wait = message.id === null ? undefined : waits.get(message.id);
      if (wait) settle(wait, number);
    } else if (message.kind === 'read') {
      readers?.hear(number, message.said);
    } else {
      const all = await metrics();
      tell(worker, { kind: 'allMetrics', id: message.id, text: await all.metrics() });
    }
  }

  /** What each counts now; of one that does not say so in time, what it said last. */
  async function metrics(): Promise<Registry> {
    const id = questions++;
    const { promise, resolve } = Promise.withResolvers<void>();
    waits.set(id, { left: new Set(slots.keys()), done: resolve });
    const timer = setTimeout(resolve, metricsWithinMs);
    for (const { worker } of slots.values()) tell(worker, { kind: 'tellMetrics', id });
    if (slots.size === 0) resolve();
    await promise;
    clearTimeout(timer);
    waits.delete(id);
    return merged.merge();
  }

  function settle(wait: { left: Set<number>; done(): void }, number: number): void {
    wait.left.delete(number);
    if (wait.left.size === 0) wait.done();
  }

  function tell(worker: Worker, message: ToWorker): void {
    if (worker.isConnected()) worker.send(message, () => {});
  }

  function showWorkers(): void {
    new Gauge({
      name: 'ledger_mirror_workers',
      help: 'Processes that answer queries: wanted by the setting, and answering now',
      labelNames: ['state'],
      registers: [registry],
      collect() {
        this.set({ state: 'wanted' }, start.workers);
        this.set({ state: 'answering' }, [...slots.values()].filter(({ isAnswering }) => isAnswering).length);
      },
    });
  }

  return {
    place,
    metrics,
    connections() {
      const all = [...slots.values()].map(({ connections }) => connections);
      const sum = (pick: (one: Slot['connections']) => number) => all.reduce((total, one) => total + pick(one), 0);
      return { most: sum(({ most }) => most), busy: sum(({ busy }) => busy) };
    },
    tellStatusContact(found) {
      if (found?.port === contact?.port && found?.secret === contact?.secret) return;
      contact = found;
      for (const { worker } of slots.values()) tell(worker, { kind: 'status', contact });
    },
    close,
  };

  async function close(): Promise<void> {
    closing.abort();
    for (const { worker } of slots.values()) tell(worker, { kind: 'stop' });
    const timer = setTimeout(() => {
      for (const { worker } of slots.values()) worker.process.kill('SIGKILL');
    }, stopWithinMs);
    await Promise.all(running);
    clearTimeout(timer);
  }
}

async function findFreePort(host: string): Promise<number> {
  const server = createServer();
  await new Promise<void>((done, refuse) => {
    server.once('error', refuse);
    server.listen(0, host, done);
  });
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return port;
}
