// One `serve` as several processes that share its port. This process answers no query: it hands out connections
// (`node:cluster`), restarts dead workers, adds up their counters, and reports their state.
import cluster, { type Worker } from 'node:cluster';
import { type AddressInfo, createServer } from 'node:net';
import { Counter, Registry } from 'prom-client';
import { addGauge } from '../../../packages/kit/add-gauge.ts';
import { createBackOff } from '../../../packages/kit/back-off.ts';
import { pause } from '../../../packages/kit/pause.ts';
import type { Logger } from '../../../packages/kit/process/log.ts';
import { memoryFlags } from '../../../packages/kit/process/memory-flags.ts';
import { createClientOutcomes, type OutcomesTaken } from '../../../packages/kit/shares/client-outcomes.ts';
import type { WorkerReaders } from './lead-readers.ts';
import { reclaimConnections } from './reclaim-connections.ts';
import type { FromWorker, StatusContact, ToWorker, WorkerStart } from './worker-messages.ts';
import { createWorkerMetrics } from './worker-metrics.ts';

export type RunWorkersOptions = {
  start: WorkerStart;
  /** As in the settings; port 0 = a free one. */
  host: string;
  port: number;
  log: Logger;
  /** For workers that read from replicas. */
  readers: WorkerReaders | null;
};

type Place = { host: string; port: number; url: string };
type Connections = { max: number; busy: number };

export type RunningWorkers = {
  place: Place;
  /** Of all workers together. */
  metrics(): Promise<Registry>;
  connections(): Connections;
  /** How requests ended at any of them, since the last time. */
  outcomes(): OutcomesTaken;
  tellStatusContact(contact: StatusContact | null): void;
  /** Lets each finish its requests. */
  close(): Promise<void>;
};

const firstRestartMs = 100;
const maxRestartMs = 10_000;
/** A worker that lived this long is restarted at once. */
const livesLongMs = 30_000;
const stopWithinMs = 20_000;

/** Resolves when all of them answer; throws if one of the first cannot start. */
export async function runWorkers({ start, host, log, readers, ...given }: RunWorkersOptions): Promise<RunningWorkers> {
  // All workers ask for the same port, restarted ones too.
  const port = given.port === 0 ? await findFreePort(host) : given.port;
  const registry = new Registry();
  const slots = createSlots(registry, start.workers);
  const metrics = createWorkerMetrics({ own: registry, workers: slots.numbers, tellAll: slots.tellAll });
  const outcomes = createClientOutcomes();
  const closing = new AbortController();
  const begun = Promise.withResolvers<Place>();
  const { reclaimed, restarts } = countEnds(registry);
  let contact: StatusContact | null = null;
  let place: Place | null = null;

  // JSON cannot carry int64 chain ids.
  cluster.setupPrimary({ serialization: 'advanced', execArgv: [...process.execArgv, ...memoryFlags('serve')] });
  const running = Array.from({ length: start.workers }, (_, index) => keepRunning(index + 1));
  try {
    place = await begun.promise;
  } catch (error) {
    await close();
    throw error;
  }
  return {
    place,
    metrics: metrics.gather,
    connections: slots.connections,
    outcomes: outcomes.take,
    tellStatusContact(found) {
      if (found?.port === contact?.port && found?.secret === contact?.secret) return;
      contact = found;
      slots.tellAll({ kind: 'status', contact });
    },
    close,
  };

  async function keepRunning(number: number): Promise<void> {
    const delays = createBackOff(firstRestartMs, maxRestartMs);
    while (!closing.signal.aborted) {
      const sinceMs = performance.now();
      const reason = await runOne(number);
      if (closing.signal.aborted) return;
      if (place === null)
        return begun.reject(new Error(`A worker could not begin (${reason}); the lines above say why.`));
      if (performance.now() - sinceMs > livesLongMs) delays.reset();
      const delayMs = delays.next();
      log.warn(`Worker ${number} has ended (${reason}) and is started again in ${delayMs / 1000} s`);
      restarts.inc();
      await pause(delayMs, closing.signal);
    }
  }

  /** Runs one worker until it ends. Returns how it ended. */
  async function runOne(number: number): Promise<string> {
    const worker = cluster.fork({ LEDGER_MIRROR_LAUNCHER: '' });
    const slot = slots.open(number, worker);
    worker.on('message', (message: FromWorker) => void hear(number, slot, message));
    reclaimConnections(worker, {
      hasOther: () => slots.hasOther(slot),
      onReclaimed: (count) => reclaimed.inc(count),
    });
    // For a killed worker, each message that could not be sent is another error.
    worker.on('error', (error) => log.warn({ err: error, worker: number }, 'a worker cannot be reached'));
    const reason = await new Promise<string>((ended) => {
      worker.once('exit', (code, signal) => ended(signal ?? `exit code ${code}`));
    });
    slots.drop(number);
    readers?.leave(number);
    await metrics.retire(number);
    return reason;
  }

  async function hear(number: number, slot: Slot, message: FromWorker): Promise<void> {
    const { worker } = slot;
    if (message.kind === 'ready') {
      tell(worker, { kind: 'status', contact });
      tell(worker, { kind: 'begin', start, port });
      readers?.join(number, (command) => tell(worker, { kind: 'read', command }));
    } else if (message.kind === 'answering') {
      slot.isAnswering = true;
      const { kind: _, ...answering } = message;
      if (slots.answering() === start.workers) begun.resolve(answering);
      place ??= answering;
    } else if (message.kind === 'metrics') {
      slot.connections = message.connections;
      outcomes.add(message.outcomes);
      metrics.note(number, message.id, message.metrics);
    } else if (message.kind === 'read') {
      readers?.hear(number, message.said);
    } else {
      const all = await metrics.gather();
      tell(worker, { kind: 'allMetrics', id: message.id, text: await all.metrics() });
    }
  }

  async function close(): Promise<void> {
    closing.abort();
    await stopAll(slots, running);
  }
}

