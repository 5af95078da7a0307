import { array, assert, asyncProperty, integer, record } from 'fast-check';
import { expect, test } from 'vitest';
import { createJobQueue } from './job-queue.ts';

const usual = { waitingBytes: 100, perClient: { jobs: 3, waitingBytes: 50 }, usualMs: 1000 };

function openGate() {
  let open!: () => void;
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { gate, open };
}

test('runs as many as allowed at once, in order, and refuses beyond the bound', async () => {
  const queue = createJobQueue({ concurrent: 2, waiting: 1, ...usual });
  const gates = [openGate(), openGate(), openGate()];
  const started: number[] = [];
  const jobs = gates.map(({ gate }, index) =>
    queue.run(async () => {
      started.push(index);
      await gate;
      return index;
    }),
  );
  await expect(queue.run(async () => 9)).rejects.toMatchObject({ code: 'too_many_jobs', status: 429 });
  expect(started).toEqual([0, 1]);
  gates[1]!.open();
  expect(await jobs[1]).toBe(1);
  gates[0]!.open();
  gates[2]!.open();
  expect(await Promise.all(jobs)).toEqual([0, 1, 2]);
  expect(started).toEqual([0, 1, 2]);
});

test('a job that fails makes room for the next', async () => {
  const queue = createJobQueue({ concurrent: 1, waiting: 5, ...usual });
  const failing = queue.run(async () => {
    throw new Error('no');
  });
  const next = queue.run(async () => 'yes');
  await expect(failing).rejects.toThrow('no');
  expect(await next).toBe('yes');
});

test('close refuses what waits and lets end what runs', async () => {
  const queue = createJobQueue({ concurrent: 1, waiting: 5, ...usual });
  const { gate, open } = openGate();
  const running = queue.run(() => gate.then(() => 'done'));
  const waiting = queue.run(async () => 'never');
  const closed = queue.close(new Error('closing'));
  await expect(waiting).rejects.toThrow('closing');
  open();
  await closed;
  expect(await running).toBe('done');
  await expect(queue.run(async () => 1)).rejects.toThrow('closing');
});

test('what waits holds a bounded number of bytes; what can begin at once is not bounded by them', async () => {
  const queue = createJobQueue({ concurrent: 1, waiting: 5, ...usual });
  const { gate, open } = openGate();
  const running = queue.run(() => gate, { sizeBytes: 1000 });
  const waiting = [queue.run(async () => 'a', { sizeBytes: 60 }), queue.run(async () => 'b', { sizeBytes: 40 })];
  await expect(queue.run(async () => 'c', { sizeBytes: 1 })).rejects.toMatchObject({ code: 'too_many_jobs' });
  open();
  await running;
  expect(await Promise.all(waiting)).toEqual(['a', 'b']);
  expect(await queue.run(async () => 'd', { sizeBytes: 100 })).toBe('d');
});

/** A queue whose jobs end when the test says so, in the order in which they began. */
function openQueue(options: { concurrent?: number; kept?: number; waiting?: number } = {}) {
  const time = { now: 0 };
  const refused: string[] = [];
  const began: { name: string; end: () => void }[] = [];
  const queue = createJobQueue({
    ...{ concurrent: 1, waiting: 20, ...usual, ...options },
    onRefused: (limit) => refused.push(limit),
    clock: () => time.now,
  });
  return {
    queue,
    time,
    refused,
    names: () => began.map(({ name }) => name),
    ask(client: string | undefined, name: string, sizeBytes = 0) {
      const job = () => new Promise<string>((resolve) => began.push({ name, end: () => resolve(name) }));
      return queue.run(job, { client, sizeBytes }).catch((error: Error) => error);
    },
    async end(index: number) {
      await new Promise(setImmediate);
      time.now += 1;
      began[index]!.end();
      await new Promise(setImmediate);
    },
  };
}

test('clients take turns, so one with much in the queue makes others wait for one job', async () => {
  const { ask, end, names } = openQueue();
  for (const name of ['a1', 'a2', 'a3']) void ask('a', name);
  for (const name of ['b1', 'b2']) void ask('b', name);
  void ask('c', 'c1');
  void ask(undefined, 'own');
  for (let index = 0; index < 7; index++) await end(index);
  expect(names()).toEqual(['a1', 'b1', 'c1', 'own', 'a2', 'b2', 'a3']);
});

test('with several at a time, who has nothing running comes first', async () => {
  const { ask, end, names } = openQueue({ concurrent: 2 });
  for (const name of ['a1', 'a2', 'a3']) void ask('a', name);
  void ask('b', 'b1');
  await end(0);
  expect(names()).toEqual(['a1', 'a2', 'b1']);
});

