import { array, assert, asyncProperty, boolean, constantFrom, integer, record } from 'fast-check';
import { expect, test } from 'vitest';
import { type ClientLineOptions, createClientLine, LineFull, ownWork } from './client-line.ts';

const settled = (): Promise<void> => new Promise((done) => setImmediate(done));

/** A line whose work ends when the test says so, and takes the time that it says. */
function openLine(options: Partial<ClientLineOptions> = {}) {
  const time = { now: 0 };
  const began: string[] = [];
  const ends: { client: string; leave(): void }[] = [];
  const refused: string[] = [];
  const line = createClientLine({
    concurrent: 1,
    waiting: { count: 100 },
    clock: () => time.now,
    onRefused: (by) => refused.push(by),
    ...options,
  });
  const ask = (client: string, more: { size?: number; signal?: AbortSignal } = {}) => {
    const turn = line.enter(client, more).then((leave) => {
      began.push(client);
      ends.push({ client, leave });
    });
    const result = turn.then(
      () => 'begun',
      (error: Error) => (error instanceof LineFull ? error.by : error.message),
    );
    return { turn, result };
  };
  /** The work that began first ends after this time. */
  const end = async (tookMs = 0): Promise<void> => {
    time.now += tookMs;
    ends.shift()!.leave();
    await settled();
  };
  return { line, time, began, ends, refused, ask, end };
}

test('clients take turns, whatever number of pieces each has', async () => {
  const { began, ask, end } = openLine();
  for (let count = 0; count < 5; count++) ask('many');
  ask('one');
  ask('other');
  await settled();
  for (let count = 0; count < 6; count++) await end();
  expect(began).toEqual(['many', 'one', 'other', 'many', 'many', 'many', 'many']);
});

test('who has taken most time comes last', async () => {
  const { began, ask, end } = openLine();
  ask('slow');
  ask('slow');
  await settled();
  await end(9000);
  for (const client of ['quick', 'slow', 'slow', 'quick', 'quick']) ask(client);
  await settled();
  // Its second piece had begun before the others came.
  await end(10);
  for (let count = 0; count < 5; count++) await end(10);
  expect(began).toEqual(['slow', 'slow', 'quick', 'quick', 'quick', 'slow', 'slow']);
});

test('time is forgotten', async () => {
  const { began, ask, end, line, time } = openLine();
  line.spend('slow', 1000);
  time.now += 300_000;
  line.spend('quick', 10);
  ask('own');
  ask('quick');
  ask('slow');
  await settled();
  for (let count = 0; count < 2; count++) await end();
  expect(began).toEqual(['own', 'slow', 'quick']);
});

test('a kept place is for who runs nothing and took little', async () => {
  const { began, ask, end, line } = openLine({ concurrent: 1, kept: 1 });
  ask('heavy');
  ask('heavy');
  await settled();
  expect(began).toEqual(['heavy']);
  const light = ask('light');
  expect(await light.result).toBe('begun');
  line.spend('spender', 500);
  ask('spender');
  await settled();
  expect(began).toEqual(['heavy', 'light']);
  // The heavy one ends: its place is for everyone, and the one that took less comes first.
  await end(1000);
  expect(began).toEqual(['heavy', 'light', 'spender']);
});

test('who has least takes a place in the line from who has most', async () => {
  const { ask, refused, line } = openLine({ waiting: { count: 3 } });
  const many = ['a', 'a', 'a', 'a'].map((client) => ask(client));
  const more = ask('a');
  expect(await more.result).toBe('all');
  ask('b');
  await settled();
  expect(line.load()).toMatchObject({ running: 1, waiting: 3 });
  // The newest of the client that had most went.
  expect(await many[3]!.result).toBe('all');
  expect(refused).toEqual(['all', 'all']);
});

test('a client has its share, by number and by size, and the program itself has no bound of its own', async () => {
  const { ask } = openLine({ perClient: { count: 2, size: 10 } });
  ask('a');
  ask('a');
  expect(await ask('a').result).toBe('client');
  ask('b', { size: 8 });
  expect(await ask('b', { size: 8 }).result).toBe('client');
  const own = [1, 2, 3, 4].map(() => ask(ownWork));
  await settled();
  expect(await Promise.race([...own.map(({ result }) => result), settled().then(() => 'waits')])).toBe('waits');
});

