// Messages that wait to be delivered, one file each. A message leaves the folder when it was delivered, or was given up;
// a process that is killed in between sends it again under the same id. Messages of one webhook go out one after another
// in their order, so that a receiver never sees an end before its beginning; webhooks do not wait for each other.
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeDurableFile } from '../../kit/write-durable-file.ts';
import type { Delivery, Outcome } from './webhook.ts';

export type DeliveryQueueOptions = {
  folder: string;
  /** ms since 1970 */
  clock(): number;
  /** One attempt; never rejects. */
  send(delivery: Delivery, signal: AbortSignal): Promise<Outcome>;
  /** After each attempt. `isLast`: the message has left the queue. */
  onAttempt(delivery: Delivery, outcome: Outcome, isLast: boolean): void;
  /** A message that was dropped, or that could not be read or written. */
  onProblem(sentence: string): void;
  /** ms between attempts; after the last the message is given up. */
  retryDelaysMs?: readonly number[];
};

export type DeliveryQueue = {
  /** Is on disk when this returns. A message that waits already is not taken twice. */
  add(message: Pick<Delivery, 'id' | 'webhookId' | 'body'>): void;
  /** Forgets what waits for a webhook. */
  drop(webhookId: string): void;
  waiting(webhookId: string): number;
  /** Ends attempts under way; what was not delivered stays. */
  close(): Promise<void>;
};

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
/** About a day in all. */
const defaultDelaysMs = [
  5 * second,
  30 * second,
  2 * minute,
  10 * minute,
  30 * minute,
  hour,
  2 * hour,
  4 * hour,
  6 * hour,
  10 * hour,
];
/** A receiver that is away for long need not hear all that it missed. */
const maxQueueLength = 1000;
/** The clock may be set while a timer runs: it is looked at again at least so often. */
const maxSleepMs = minute;

export function openDeliveryQueue(options: DeliveryQueueOptions): DeliveryQueue {
  const { folder, clock, send, onAttempt, onProblem, retryDelaysMs = defaultDelaysMs } = options;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const deliveries = readDeliveries(folder, onProblem);
  const running = new Map<string, { done: Promise<void>; abort: AbortController }>();
  let sequence = Math.max(0, ...[...deliveries.values()].map((each) => each.sequence));
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  wake();

  const path = ({ id }: Pick<Delivery, 'id'>): string => join(folder, `${id}.json`);

  function put(delivery: Delivery): void {
    deliveries.set(delivery.id, delivery);
    writeDurableFile(path(delivery), JSON.stringify(delivery));
  }

  function remove(delivery: Pick<Delivery, 'id'>): void {
    deliveries.delete(delivery.id);
    rmSync(path(delivery), { force: true });
  }

  /** The oldest message of each webhook. */
  function listHeads(): Delivery[] {
    const heads = new Map<string, Delivery>();
    for (const delivery of deliveries.values()) {
      const head = heads.get(delivery.webhookId);
      if (!head || delivery.sequence < head.sequence) heads.set(delivery.webhookId, delivery);
    }
    return [...heads.values()];
  }

  function wake(): void {
    clearTimeout(timer);
    if (isClosed) return;
    const now = clock();
    let sleepMs = maxSleepMs;
    for (const delivery of listHeads()) {
      if (running.has(delivery.webhookId)) continue;
      // Further away than any delay: the clock was set back since.
      const waitMs = delivery.nextAt - now > Math.max(0, ...retryDelaysMs) ? 0 : delivery.nextAt - now;
      if (waitMs <= 0) start(delivery);
      else sleepMs = Math.min(sleepMs, waitMs);
    }
    timer = setTimeout(wake, sleepMs).unref();
  }

  function start(delivery: Delivery): void {
    const abort = new AbortController();
    const done = send(delivery, abort.signal).then((outcome) => {
      running.delete(delivery.webhookId);
      if (isClosed || !deliveries.has(delivery.id)) return;
      keep(delivery, outcome);
      wake();
    });
    running.set(delivery.webhookId, { done, abort });
  }

  function keep(delivery: Delivery, outcome: Outcome): void {
    const delayMs = outcome.kind === 'failed' ? retryDelaysMs[delivery.attempts] : undefined;
    try {
      if (delayMs === undefined) remove(delivery);
      else put({ ...delivery, attempts: delivery.attempts + 1, nextAt: clock() + delayMs });
    } catch (error) {
      // The disk is full, say. The message goes on in memory; after a restart it is tried sooner than it would be.
      onProblem(`The state of message ${delivery.id} could not be written: ${(error as Error).message}`);
    }
    onAttempt(delivery, outcome, delayMs === undefined);
  }

  function listOf(webhookId: string): Delivery[] {
    return [...deliveries.values()].filter((each) => each.webhookId === webhookId);
  }

  return {
    add({ id, webhookId, body }) {
      if (deliveries.has(id)) return;
      const now = clock();
      sequence += 1;
      put({ id, webhookId, sequence, body, createdAt: now, attempts: 0, nextAt: now });
      const waiting = listOf(webhookId);
      if (waiting.length > maxQueueLength) {
        const oldest = waiting.reduce((a, b) => (a.sequence < b.sequence ? a : b));
        remove(oldest);
        onProblem(`More than ${maxQueueLength} messages wait for webhook ${webhookId}: the oldest is dropped`);
      }
      wake();
    },
    drop(webhookId) {
      for (const delivery of listOf(webhookId)) remove(delivery);
      running.get(webhookId)?.abort.abort();
    },
    waiting: (webhookId) => listOf(webhookId).length,
    async close() {
      isClosed = true;
      clearTimeout(timer);
      const all = [...running.values()];
      for (const { abort } of all) abort.abort();
      await Promise.all(all.map(({ done }) => done));
    },
  };
}

/** What cannot be read is left where it is, for a person to look at; the rest goes out. */
function readDeliveries(folder: string, onProblem: (sentence: string) => void): Map<string, Delivery> {
  const deliveries = new Map<string, Delivery>();
  const names = readdirSync(folder);
  // Begun by a process that was killed: what it was to replace is still there.
  for (const name of names.filter((each) => each.endsWith('.tmp'))) rmSync(join(folder, name), { force: true });
  for (const name of names.filter((each) => each.endsWith('.json'))) {
    try {
      const delivery = JSON.parse(readFileSync(join(folder, name), 'utf8')) as Delivery;
      deliveries.set(delivery.id, delivery);
    } catch (error) {
      onProblem(`${join(folder, name)} cannot be read and is not delivered: ${(error as Error).message}`);
    }
  }
  return deliveries;
}
