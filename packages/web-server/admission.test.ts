import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { aside, currentClient } from '../kit/shares/current-client.ts';
import { createAdmission, type ThreadState } from './admission.ts';
import { refuse } from './request-error.ts';

function openAdmission(hasRoom: () => boolean = () => true, thread: Partial<ThreadState> = {}) {
  const registry = new Registry();
  const figureOf = async (name: string) => Number((await registry.getSingleMetricAsString(name)).split(' ').at(-1));
  return {
    admission: createAdmission({
      ...{ hasRoom, registry },
      thread: { isHalfUsed: () => false, isBusy: () => false, isBehind: () => false, isLate: () => false, ...thread },
    }),
    figureOf,
  };
}

/** Work that goes on until the test says so. */
function openWork(began: string[] = []) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const work = async (): Promise<void> => {
    began.push(currentClient());
    await promise;
  };
  return { work, end: resolve };
}

const settled = (): Promise<void> => new Promise((done) => setImmediate(done));

test('a question is let in while there is room, and refused with what to do while there is none', async () => {
  let hasRoom = true;
  const { admission, figureOf } = openAdmission(() => hasRoom);
  const first = openWork();
  const running = admission.run('a', first.work);
  hasRoom = false;
  await expect(admission.run('a', async () => 'never')).rejects.toMatchObject({ status: 503, retryAfterSeconds: 1 });
  expect(await figureOf('http_questions_in_flight')).toBe(1);
  expect(await figureOf('http_requests_shed_total')).toBe(1);
  first.end();
  await running;
  hasRoom = true;
  // Refused after all counts as refused, too; other failures do not.
  await expect(admission.run('a', () => Promise.reject(refuse('overloaded')))).rejects.toThrow();
  await expect(admission.run('a', () => Promise.reject(new Error('defect')))).rejects.toThrow('defect');
  expect(await figureOf('http_questions_in_flight')).toBe(0);
  expect(await figureOf('http_requests_shed_total')).toBe(2);
});

test('work is done as its client, and within a question that has a place at once', async () => {
  const { admission, figureOf } = openAdmission();
  await admission.run('a', async () => {
    expect(currentClient()).toBe('a');
    await admission.run('a', async () => expect(await figureOf('http_questions_in_flight')).toBe(1));
  });
  expect(currentClient()).toBe('');
});

test('one client with many questions delays another by none, and waits for its own', async () => {
  const { admission } = openAdmission();
  const began: string[] = [];
  const all = Array.from({ length: 100 }, () => openWork(began));
  const many = all.map(({ work }) => admission.run('many', work));
  await settled();
  // Alone it has no bound.
  expect(began.length).toBe(100);
  const one = openWork(began);
  const other = admission.run('one', one.work);
  const further = openWork(began);
  const late = admission.run('many', further.work);
  await settled();
  expect(began.slice(100)).toEqual(['one']);
  for (const { end } of all) end();
  await Promise.all(many);
  await settled();
  expect(began.slice(100)).toEqual(['one', 'many']);
  one.end();
  further.end();
  await Promise.all([other, late]);
});

test('what waits too long for its own client is refused with a time', async () => {
  const { admission } = openAdmission();
  const all = Array.from({ length: 40 }, () => openWork());
  const running = all.map(({ work }) => admission.run('many', work));
  await admission.run('one', async () => {});
  await expect(admission.run('many', async () => 'never')).rejects.toMatchObject({ status: 429, retryAfterSeconds: 1 });
  for (const { end } of all) end();
  await Promise.all(running);
});

test('what waits elsewhere takes no place meanwhile', async () => {
  const { admission, figureOf } = openAdmission();
  const waiting = openWork();
  const asked = admission.run('a', () => aside(waiting.work));
  await settled();
  expect(await figureOf('http_questions_in_flight')).toBe(0);
  waiting.end();
  await asked;
  expect(await figureOf('http_questions_in_flight')).toBe(0);
});