test('of one client only so many run, and others have the rest', async () => {
  const { began, ask, end } = openLine({ concurrent: 2, perClient: { running: 1 } });
  for (const client of ['a', 'a', 'b']) ask(client);
  await settled();
  expect(began).toEqual(['a', 'b']);
  ask('c');
  await end();
  expect(began).toEqual(['a', 'b', 'c']);
  await end();
  expect(began).toEqual(['a', 'b', 'c', 'a']);
});

test('a refusal says when to try again', async () => {
  const { line, ask } = openLine({ perClient: { count: 1 }, usualMs: 700 });
  ask('a');
  await expect(line.enter('a')).rejects.toMatchObject({ by: 'client', retryAfterMs: 700 });
});

test('who waits may leave, by a signal or by time', async () => {
  const leaving = new AbortController();
  const { ask, line } = openLine({ maxWaitMs: 20 });
  ask('a');
  const left = ask('b', { signal: leaving.signal });
  const late = ask('c');
  leaving.abort(new Error('gone'));
  expect(await left.result).toBe('gone');
  expect(await late.result).toBe('time');
  expect(line.load()).toMatchObject({ running: 1, waiting: 0 });
});

test('who waited too long has its share if others of its own ran meanwhile, and was held by others if none did', async () => {
  const { began, ask, ends } = openLine({ concurrent: 2, maxWaitMs: 50 });
  const endNewest = async (): Promise<void> => {
    ends.pop()!.leave();
    await settled();
  };
  for (const client of ['runs', 'ran', 'ran']) ask(client);
  const late = [ask('runs'), ask('ran')];
  await settled();
  await endNewest();
  ask('other');
  await endNewest();
  late.push(ask('none'));
  expect(began).toEqual(['runs', 'ran', 'ran', 'other']);
  const causes = late.map(({ turn }) => turn.catch((error: LineFull) => [error.by, error.causedBy]));
  expect(await Promise.all(causes)).toEqual([
    ['time', 'overShare'],
    ['time', 'overShare'],
    ['time', 'overloaded'],
  ]);
});

test('the end refuses what waits and awaits what runs', async () => {
  const { ask, line, ends } = openLine();
  ask('a');
  const waits = ask('a');
  const closed = line.close(new Error('closing'));
  expect(await waits.result).toBe('closing');
  ends[0]!.leave();
  await closed;
  expect(await ask('b').result).toBe('closing');
});

test('whatever comes and ends: bounds hold, nothing is lost, and nobody waits beside a free place', async () => {
  const step = record({
    client: constantFrom('a', 'b', 'c', 'd'),
    size: integer({ min: 0, max: 8 }),
    ends: boolean(),
    tookMs: integer({ min: 0, max: 500 }),
  });
  await assert(
    asyncProperty(
      array(step, { maxLength: 60 }),
      integer({ min: 1, max: 3 }),
      integer({ min: 0, max: 2 }),
      async (steps, concurrent, kept) => {
        const { line, ask, end, ends } = openLine({
          ...{ concurrent, kept },
          ...{ waiting: { count: 6, size: 20 }, perClient: { count: 5, size: 12 } },
        });
        const asked: Promise<string>[] = [];
        for (const { client, size, ends: isEnd, tookMs } of steps) {
          if (isEnd && ends.length > 0) await end(tookMs);
          else asked.push(ask(client, { size }).result);
          await settled();
          const { running, waiting } = line.load();
          expect(running).toBeLessThanOrEqual(concurrent + kept);
          expect(running).toBe(ends.length);
          expect(waiting).toBeLessThanOrEqual(6);
          if (waiting > 0) expect(running).toBeGreaterThanOrEqual(concurrent);
        }
        while (ends.length > 0) await end();
        expect(line.load()).toMatchObject({ running: 0, waiting: 0 });
        const results = await Promise.all(asked);
        expect(results.every((result) => ['begun', 'client', 'all'].includes(result))).toBe(true);
      },
    ),
    { numRuns: 60 },
  );
});

test('one client with any number of pieces delays another by one piece at most', async () => {
  await assert(
    asyncProperty(integer({ min: 1, max: 40 }), integer({ min: 1, max: 3 }), async (many, concurrent) => {
      const { began, ask, end } = openLine({ concurrent });
      for (let count = 0; count < many; count++) ask('many');
      await settled();
      const before = began.length;
      ask('one');
      await settled();
      if (began.length === before) await end(10);
      expect(began.slice(before)).toEqual(['one']);
    }),
    { numRuns: 40 },
  );
});

test('a signal that has aborted is refused at once', async () => {
  const { line } = openLine();
  await expect(line.enter('a', { signal: AbortSignal.abort(new Error('gone')) })).rejects.toThrow('gone');
});