async function stopAll(slots: ReturnType<typeof createSlots>, running: readonly Promise<void>[]): Promise<void> {
  slots.tellAll({ kind: 'stop' });
  const timer = setTimeout(slots.kill, stopWithinMs);
  await Promise.all(running);
  clearTimeout(timer);
}

function countEnds(registry: Registry) {
  const registers = [registry];
  return {
    reclaimed: new Counter({
      name: 'ledger_mirror_worker_reclaimed_connections_total',
      help: 'Connections of clients that a worker had not accepted when it ended, and that another one was given',
      registers,
    }),
    restarts: new Counter({
      name: 'ledger_mirror_worker_restarts_total',
      help: 'Workers that ended unasked and were started again',
      registers,
    }),
  };
}

type Slot = { worker: Worker; isAnswering: boolean; connections: Connections };

/** The workers that run, by number. */
function createSlots(registry: Registry, wanted: number) {
  const slots = new Map<number, Slot>();
  const answering = (): number => [...slots.values()].filter(({ isAnswering }) => isAnswering).length;
  addGauge(registry, {
    name: 'ledger_mirror_workers',
    help: 'Processes that answer queries: wanted by the setting, and answering now',
    label: 'state',
    read: () => ({ wanted, answering: answering() }),
  });
  return {
    numbers: () => slots.keys(),
    answering,
    open(number: number, worker: Worker): Slot {
      const slot: Slot = { worker, isAnswering: false, connections: { max: 0, busy: 0 } };
      slots.set(number, slot);
      return slot;
    },
    drop: (number: number) => void slots.delete(number),
    hasOther: (slot: Slot) =>
      [...slots.values()].some((one) => one !== slot && one.isAnswering && one.worker.isConnected()),
    connections(): Connections {
      const sum = { max: 0, busy: 0 };
      for (const { connections } of slots.values()) {
        sum.max += connections.max;
        sum.busy += connections.busy;
      }
      return sum;
    },
    tellAll(message: ToWorker): void {
      for (const { worker } of slots.values()) tell(worker, message);
    },
    kill(): void {
      for (const { worker } of slots.values()) worker.process.kill('SIGKILL');
    },
  };
}

function tell(worker: Worker, message: ToWorker): void {
  if (worker.isConnected()) worker.send(message, () => {});
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
