// Work passes in its order, no more at a time than are let in, whatever becomes of it.
import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createGate } from './gate.ts';
import { LineFull } from './shares/client-line.ts';
import { runAs } from './shares/current-client.ts';
import { createTurns } from './turns.ts';

it('lets in as many as it may, in order, and more or fewer later', async () => {
  let most = 2;
  const gate = createGate(() => most);
  const begun: number[] = [];
  const ends: ((how?: Error) => void)[] = [];
  const all = Array.from({ length: 6 }, (_, place) =>
    gate.pass(
      () =>
        new Promise<number>((done, fail) => {
          begun.push(place);
          ends[place] = (error) => (error ? fail(error) : done(place));
        }),
    ),
  );
  await turn();
  expect(begun).toEqual([0, 1]);
  all[0]!.catch(() => {});
  ends[0]!(new Error('failed'));
  await expect(all[0]).rejects.toThrow('failed');
  expect(begun).toEqual([0, 1, 2]);
  most = 1;
  ends[1]!();
  await turn();
  expect(begun).toEqual([0, 1, 2]);
  most = 4;
  ends[2]!();
  await turn();
  expect(begun).toEqual([0, 1, 2, 3, 4, 5]);
  for (const end of ends.slice(3)) end();
  expect(await Promise.all(all.slice(1))).toEqual([1, 2, 3, 4, 5]);
});

it('who gives up leaves the line, also before it came; each turn ends once', async () => {
  const gate = createGate(1);
  const leave = await gate.enter();
  const leaving = new AbortController();
  const given = gate.pass(() => Promise.resolve('begun'), leaving.signal);
  const next = gate.enter(new AbortController().signal);
  const last = gate.pass(() => Promise.resolve('last'));
  leaving.abort(new Error('gone'));
  await expect(given).rejects.toThrow('gone');
  await expect(gate.enter(leaving.signal)).rejects.toThrow('gone');
  leave();
  const leaveNext = await next;
  leave();
  expect(await Promise.race([last, turn('waits')])).toBe('waits');
  leaveNext();
  expect(await last).toBe('last');
});

it('a signal that comes when the turn has begun ends nothing', async () => {
  const gate = createGate(1);
  const ending = new AbortController();
  const leave = await gate.enter(ending.signal);
  ending.abort();
  expect(await Promise.race([gate.enter(), turn('waits')])).toBe('waits');
  leave();
});

it('one slice at a time, with a rest after each while the thread is busy; too many are not taken', async () => {
  let isBusy = true;
  const turns = createTurns({ isBusy: () => isBusy, maxWaiting: 2 });
  const begunMs: number[] = [];
  const slice = async (): Promise<number> => {
    begunMs.push(performance.now());
    await new Promise((done) => setTimeout(done, 40));
    return begunMs.length;
  };
  const failing = turns.take(async () => {
    await slice();
    throw new Error('failed');
  });
  const others = [turns.take(slice), turns.take(slice)];
  expect(turns.waiting()).toBe(2);
  await expect(turns.take(slice)).rejects.toThrow(LineFull);
  await expect(failing).rejects.toThrow('failed');
  expect(await others[0]).toBe(2);
  isBusy = false;
  expect(await others[1]).toBe(3);
  expect(begunMs[1]! - begunMs[0]!).toBeGreaterThan(75);
  expect(await turns.take(slice)).toBe(4);
});

it('slices of one client wait behind one of another, whatever their number', async () => {
  const turns = createTurns({ isBusy: () => false });
  const begun: string[] = [];
  const slice = (client: string) =>
    runAs(client, () =>
      turns.take(async () => {
        begun.push(client);
        await new Promise((done) => setTimeout(done, 5));
      }),
    );
  await Promise.all(['many', 'many', 'many', 'many', 'one'].map(slice));
  expect(begun).toEqual(['many', 'one', 'many', 'many', 'many']);
});
