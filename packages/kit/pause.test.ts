import { expect, it } from 'vitest';
import { pause } from './pause.ts';

it('ends with the time, or with the signal, and says which', async () => {
  const stop = new AbortController();
  expect(await pause(1, stop.signal)).toBe(true);
  const long = pause(3_600_000, stop.signal);
  stop.abort();
  expect(await long).toBe(false);
  expect(await pause(3_600_000, stop.signal)).toBe(false);
});
