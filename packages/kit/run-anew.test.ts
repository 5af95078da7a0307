import { expect, it } from 'vitest';
import { createRunAnew } from './run-anew.ts';

it('runs again for whoever asks during a run, once for all of them', async () => {
  const ends: PromiseWithResolvers<void>[] = [];
  const runAnew = createRunAnew(() => {
    const end = Promise.withResolvers<void>();
    ends.push(end);
    return end.promise;
  });
  const first = runAnew();
  const [second, third] = [runAnew(), runAnew()];
  expect([ends.length, second]).toEqual([1, third]);
  ends[0]!.reject(new Error('no answer'));
  await expect(first).rejects.toThrow('no answer');
  await expect.poll(() => ends.length).toBe(2);
  // The second run has begun: who asks now needs a third.
  const fourth = runAnew();
  ends[1]!.resolve();
  await Promise.all([second, third]);
  await expect.poll(() => ends.length).toBe(3);
  ends[2]!.resolve();
  await fourth;
  const fifth = runAnew();
  expect(ends.length).toBe(4);
  ends[3]!.resolve();
  await fifth;
});