test('a thread that comes late refuses the client with most', async () => {
  let isLate = false;
  const { admission } = openAdmission(undefined, { isLate: () => isLate });
  const works = [openWork(), openWork(), openWork()];
  const running = works.map(({ work }, place) => admission.run(place < 2 ? 'many' : 'one', work));
  isLate = true;
  await expect(admission.run('many', async () => 'never')).rejects.toMatchObject({ status: 503 });
  expect(await admission.run('one', async () => 'done')).toBe('done');
  expect(await admission.run('other', async () => 'done')).toBe('done');
  for (const { end } of works) end();
  await Promise.all(running);
  expect(await admission.run('many', async () => 'done')).toBe('done');
});

test('of each of several clients one question is worked on while the thread is behind', async () => {
  let isBehind = true;
  const { admission } = openAdmission(undefined, { isBehind: () => isBehind });
  const began: string[] = [];
  const works = Array.from({ length: 4 }, () => openWork(began));
  const running = ['one', 'many', 'many', 'many'].map((client, place) => admission.run(client, works[place]!.work));
  await settled();
  expect(began).toEqual(['one', 'many']);
  works[1]!.end();
  await running[1];
  await settled();
  expect(began).toEqual(['one', 'many', 'many']);
  isBehind = false;
  works[2]!.end();
  await expect.poll(() => began.length, { timeout: 20_000 }).toBe(4);
  for (const { end } of works) end();
  await Promise.all(running);
});

test('a busy thread has few places, which those who ask share', async () => {
  let isBusy = true;
  const { admission } = openAdmission(undefined, { isBusy: () => isBusy });
  const began: string[] = [];
  const works = Array.from({ length: 8 }, () => openWork(began));
  const clients = ['a', 'b', 'c', 'd', ...Array<string>(4).fill('a')];
  const running = clients.map((client, place) => admission.run(client, works[place]!.work));
  await settled();
  // Four ask: two each.
  expect(began.join('')).toBe('abcda');
  isBusy = false;
  works[1]!.end();
  await expect.poll(() => began.length, { timeout: 20_000 }).toBe(8);
  for (const { end } of works) end();
  await Promise.all(running);
});

test('where many ask, a client whose questions wait rests after each for as long as it took', async () => {
  const { admission } = openAdmission(undefined, { isBehind: () => true });
  for (const client of ['a', 'b', 'c']) await admission.run(client, async () => {});
  const begunMs: number[] = [];
  const slow = async (): Promise<void> => {
    begunMs.push(performance.now());
    await new Promise((done) => setTimeout(done, 50));
  };
  const hostile = Array.from({ length: 3 }, () => admission.run('hostile', slow));
  await expect.poll(() => begunMs.length, { timeout: 20_000 }).toBe(2);
  // Meanwhile others are not kept waiting.
  expect(await admission.run('a', async () => 'done')).toBe('done');
  await Promise.all(hostile);
  expect(begunMs[1]! - begunMs[0]!).toBeGreaterThan(95);
});

test('questions of one client that hang keep no other from a busy thread', async () => {
  const { admission } = openAdmission(undefined, { isBusy: () => true, isBehind: () => true });
  const hanging = Array.from({ length: 50 }, () => openWork());
  const running = hanging.map(({ work }) => admission.run('hostile', work));
  for (const client of ['a', 'b', 'c']) expect(await admission.run(client, async () => client)).toBe(client);
  for (const { end } of hanging) end();
  await Promise.all(running);
});

test('waits within a wait, and at the same time, give one place back', async () => {
  const { admission, figureOf } = openAdmission();
  const [inner, other] = [openWork(), openWork()];
  const inWork = () => figureOf('http_questions_in_flight');
  const neighbour = openWork();
  const beside = admission.run('a', neighbour.work);
  const running = admission.run('a', async () => {
    await aside(() => Promise.all([aside(inner.work), aside(other.work)]));
    expect(await inWork()).toBe(2);
  });
  await settled();
  expect(await inWork()).toBe(1);
  inner.end();
  await settled();
  expect(await inWork()).toBe(1);
  other.end();
  await running;
  expect(await inWork()).toBe(1);
  neighbour.end();
  await beside;
  expect(await inWork()).toBe(0);
});
