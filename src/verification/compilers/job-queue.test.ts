import { expect, test } from 'vitest';
import { createJobQueue } from './job-queue.ts';

function openGate() {
  let open!: () => void;
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { gate, open };
}

test('runs as many as allowed at once, in order, and refuses beyond the bound', async () => {
  const queue = createJobQueue({ concurrent: 2, waiting: 1, waitingBytes: 100, usualSeconds: 10 });
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
  const queue = createJobQueue({ concurrent: 1, waiting: 5, waitingBytes: 100, usualSeconds: 1 });
  const failing = queue.run(async () => {
    throw new Error('no');
  });
  const next = queue.run(async () => 'yes');
  await expect(failing).rejects.toThrow('no');
  expect(await next).toBe('yes');
});

test('close refuses what waits and lets end what runs', async () => {
  const queue = createJobQueue({ concurrent: 1, waiting: 5, waitingBytes: 100, usualSeconds: 1 });
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
  const queue = createJobQueue({ concurrent: 1, waiting: 5, waitingBytes: 100, usualSeconds: 1 });
  const { gate, open } = openGate();
  const running = queue.run(() => gate, 1000);
  const waiting = [queue.run(async () => 'a', 60), queue.run(async () => 'b', 40)];
  await expect(queue.run(async () => 'c', 1)).rejects.toMatchObject({ code: 'too_many_jobs' });
  open();
  await running;
  expect(await Promise.all(waiting)).toEqual(['a', 'b']);
  expect(await queue.run(async () => 'd', 100)).toBe('d');
});