test('a kept place is for those who have had none lately, one after the other', async () => {
  const { ask, end, names, time, queue } = openQueue({ kept: 1 });
  for (const name of ['a1', 'a2', 'b1', 'c1']) void ask(name[0], name);
  await new Promise(setImmediate);
  expect(names()).toEqual(['a1', 'b1']);
  time.now = 1000;
  await end(1);
  expect(names()).toEqual(['a1', 'b1', 'c1']);
  // It has had a second.
  void ask('b', 'b2');
  await end(2);
  expect(names()).toHaveLength(3);
  expect(queue.load()).toMatchObject({ running: 1, waiting: 2 });
  await end(0);
  expect(names().slice(3)).toEqual(['b2']);
});

test('a client has a share of the number and of the bytes; the others, and the service itself, have theirs', async () => {
  const { ask, refused, queue } = openQueue();
  for (const name of ['a1', 'a2', 'a3']) void ask('a', name);
  expect(await ask('a', 'a4')).toMatchObject({ code: 'too_many_jobs', status: 429, retryAfterSeconds: 2 });
  void ask('b', 'b1', 40);
  expect(await ask('b', 'b2', 11)).toMatchObject({ code: 'too_many_jobs' });
  void ask('b', 'b3', 10);
  for (let count = 0; count < 5; count++) void ask(undefined, `own${count}`);
  expect(queue.load()).toMatchObject({ running: 1, waiting: 9 });
  expect(refused).toEqual(['client', 'client']);
});

test('who has least takes a place of a full queue from who has most, not from its equals', async () => {
  const { ask, refused, queue } = openQueue({ waiting: 3 });
  void ask('a', 'a1');
  void ask('a', 'a2');
  const last = ask('a', 'a3');
  void ask('b', 'b1');
  const next = ask('c', 'c1');
  expect(await last).toMatchObject({ code: 'too_many_jobs' });
  expect(await ask('d', 'd1')).toMatchObject({ code: 'too_many_jobs' });
  expect(queue.load()).toMatchObject({ running: 1, waiting: 3 });
  expect(refused).toEqual(['queue', 'queue']);
  expect(await Promise.race([next, 'waits'])).toBe('waits');
});

test('a place by bytes: one large claim makes room for a small one', async () => {
  const { ask, queue } = openQueue();
  void ask('a', 'a1');
  void ask('b', 'b1', 50);
  const large = ask('c', 'c1', 50);
  void ask('d', 'd1', 10);
  expect(await Promise.race([large, 'waits'])).toBe('waits');
  expect(queue.load().waiting).toBe(2);
});

test('how long a client waits without anything of it running', async () => {
  const { ask, end, time, queue } = openQueue();
  for (const name of ['a1', 'a2', 'a3']) void ask('a', name);
  time.now = 1000;
  // Its own jobs are no wait of others.
  expect(queue.load()).toEqual({ running: 1, waiting: 2, waitMs: 0 });
  void ask('b', 'b1');
  time.now = 31_000;
  expect(queue.load().waitMs).toBe(30_000);
  await end(0);
  expect(queue.load()).toEqual({ running: 1, waiting: 2, waitMs: 0 });
  time.now = 41_001;
  expect(queue.load().waitMs).toBe(10_000);
});

test('when to come again follows from how long jobs have taken', async () => {
  const { ask, end, time } = openQueue();
  for (const name of ['a1', 'a2', 'a3']) void ask('a', name);
  await new Promise(setImmediate);
  time.now = 119_999;
  await end(0);
  for (const name of ['a4', 'b1']) void ask(name[0], name);
  // 1 s + 0.3 × 119 s for a job: one of each of two clients, and its own.
  expect(await ask('a', 'a5')).toMatchObject({ retryAfterSeconds: 111 });
});

test('however clients come and go, all that was taken is done, and nothing is left', async () => {
  const ask = record({ client: integer({ min: 0, max: 4 }), sizeBytes: integer({ min: 0, max: 60 }) });
  await assert(
    asyncProperty(integer({ min: 1, max: 3 }), array(ask, { maxLength: 40 }), async (concurrent, asks) => {
      const began: number[] = [];
      const queue = createJobQueue({ concurrent, waiting: 6, ...usual });
      const outcomes = asks.map(({ client, sizeBytes }) =>
        queue
          .run(
            async () => {
              began.push(client);
              await Promise.resolve();
            },
            { client: String(client), sizeBytes },
          )
          .then(
            () => true,
            () => false,
          ),
      );
      const done = (await Promise.all(outcomes)).filter(Boolean).length;
      expect(began).toHaveLength(done);
      expect(queue.load()).toEqual({ running: 0, waiting: 0, waitMs: 0 });
    }),
    { numRuns: 200 },
  );
});
