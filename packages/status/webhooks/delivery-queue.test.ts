import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type DeliveryQueue, type DeliveryQueueOptions, openDeliveryQueue } from './delivery-queue.ts';
import type { Delivery, Outcome } from './webhook.ts';

let folder: string;
let queue: DeliveryQueue | undefined;
let sent: Delivery[];
let ended: [id: string, kind: string, isLast: boolean][];
let problems: string[];
let answer: (delivery: Delivery, signal: AbortSignal) => Promise<Outcome>;

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000, toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  folder = mkdtempSync(join(tmpdir(), 'ledger-mirror-queue-'));
  sent = [];
  ended = [];
  problems = [];
  answer = async () => ({ kind: 'delivered' });
});
afterEach(async () => {
  await queue?.close();
  queue = undefined;
  vi.useRealTimers();
  rmSync(folder, { recursive: true, force: true });
});

function open(options: Partial<DeliveryQueueOptions> = {}): DeliveryQueue {
  queue = openDeliveryQueue({
    folder,
    clock: () => Date.now(),
    send: (delivery, signal) => {
      sent.push(delivery);
      return answer(delivery, signal);
    },
    onAttempt: ({ id }, { kind }, isLast) => ended.push([id, kind, isLast]),
    onProblem: (sentence) => problems.push(sentence),
    retryDelaysMs: [5000, 30_000, 120_000],
    ...options,
  });
  return queue;
}

const message = (id: string, webhookId = 'w1') => ({ id, webhookId, body: `{"is":"${id}"}` });
const failure: Outcome = { kind: 'failed', reason: 'answered 500' };
const files = () => readdirSync(folder).toSorted();
const settle = () => vi.advanceTimersByTimeAsync(0);

describe('delivery', () => {
  it('a message is on disk before it goes out, and gone when it was delivered', async () => {
    open();
    queue!.add(message('a'));
    expect(files()).toEqual(['a.json']);
    expect(queue!.waiting('w1')).toBe(1);
    await settle();
    expect(ended).toEqual([['a', 'delivered', true]]);
    expect(files()).toEqual([]);
    expect(queue!.waiting('w1')).toBe(0);
  });

  it('is tried again with growing pauses, then given up', async () => {
    answer = async () => failure;
    open();
    queue!.add(message('a'));
    await settle();
    const at: number[] = [];
    for (let second = 0; second <= 400; second += 1) {
      if (sent.length > at.length) at.push(second);
      await vi.advanceTimersByTimeAsync(1000);
    }
    expect(at).toEqual([0, 5, 35, 155]);
    expect(ended.map(([, , isLast]) => isLast)).toEqual([false, false, false, true]);
    expect(files()).toEqual([]);
  });

  it('keeps the order of one webhook: a later message waits until the earlier one arrived', async () => {
    answer = async ({ id, attempts }) => (id === 'a' && attempts === 0 ? failure : { kind: 'delivered' });
    open();
    for (const id of ['a', 'b', 'c']) queue!.add(message(id));
    queue!.add(message('x', 'w2'));
    await settle();
    expect(sent.map(({ id }) => id)).toEqual(['a', 'x']);
    await vi.advanceTimersByTimeAsync(5000);
    expect(sent.map(({ id }) => id)).toEqual(['a', 'x', 'a', 'b', 'c']);
  });

  it('takes the same message once', async () => {
    answer = async () => failure;
    open();
    queue!.add(message('a'));
    queue!.add(message('a'));
    await settle();
    expect(queue!.waiting('w1')).toBe(1);
  });

  it('a clock that was set back does not make a message wait for hours', async () => {
    answer = async () => failure;
    open();
    queue!.add(message('a'));
    await settle();
    vi.setSystemTime(Date.now() - 86_400_000);
    await vi.advanceTimersByTimeAsync(60_000);
    // After 5 s and 30 s more; the next one comes 120 s later.
    expect(sent.map(({ attempts }) => attempts)).toEqual([0, 1, 2]);
  });

  it('holds a bounded number of messages for one webhook and drops the oldest', async () => {
    answer = () => new Promise(() => {});
    open();
    for (let index = 0; index < 1003; index += 1) queue!.add(message(`m${index}`));
    expect(queue!.waiting('w1')).toBe(1000);
    expect(files()).toHaveLength(1000);
    expect(files()).not.toContain('m2.json');
    expect(files()).toContain('m3.json');
    expect(problems).toHaveLength(3);
    queue = undefined;
  });

  it('forgets what waits for a webhook that was removed, and ends its attempt', async () => {
    let isAborted = false;
    answer = (_delivery, signal) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => {
          isAborted = true;
          resolve(failure);
        });
      });
    open();
    queue!.add(message('a'));
    queue!.add(message('b', 'w2'));
    queue!.drop('w1');
    await settle();
    expect(isAborted).toBe(true);
    expect(files()).toEqual(['b.json']);
    expect(ended).toEqual([]);
  });
});

describe('after a restart', () => {
  it('goes on with what waits, in its order and with its attempts', async () => {
    answer = async () => failure;
    open();
    queue!.add(message('b'));
    await settle();
    queue!.add(message('a'));
    await queue!.close();
    sent = [];
    answer = async () => ({ kind: 'delivered' });
    open();
    queue!.add(message('c'));
    await settle();
    expect(sent).toEqual([]);
    await vi.advanceTimersByTimeAsync(5000);
    expect(sent.map(({ id, attempts }) => [id, attempts])).toEqual([
      ['b', 1],
      ['a', 0],
      ['c', 0],
    ]);
    expect(files()).toEqual([]);
  });

  it('a message under way when the process ended is sent again', async () => {
    answer = (_delivery, signal) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => resolve(failure));
      });
    open();
    queue!.add(message('a'));
    await settle();
    await queue!.close();
    expect(files()).toEqual(['a.json']);
    answer = async () => ({ kind: 'delivered' });
    open();
    await settle();
    expect(ended).toEqual([['a', 'delivered', true]]);
  });

  it('a file that cannot be read is left, named, and holds up nothing', async () => {
    writeFileSync(join(folder, 'broken.json'), '{"id":');
    writeFileSync(join(folder, 'half.json.tmp'), '{"id":');
    open();
    queue!.add(message('a'));
    await settle();
    expect(ended).toEqual([['a', 'delivered', true]]);
    expect(problems).toEqual([expect.stringContaining('broken.json cannot be read and is not delivered')]);
    expect(files()).toEqual(['broken.json']);
  });
});
