// Messages that wait to be delivered, one file each. A message leaves the folder when it was delivered or given up;
// after a kill in between it is sent again under the same id. Messages of one webhook are sent in order, so that a
// receiver never sees an end before its beginning; webhooks do not wait for each other.
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
  /** Is on disk when this returns. A waiting message is not added twice. */
  add(message: Pick<Delivery, 'id' | 'webhookId' | 'body'>): void;
  /** Drops the waiting messages of a webhook. */
  drop(webhookId: string): void;
  waiting(webhookId: string): number;
  /** Ends running attempts; undelivered messages stay. */
  close(): Promise<void>;
};

const second = 1000;
const minute = 60 * second;
/** About a day in all. */
const defaultDelaysMs = [5 * second, 30 * second, ...[2, 10, 30, 60, 120, 240, 360, 600].map((each) => each * minute)];
/** Per webhook: a receiver that is away for long does not get all that it missed. */
const maxQueueLength = 1000;
/** The clock may be set while a timer runs: it is checked again after this time at the latest. */
const maxSleepMs = minute;

export function openDeliveryQueue(options: DeliveryQueueOptions): DeliveryQueue {
  const { folder, clock, send, onAttempt, onProblem, retryDelaysMs = defaultDelaysMs } = options;
  const messages = openMessages(folder, onProblem);
  const running = new Map<string, { done: Promise<void>; abort: AbortController }>();
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  wake();

  function wake(): void {
    clearTimeout(timer);
    if (isClosed) return;
    const now = clock();
    let sleepMs = maxSleepMs;
    for (const delivery of messages.listHeads()) {
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
      if (isClosed || !messages.has(delivery.id)) return;
      keep(delivery, outcome);
      wake();
    });
    running.set(delivery.webhookId, { done, abort });
  }

  function keep(delivery: Delivery, outcome: Outcome): void {
    const delayMs = outcome.kind === 'failed' ? retryDelaysMs[delivery.attempts] : undefined;
    try {
      if (delayMs === undefined) messages.remove(delivery);
      else messages.put({ ...delivery, attempts: delivery.attempts + 1, nextAt: clock() + delayMs });
    } catch (error) {
      // On a full disk, for example: the message stays in memory, and after a restart it is tried earlier than planned.
      onProblem(`The state of message ${delivery.id} could not be written: ${(error as Error).message}`);
    }
    onAttempt(delivery, outcome, delayMs === undefined);
  }

  return {
    add(message) {
      if (messages.has(message.id)) return;
      const now = clock();
      messages.put({ ...message, sequence: messages.nextSequence(), createdAt: now, attempts: 0, nextAt: now });
      const waiting = messages.listOf(message.webhookId);
      if (waiting.length > maxQueueLength) {
        messages.remove(waiting.reduce((a, b) => (a.sequence < b.sequence ? a : b)));
        onProblem(`More than ${maxQueueLength} messages wait for webhook ${message.webhookId}: the oldest is dropped`);
      }
      wake();
    },
    drop(webhookId) {
      for (const delivery of messages.listOf(webhookId)) messages.remove(delivery);
      running.get(webhookId)?.abort.abort();
    },
    waiting: (webhookId) => messages.listOf(webhookId).length,
    async close() {
      isClosed = true;
      clearTimeout(timer);
      const all = [...running.values()];
      for (const { abort } of all) abort.abort();
      await Promise.all(all.map(({ done }) => done));
    },
  };
}

/** Those in the folder. Unreadable files are left there for inspection. */
function openMessages(folder: string, onProblem: (sentence: string) => void) {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const deliveries = new Map<string, Delivery>();
  const path = (id: string): string => join(folder, `${id}.json`);
  const names = readdirSync(folder);
  // Started by a process that was killed: the file to be replaced still exists.
  for (const name of names.filter((each) => each.endsWith('.tmp'))) rmSync(join(folder, name), { force: true });
  for (const name of names.filter((each) => each.endsWith('.json'))) {
    try {
      const delivery = JSON.parse(readFileSync(join(folder, name), 'utf8')) as Delivery;
      deliveries.set(delivery.id, delivery);
    } catch (error) {
      onProblem(`${join(folder, name)} cannot be read and is not delivered: ${(error as Error).message}`);
    }
  }
  let sequence = Math.max(0, ...[...deliveries.values()].map((each) => each.sequence));
  return {
    has: (id: string): boolean => deliveries.has(id),
    nextSequence: (): number => ++sequence,
    put(delivery: Delivery): void {
      deliveries.set(delivery.id, delivery);
      writeDurableFile(path(delivery.id), JSON.stringify(delivery));
    },
    remove({ id }: Delivery): void {
      deliveries.delete(id);
      rmSync(path(id), { force: true });
    },
    listOf: (webhookId: string): Delivery[] => [...deliveries.values()].filter((each) => each.webhookId === webhookId),
    /** The oldest message of each webhook. */
    listHeads(): Delivery[] {
      const heads = new Map<string, Delivery>();
      for (const delivery of deliveries.values()) {
        const head = heads.get(delivery.webhookId);
        if (!head || delivery.sequence < head.sequence) heads.set(delivery.webhookId, delivery);
      }
      return [...heads.values()];
    },
  };
}
