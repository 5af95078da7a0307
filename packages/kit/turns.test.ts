import { expect, it } from 'vitest';
import { LineFull } from './shares/client-line.ts';
import { runAs } from './shares/current-client.ts';
import { createTurns } from './turns.ts';

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
